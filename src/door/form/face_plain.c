/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flow as questions, a line each: for terminals that cannot show a form,
 * and for people who do not want one.  "<" goes back a page.
 */
#include <errno.h>
#include <poll.h>

#include "door/form/face.h"
#include "door/out.h"
#include "door/prompt.h"

static int
open_plain(void **ctx, struct flow *f, struct err *e)
{
	(void)f;
	*ctx = NULL;
	if (!prompt_possible())
		return err_set(e, ERR_UNSUPPORTED,
		    "there is no terminal to ask on");
	prompt_say(S("Enter takes the value in brackets, < goes back, Ctrl-C "
		     "gives up.\n"));
	return 0;
}

static int
face_plain_put_key(struct str plain, void *ctx)
{
	(void)ctx;
	prompt_say(plain);
	return 0;
}

static void
face_plain_put_text(struct flow *f, enum flow_page at)
{
	const struct secret *key;
	const char *name;

	prompt_say(str_fmt(f->a, "\n%s\n%.*s", flow_text_title(at),
	    STR_ARG(flow_text(f, at))));
	for (size_t i = 0;
	     at == FLOW_PAGE_SHOW && (key = flow_text_key(f, i, &name)) != NULL;
	     i++) {
		prompt_say(str_fmt(f->a, "  %-16s ", name));
		(void)secret_lend(key, face_plain_put_key, NULL);
		prompt_say(S("\n"));
	}
}

static void
face_plain_put_why(struct flow *f, const struct err *why)
{
	if (why->kind != ERR_NONE)
		prompt_say(str_fmt(f->a, "! %.*s\n",
		    STR_ARG(out_line(f->a, str_of(why->say)))));
}

static enum flow_go
face_plain_ask_password(struct flow *f, enum flow_key k)
{
	CLEANUP(secret_close) struct secret *got = NULL;
	struct err none = { 0 };
	bool back = flow_missing(f, k);
	struct str q = str_fmt(f->a, "%s (not shown%s): ", flow_step[k].title,
	    back                      ? "; Enter: back"
		: f->password != NULL ? "; Enter: the same"
		: f->hint[k].n > 0    ? "; Enter: as it is"
				      : "; Enter: none");

	if (prompt_secret(str_c(f->a, q), &got, &none) < 0)
		return back ? FLOW_GO_BACK : FLOW_GO_ON;
	flow_put_password(f, got);
	got = NULL;
	return FLOW_GO_ON;
}

/* "yes" may be said in a letter, and so may every choice that has its own. */
static struct str
face_plain_whole(const struct flow_step *s, struct str v)
{
	struct str rest = str_of(s->choices), one;
	bool more = s->choices != NULL && v.n > 0;

	while (more) {
		more = str_cut(rest, '|', &one, &rest);
		if (str_starts_case(one, v))
			return one;
	}
	return v;
}

static enum flow_go
face_plain_ask_step(struct flow *f, enum flow_key k)
{
	const struct flow_step *s = &flow_step[k];
	struct str now = out_line(f->a, flow_get(f, k)), got, q;
	struct err e = { 0 };

	if (s->kind == FLOW_PASSWORD_KIND)
		return face_plain_ask_password(f, k);
	q = str_fmt(f->a, "%s%s%s%s [%.*s]: ", s->title,
	    s->choices != NULL ? " (" : "",
	    s->choices != NULL ? s->choices : "", s->choices != NULL ? ")" : "",
	    STR_ARG(now));
	prompt_say(str_fmt(f->a, "  %s\n", s->help));
	for (;;) {
		if (prompt_line(str_c(f->a, q), f->a, &got) < 0)
			return FLOW_GO_QUIT;
		got = str_trim(got);
		if (str_eq(got, S("<")))
			return FLOW_GO_BACK;
		/* A dash empties what has a default; what is there stays. */
		if (str_eq(got, S("-")) && !flow_needed(f, k))
			got = S("");
		else if (got.n == 0 && flow_has(f, k))
			return FLOW_GO_ON;
		else if (got.n == 0)
			got = flow_get(f, k);
		if (flow_put(f, k, face_plain_whole(s, got), &e) == 0)
			return FLOW_GO_ON;
		face_plain_put_why(f, &e);
	}
}

static enum flow_go
face_plain_ask(void *ctx, struct flow *f, enum flow_page at, struct err *e)
{
	(void)ctx;
	face_plain_put_text(f, at);
	face_plain_put_why(f, &f->why);
	for (;;) {
		for (enum flow_key k = flow_next(f, at, FLOW_STEPS);
		     k != FLOW_STEPS; k = flow_next(f, at, k)) {
			enum flow_go go = FLOW_GO_ON;

			if (flow_asked(f, k))
				go = face_plain_ask_step(f, k);
			if (go != FLOW_GO_ON)
				return go;
		}
		*e = (struct err){ 0 };
		if (flow_run_settle(f, at, e) == 0)
			return FLOW_GO_ON;
		if (e->kind != ERR_USAGE)
			return FLOW_GO_FAIL;
		face_plain_put_why(f, e);
	}
}

static enum flow_go
face_plain_watch(void *ctx, struct flow *f, enum flow_page at,
    struct flow_watch *w)
{
	size_t told = 0;
	bool more = true;

	(void)ctx;
	prompt_say(str_fmt(f->a, "\n%s ...\n", flow_text_title(at)));
	while (more) {
		struct pollfd p = { .fd = w->fd, .events = POLLIN };

		if (poll(&p, 1, -1) < 0 && errno != EINTR)
			break;
		more = w->read(w);
		for (; told < w->probes->n; told++)
			prompt_say(str_fmt(f->a, "%.*s\n",
			    STR_ARG(
				flow_text_probe(f->a, &w->probes->v[told]))));
	}
	return FLOW_GO_ON;
}

static void
close_plain(void *ctx)
{
	(void)ctx;
}

const struct flow_face face_plain = { open_plain, face_plain_ask,
	face_plain_watch, close_plain };
