/* The walk from page to page, the same for every face. */
#include "door/admin/flow.h"

/* "--imap-host is missing" for who types options, its title for who does not.
 */
static void
in_titles(struct flow *f, struct err *e)
{
	struct str say = str_of(e->say), option, rest;

	if (!str_starts(say, S("--")))
		return;
	(void)str_cut(str_from(say, 2), ' ', &option, &rest);
	for (int k = 0; k < FLOW_STEPS; k++) {
		char *key = str_c(f->a, str_of(flow_step[k].key));

		for (char *p = key; *p != '\0'; p++)
			if (*p == '_')
				*p = '-';
		if (str_eq(option, str_of(key))) {
			char *text = str_c(f->a, rest);

			(void)snprintf(e->say, sizeof(e->say), "%s %s",
			    flow_step[k].title, text);
			return;
		}
	}
}

int
flow_run_settle(struct flow *f, enum flow_page at, const struct flow_hooks *h,
    struct err *e)
{
	if (flow_settle(f, at, e) == 0 && h->settled(h->ctx, f, at, e) == 0)
		return 0;
	in_titles(f, e);
	return -1;
}

static enum flow_go
work(struct flow *f, enum flow_page at, const struct flow_face *face, void *ctx,
    const struct flow_hooks *h, struct err *e)
{
	struct flow_watch *w;
	enum flow_go go;

	if (h->begin(h->ctx, f, at, &w, e) < 0)
		return FLOW_GO_FAIL;
	go = face->watch(ctx, f, at, w);
	h->end(h->ctx, f, at);
	return go;
}

/* What the test leads to. */
static enum flow_page
tested(struct flow *f)
{
	bool good = f->probes.n > 0;
	enum flow_page to;

	for (size_t i = 0; i < f->probes.n; i++)
		good = good && f->probes.v[i].ok;
	if (good)
		return FLOW_PAGE_CONFIRM;
	to = flow_blame(f);
	/* The one that was given is not worth offering again. */
	if (to == FLOW_PAGE_LOGIN)
		flow_put_password(f, NULL);
	return to;
}

/* What a page's answers lead to. */
static enum flow_page
leads(struct flow *f, enum flow_page at)
{
	struct str after = flow_get(f, FLOW_AFTER);

	if (at == FLOW_PAGE_TEST)
		return tested(f);
	if (at == FLOW_PAGE_FAILED && str_eq(after, S("again")))
		return FLOW_PAGE_TEST;
	if (at == FLOW_PAGE_FAILED && str_eq(after, S("keep")))
		return FLOW_PAGE_CONFIRM;
	if (at == FLOW_PAGE_FAILED)
		return FLOW_PAGE_SERVERS;
	f->why = (struct err){ 0 };
	if (at == FLOW_PAGE_BEGIN && flow_asked(f, FLOW_AGAIN))
		f->enough = str_eq(flow_get(f, FLOW_AGAIN), S("no"));
	return flow_after(f, at);
}

static int
quit(struct err *e)
{
	(void)err_set(e, ERR_USAGE, "given up: nothing was written");
	e->reason = "quit";
	return -1;
}

int
flow_run(struct flow *f, const struct flow_face *face, void *ctx,
    const struct flow_hooks *h, struct err *e)
{
	enum flow_page at = flow_first(f), to;

	while (at != FLOW_PAGE_END) {
		enum flow_go go;

		if (at == FLOW_PAGE_TEST || at == FLOW_PAGE_FIND)
			go = work(f, at, face, ctx, h, e);
		else
			go = face->ask(ctx, f, at, h, e);
		to = go == FLOW_GO_ON ? leads(f, at) : at;
		if (go == FLOW_GO_FAIL)
			return -1;
		if (go == FLOW_GO_QUIT)
			return quit(e);
		if (go == FLOW_GO_BACK) {
			to = flow_before(f, at);
			f->why = (struct err){ 0 };
		}
		/* The last page's "no" is a no to everything. */
		if (go == FLOW_GO_ON && at == FLOW_PAGE_CONFIRM &&
		    str_eq(flow_get(f, FLOW_WRITE), S("no")))
			return quit(e);
		if (go == FLOW_GO_ON && at == FLOW_PAGE_BEGIN &&
		    flow_asked(f, FLOW_MAKE_KEYS) &&
		    str_eq(flow_get(f, FLOW_MAKE_KEYS), S("no")))
			return quit(e);
		at = to;
	}
	return 0;
}
