/* SPDX-License-Identifier: Apache-2.0 */
/* The walk from page to page, the same for every face. */
#include "door/argv.h"
#include "door/form/face.h"

/*
 * The question an error is about, which then is called by its title:
 * "--imap-host is missing" is for whoever types options.  FLOW_STEPS: none.
 */
static enum flow_key
flow_run_in_titles(struct flow *f, struct err *e)
{
	struct str say = str_of(e->say), option, rest;
	int k = 0;

	if (!str_starts(say, S("--")))
		return FLOW_STEPS;
	(void)str_cut(str_from(say, 2), ' ', &option, &rest);
	while (k < FLOW_STEPS &&
	    !str_eq(option, argv_spell(f->a, flow_step[k].key)))
		k++;
	if (k < FLOW_STEPS) {
		char *text = str_c(f->a, rest);

		(void)snprintf(e->say, sizeof(e->say), "%s %s",
		    flow_step[k].title, text);
	}
	return (enum flow_key)k;
}

int
flow_run_settle(struct flow *f, enum flow_page at, struct err *e)
{
	enum flow_key k;

	if (flow_settle(f, at, e) == 0 && f->hooks->settled(f, at, e) == 0)
		return 0;
	k = flow_run_in_titles(f, e);
	if (k == FLOW_STEPS || flow_step[k].page <= at || !flow_asked(f, k))
		return -1;
	/* What a later page asks for is not missing yet. */
	*e = (struct err){ 0 };
	return 0;
}

static enum flow_go
flow_run_work(struct flow *f, enum flow_page at, const struct flow_face *face,
    void *ctx, struct err *e)
{
	struct flow_watch *w;
	enum flow_go go;

	if (f->hooks->begin(f, at, &w, e) < 0)
		return FLOW_GO_FAIL;
	go = face->watch(ctx, f, at, w);
	f->hooks->end(f, at);
	return go;
}

/* What the test leads to. */
static enum flow_page
flow_run_tested(struct flow *f)
{
	bool good = f->probes.n > 0;
	enum flow_page to;

	for (size_t i = 0; i < f->probes.n; i++)
		good = good && f->probes.v[i].ok;
	if (good)
		return flow_after(f, FLOW_PAGE_TEST);
	to = flow_blame(f);
	/* The one that was given is not worth offering again. */
	if (to == FLOW_PAGE_LOGIN)
		flow_put_password(f, NULL);
	return to;
}

/* What a page's answers lead to. */
static enum flow_page
flow_run_leads(struct flow *f, enum flow_page at)
{
	struct str after = flow_get(f, FLOW_AFTER);

	if (at == FLOW_PAGE_TEST)
		return flow_run_tested(f);
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
flow_run_quit(struct err *e)
{
	(void)err_set(e, ERR_USAGE, "given up: nothing was written");
	e->reason = "quit";
	return -1;
}

int
flow_run(struct flow *f, const struct flow_face *face, void *ctx, struct err *e)
{
	enum flow_page at = flow_first(f), to;

	while (at != FLOW_PAGE_END) {
		enum flow_go go;

		if (flow_works(at))
			go = flow_run_work(f, at, face, ctx, e);
		else
			go = face->ask(ctx, f, at, e);
		to = go == FLOW_GO_ON ? flow_run_leads(f, at) : at;
		if (go == FLOW_GO_FAIL)
			return -1;
		if (go == FLOW_GO_QUIT)
			return flow_run_quit(e);
		if (go == FLOW_GO_BACK) {
			to = flow_before(f, at);
			f->why = (struct err){ 0 };
		}
		/* The last page's "no" is a no to everything. */
		if (go == FLOW_GO_ON && at == FLOW_PAGE_CONFIRM &&
		    str_eq(flow_get(f, FLOW_WRITE), S("no")))
			return flow_run_quit(e);
		if (go == FLOW_GO_ON && at == FLOW_PAGE_BEGIN &&
		    flow_asked(f, FLOW_MAKE_KEYS) &&
		    str_eq(flow_get(f, FLOW_MAKE_KEYS), S("no")))
			return flow_run_quit(e);
		at = to;
	}
	return 0;
}
