/* SPDX-License-Identifier: Apache-2.0 */
/* The way from page to page without a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "door/form/face.h"

enum {
	STEPS_MAX = 16
};

/* Events on a page; the test of FLOW_PAGE_TEST ends with `bad`. */
struct visit {
	enum flow_page at;
	enum flow_go go;
	enum flow_key key;
	const char *value; /* NULL: no answer */
	const char *bad;   /* the failure of a test; NULL: none */
};

#define ON(page)                                                               \
	{                                                                      \
		FLOW_PAGE_##page, FLOW_GO_ON, FLOW_STEPS, NULL, NULL           \
	}
#define GO(page, where)                                                        \
	{                                                                      \
		FLOW_PAGE_##page, FLOW_GO_##where, FLOW_STEPS, NULL, NULL      \
	}
#define PUT(page, k, v)                                                        \
	{                                                                      \
		FLOW_PAGE_##page, FLOW_GO_ON, FLOW_##k, (v), NULL              \
	}
#define BAD(what)                                                              \
	{                                                                      \
		FLOW_PAGE_TEST, FLOW_GO_ON, FLOW_STEPS, NULL, (what)           \
	}

static struct walk {
	const char *why;
	bool keys, there, no_test, seek, edit, look;
	size_t accounts;
	int ret;
	struct visit v[STEPS_MAX];
} walks[] = {
	{ "a first run goes over every page", .ret = 0,
	    .v = { ON(BEGIN), ON(SHOW), ON(WHO), ON(SERVERS), ON(POLICY),
		ON(LOGIN), ON(TEST), ON(CONFIRM) } },
	{ "with keys it begins at the mailbox", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(TEST),
		ON(CONFIRM) } },
	{ "an account that is there may be the last", .keys = true,
	    .there = true, .accounts = 1, .v = { PUT(BEGIN, AGAIN, "no") } },
	{ "or have another beside it", .keys = true, .there = true,
	    .accounts = 1,
	    .v = { ON(BEGIN), ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN),
		ON(TEST), ON(CONFIRM) } },
	{ "an empty store asks for no more keys", .keys = true, .there = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(TEST),
		ON(CONFIRM) } },
	{ "who wants no keys is done", .ret = -1,
	    .v = { PUT(BEGIN, MAKE_KEYS, "no") } },
	{ "back goes a page back, and not beyond the first", .keys = true,
	    .v = { GO(WHO, BACK), ON(WHO), GO(SERVERS, BACK), ON(WHO),
		ON(SERVERS), GO(POLICY, BACK), ON(SERVERS), ON(POLICY),
		ON(LOGIN), ON(TEST), GO(CONFIRM, BACK), ON(LOGIN), ON(TEST),
		ON(CONFIRM) } },
	{ "nobody goes back into a search", .keys = true, .seek = true,
	    .v = { ON(WHO), ON(FIND), GO(SERVERS, BACK), GO(WHO, QUIT) },
	    .ret = -1 },
	{ "a search can be left", .keys = true, .seek = true,
	    .v = { ON(WHO), GO(FIND, BACK), GO(WHO, QUIT) }, .ret = -1 },
	{ "a wrong password is asked for again", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN),
		BAD("imap.login"), ON(LOGIN), ON(TEST), ON(CONFIRM) } },
	{ "a server that is not there leads to the servers", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), BAD("imap.tls"),
		ON(FAILED), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(TEST),
		ON(CONFIRM) } },
	{ "it can be tried again", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), BAD("imap.tls"),
		PUT(FAILED, AFTER, "again"), ON(TEST), ON(CONFIRM) } },
	{ "or be kept as it is", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), BAD("imap.tls"),
		PUT(FAILED, AFTER, "keep"), ON(CONFIRM) } },
	{ "a test that says nothing is none that went well", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), BAD(""),
		GO(FAILED, QUIT) },
	    .ret = -1 },
	{ "a test can be left", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), GO(TEST, BACK),
		GO(LOGIN, QUIT) },
	    .ret = -1 },
	{ "no test when none is wanted", .keys = true, .no_test = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(CONFIRM) } },
	{ "what is consented to later is not tried now", .keys = true,
	    .v = { ON(WHO), PUT(SERVERS, AUTH, "oauth2"), ON(POLICY), ON(LOGIN),
		ON(CONFIRM) } },
	{ "a folder is tried, and nobody signs in to it", .keys = true,
	    .v = { PUT(WHO, BACKEND, "maildir"), ON(SERVERS), ON(POLICY),
		ON(TEST), GO(CONFIRM, BACK), ON(POLICY), ON(TEST),
		ON(CONFIRM) } },
	{ "a folder has no servers to be sought", .keys = true, .seek = true,
	    .v = { PUT(WHO, BACKEND, "maildir"), ON(SERVERS), ON(POLICY),
		BAD("maildir.path"), ON(FAILED), ON(SERVERS), ON(POLICY),
		ON(TEST), ON(CONFIRM) } },
	{ "an account that is there is asked about and not tried", .keys = true,
	    .edit = true, .no_test = true,
	    .v = { ON(WHO), GO(SERVERS, BACK), ON(WHO), ON(SERVERS), ON(POLICY),
		ON(SENDING), ON(LOGIN), ON(QUIRKS), ON(SOURCE), ON(SENDERS),
		ON(CONFIRM) } },
	{ "its newest mail is looked at where a list trusts the From line",
	    .keys = true, .edit = true, .no_test = true, .look = true,
	    .v = { ON(WHO), ON(SERVERS), PUT(POLICY, WHITELIST_IN, "on"),
		ON(SENDING), ON(LOGIN), ON(QUIRKS), ON(SOURCE), ON(LOOK),
		GO(SENDERS, BACK), ON(SOURCE), ON(LOOK),
		PUT(SENDERS, WHITELIST_AUTH, "dmarc"), GO(CONFIRM, BACK),
		ON(SENDERS), ON(CONFIRM) } },
	{ "what works is looked at, and nothing asked where it matters not",
	    .keys = true, .look = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(TEST),
		ON(LOOK), ON(CONFIRM) } },
	{ "where it matters it is asked", .keys = true, .look = true,
	    .v = { ON(WHO), ON(SERVERS), PUT(POLICY, WHITELIST_IN, "on"),
		ON(LOGIN), ON(TEST), ON(LOOK), ON(SENDERS), ON(CONFIRM) } },
	{ "what does not work is not looked at", .keys = true, .look = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), BAD("imap.tls"),
		PUT(FAILED, AFTER, "keep"), ON(CONFIRM) } },
	{ "a look can be left", .keys = true, .look = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(TEST),
		GO(LOOK, BACK), GO(LOGIN, QUIT) },
	    .ret = -1 },
	{ "the last no is a no to everything", .keys = true,
	    .v = { ON(WHO), ON(SERVERS), ON(POLICY), ON(LOGIN), ON(TEST),
		PUT(CONFIRM, WRITE, "no") },
	    .ret = -1 },
};

struct run {
	const struct walk *w;
	size_t i;
	bool ended; /* the work that was begun */
};

static const struct visit *
visit(struct run *r, enum flow_page at)
{
	const struct visit *v = &r->w->v[r->i++];

	if (r->i > STEPS_MAX || v->at != at)
		fail_msg("visit %zu is page %d, not %d", r->i, at, v->at);
	return v;
}

static enum flow_go
page_ask(void *ctx, struct flow *f, enum flow_page at, struct err *e)
{
	const struct visit *v = visit(ctx, at);

	if (v->value != NULL && flow_put(f, v->key, str_of(v->value), e) < 0)
		fail_msg("%s: %s", flow_step[v->key].title, e->say);
	if (at == FLOW_PAGE_BEGIN && v->go == FLOW_GO_ON && f->admin == NULL &&
	    flow_asked(f, FLOW_MAKE_KEYS))
		f->admin = secret_new("x", 1);
	return v->go;
}

static enum flow_go
page_watch(void *ctx, struct flow *f, enum flow_page at, struct flow_watch *w)
{
	struct run *r = ctx;

	(void)f;
	(void)at;
	(void)w;
	/* begin() was there before. */
	return r->w->v[r->i - 1].go;
}

static int
hook_begin(struct flow *f, enum flow_page at, struct flow_watch **w,
    struct err *e)
{
	static struct flow_watch none;
	struct run *r = f->ctx;
	const struct visit *v = visit(r, at);
	static struct probe line;

	(void)e;
	r->ended = false;
	line = (struct probe){ .what = S("imap.login"),
		.ok = v->bad == NULL,
		.say = S("so it is") };
	if (v->bad != NULL)
		line.what = str_of(v->bad);
	f->probes = (struct probes){ .v = &line, .n = 1 };
	if (v->bad != NULL && v->bad[0] == '\0')
		f->probes.n = 0;
	*w = &none;
	return 0;
}

static void
hook_end(struct flow *f, enum flow_page at)
{
	struct run *r = f->ctx;

	if (at == FLOW_PAGE_FIND)
		f->seek = false;
	if (at == FLOW_PAGE_LOOK)
		f->looked = true;
	r->ended = true;
}

static int
hook_settled(struct flow *f, enum flow_page at, struct err *e)
{
	(void)f;
	(void)at;
	(void)e;
	return 0;
}

static void
walk(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct walk *w = *state;
	struct run r = { .w = w, .ended = true };
	const struct flow_face face = { .ask = page_ask, .watch = page_watch };
	const struct flow_hooks hooks = { hook_settled, hook_begin, hook_end };
	struct flow f = { .a = a,
		.step = flow_step,
		.hooks = &hooks,
		.ctx = &r,
		.there = w->there,
		.accounts = w->accounts,
		.has_admin = w->keys,
		.has_agent = w->keys,
		.no_test = w->no_test,
		.seek = w->seek,
		.look = w->look,
		.edit = w->edit };
	struct err e = { 0 };
	size_t n = 0;

	assert_int_equal(flow_put(&f, FLOW_FROM, S("me@a.example"), &e), 0);
	assert_int_equal(flow_run(&f, &face, &r, &e), w->ret);
	while (n < STEPS_MAX && (w->v[n].at != 0 || n == 0))
		n++;
	assert_int_equal(r.i, n);
	assert_true(r.ended);
	if (w->ret < 0)
		assert_string_equal(e.reason, "quit");
	flow_done(&f);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(walks) / sizeof(walks[0])] = { 0 };

	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		tests[i] = (struct CMUnitTest){ walks[i].why, walk, NULL, NULL,
			&walks[i] };
	return cmocka_run_group_tests_name("door/flow_walk", tests, NULL, NULL);
}
