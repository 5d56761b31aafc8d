/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The look at the newest mail as words for a person, and as answers that are
 * assumed, or of an account that is there proposed.
 */
#include "desk/senders.h"

#include "base/clock.h"
#include "base/limits.h"
#include "desk/picture.h"
#include "gate/sender_look.h"

static void
senders_put_look(struct buf *b, const struct sender_look *l)
{
	if (l->messages == 0)
		buf_text(b, "There is no mail yet to check.\n");
	else if (l->authserv_id.n > 0)
		buf_fmt(b,
		    "%.*s authenticates %zu of the newest %zu messages "
		    "(Authentication-Results).\n",
		    STR_ARG(l->authserv_id), l->told, l->messages);
	else if (sender_look_enough(l))
		buf_fmt(b,
		    "DKIM signatures of %zu of the newest %zu messages can be "
		    "verified here, which needs each message whole.\n",
		    l->verified, l->fetched);
	else
		buf_fmt(b,
		    "None of your servers authenticates the newest %zu "
		    "messages, and DKIM signatures prove the sender of %zu of "
		    "%zu.\n",
		    l->messages, l->verified, l->fetched);
	if (sender_look_enough(l))
		buf_text(b,
		    "So listed senders can be required to prove it: mail that "
		    "only has their address in From is hidden.\n");
	else
		buf_text(b,
		    "So only the From line of listed senders is compared, "
		    "which anybody can write.\n");
}

/* Lines: an answer by its question's key, or text to be shown. */
static void
senders_put_lines(struct buf *b, const struct sender_look *l)
{
	struct str rest, line;
	struct buf text;

	if (l->authserv_id.n > 0)
		buf_fmt(b, "%s\t%.*s\n", flow_step[FLOW_AUTHSERV_ID].key,
		    STR_ARG(l->authserv_id));
	if (sender_look_enough(l))
		buf_fmt(b, "%s\tdmarc\n", flow_step[FLOW_WHITELIST_AUTH].key);
	buf_init(&text, b->a, ASIDE_TEXT / 2);
	senders_put_look(&text, l);
	rest = buf_view(&text);
	while (str_cut(rest, '\n', &line, &rest))
		buf_fmt(b, "text\t%.*s\n", STR_ARG(line));
}

/* In the child. */
static void
senders_look_aside(void *ctx, struct buf *out)
{
	struct senders *x = ctx;
	struct sender_look l;
	struct err e = x->why;

	if (x->src.secret != NULL)
		secret_relock(x->src.secret);
	if (e.kind == ERR_NONE && sender_look(&x->src, x->a, &l, &e) == 0)
		senders_put_lines(out, &l);
	else
		buf_fmt(out, "text\tThe newest mail could not be read: %.*s\n",
		    STR_ARG(picture_text(x->a, str_of(e.say), false)));
}

int
senders_begin(struct senders *x, struct arena *a,
    const struct store_account *acct, struct secret *secret, struct err *e)
{
	x->a = a;
	x->why = (struct err){ 0 };
	if (source_resolve_given(acct, clock_mono_ms() + LIMIT_LOOK_MS, &x->src,
		&x->why) == 0) {
		/* Borrowed: there is nothing for source_done() to close. */
		x->src.secret = secret;
		x->src.view.secret = secret;
	}
	return aside_begin(&x->aside, a, senders_look_aside, x, e);
}

/* A token is got here, if it can be: the child has no store to ask. */
static void
senders_unseal(struct senders *x, struct store *store)
{
	if (source_unseal(store, &x->src, &x->why) < 0 ||
	    x->src.view.token == NULL)
		return;
	(void)source_token(&x->src, &x->why);
	x->src.view.token = NULL;
}

int
senders_begin_stored(struct senders *x, struct arena *a, struct store *store,
    const struct store_account *acct, struct err *e)
{
	int r;

	x->a = a;
	x->why = (struct err){ 0 };
	/* What keeps from looking is told, and keeps from nothing else. */
	if (source_resolve_given(acct, clock_mono_ms() + LIMIT_LOOK_MS, &x->src,
		&x->why) == 0)
		senders_unseal(x, store);
	r = aside_begin(&x->aside, a, senders_look_aside, x, e);
	/* The child has its own. */
	source_done(&x->src);
	return r;
}

/* A proposal: assumed of what is new, an answer where something is. */
static void
senders_propose(struct flow *f, enum flow_key k, struct str v)
{
	struct err none = { 0 };

	if (f->edit)
		(void)flow_put(f, k, v, &none);
	else
		flow_hint(f, k, v);
}

void
senders_end(struct senders *x, struct flow *f)
{
	static const enum flow_key told[] = { FLOW_AUTHSERV_ID,
		FLOW_WHITELIST_AUTH };
	struct str rest = aside_end(&x->aside), line, name, v;

	f->seen = rest.n > 0
	    ? S("")
	    : S("The newest mail could not be read in time.\n");
	while (str_cut(rest, '\n', &line, &rest)) {
		if (!str_cut(line, '\t', &name, &v))
			continue;
		if (str_eq(name, S("text")))
			f->seen = str_fmt(f->a, "%.*s%.*s\n", STR_ARG(f->seen),
			    STR_ARG(v));
		for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
			if (str_eq(name, str_of(flow_step[told[i]].key)))
				senders_propose(f, told[i], v);
	}
	f->looked = true;
}

void
senders_tell(struct call *c, struct source *src)
{
	struct sender_look l;
	struct err e = { 0 };
	struct buf b;

	src->view.deadline_ms = clock_mono_ms() + LIMIT_LOOK_MS;
	if (sender_look(src, c->arena, &l, &e) < 0)
		return;
	buf_init(&b, c->arena, ASIDE_TEXT);
	senders_put_look(&b, &l);
	if (sender_look_enough(&l)) {
		buf_fmt(&b,
		    "Next: emcli account edit %.*s --whitelist-auth dmarc",
		    STR_ARG(src->acct.name));
		if (l.authserv_id.n > 0)
			buf_fmt(&b, " --authserv-id %.*s",
			    STR_ARG(l.authserv_id));
		buf_char(&b, '\n');
	}
	gate_say_text(c, buf_view(&b));
}
