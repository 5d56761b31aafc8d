/* The guided first run without a terminal: answers, and where they lead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "door/admin/flow.h"

/* -- what may be answered ---------------------------------------------------
 */

static struct answer {
	const char *why;
	enum flow_key key;
	const char *given;
	int ret;
	const char *want; /* the answer, or part of what is said */
} answers[] = {
	{ "an address is one", FLOW_FROM, " me@a.example ", 0, "me@a.example" },
	{ "two addresses are none", FLOW_FROM, "me@a.example,you@b.example", -1,
	    "" },
	{ "an address must be given", FLOW_FROM, "", -1,
	    "Mail address is missing" },
	{ "no control characters", FLOW_USERNAME, "a\033[2Jb", -1,
	    "control character" },
	{ "a name has no spaces", FLOW_ACCOUNT, "my mail", -1, "letters" },
	{ "a name is no option", FLOW_ACCOUNT, "-x", -1, "begins with no -" },
	{ "a choice is one of its choices", FLOW_MODE, "RX", -1,
	    "one of RO|RW" },
	{ "a choice can be made", FLOW_MODE, "RW", 0, "RW" },
	{ "a host is no URL", FLOW_IMAP_HOST, "imaps://a.example/", -1,
	    "no host name" },
	{ "a host is no address", FLOW_IMAP_HOST, "me@a.example", -1,
	    "no host name" },
	{ "a host may come with its port", FLOW_IMAP_HOST, "a.example:1993", 0,
	    "a.example:1993" },
	{ "port 0 is none", FLOW_IMAP_PORT, "0", -1, "1 to 65535" },
	{ "nor is 65536", FLOW_IMAP_PORT, "65536", -1, "1 to 65535" },
	{ "a port is taken", FLOW_IMAP_PORT, "1993", 0, "1993" },
	{ "a list takes domains", FLOW_ALLOW_IN, "a@b.example, @c.example", 0,
	    "a@b.example, @c.example" },
	{ "a list takes nothing else", FLOW_ALLOW_IN, "a@b.example everybody",
	    -1, "" },
	{ "a list may be empty", FLOW_ALLOW_IN, "", 0, "" },
};

static void
answer(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	const struct answer *r = *state;
	struct flow f = { .a = a };
	struct err e = { 0 };

	assert_int_equal(flow_put(&f, r->key, str_of(r->given), &e), r->ret);
	if (r->ret == 0)
		assert_true(str_eq(flow_get(&f, r->key), str_of(r->want)));
	else
		assert_true(str_find(str_of(e.say), str_of(r->want)) >= 0);
}

/* -- what follows from what -------------------------------------------------
 */

static void
put(struct flow *f, enum flow_key k, const char *v)
{
	struct err e = { 0 };

	if (flow_put(f, k, str_of(v), &e) < 0)
		fail_msg("%s: %s", flow_step[k].title, e.say);
}

#define assert_get(f, k, text)                                                 \
	assert_true(str_eq(flow_get((f), (k)), str_of(text)))

static void
follows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a };

	(void)state;
	assert_get(&f, FLOW_ACCOUNT, "mail");
	put(&f, FLOW_FROM, "me@post.example.org");
	assert_get(&f, FLOW_ACCOUNT, "post");
	assert_get(&f, FLOW_USERNAME, "me@post.example.org");
	/* What is assumed anyway goes on following. */
	put(&f, FLOW_ACCOUNT, "post");
	put(&f, FLOW_FROM, "me@other.example");
	assert_get(&f, FLOW_ACCOUNT, "other");
	put(&f, FLOW_ACCOUNT, "mine");
	put(&f, FLOW_FROM, "me@post.example.org");
	assert_get(&f, FLOW_ACCOUNT, "mine");
	assert_get(&f, FLOW_IMAP_PORT, "993");
	put(&f, FLOW_IMAP_SECURITY, "starttls");
	assert_get(&f, FLOW_IMAP_PORT, "143");
}

static void
hints(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a };

	(void)state;
	flow_hint(&f, FLOW_IMAP_HOST, S("imap.a.example"));
	flow_hint(&f, FLOW_IMAP_SECURITY, S("tls"));
	flow_hint(&f, FLOW_IMAP_PORT, S("1993"));
	assert_get(&f, FLOW_IMAP_HOST, "imap.a.example");
	assert_get(&f, FLOW_IMAP_PORT, "1993");
	/* A stranger's port goes with a stranger's kind of TLS. */
	put(&f, FLOW_IMAP_SECURITY, "starttls");
	assert_get(&f, FLOW_IMAP_PORT, "143");
	/* And what no person may answer no stranger may either. */
	flow_hint(&f, FLOW_SMTP_HOST, S("a b"));
	flow_hint(&f, FLOW_SMTP_SECURITY, S("none"));
	assert_get(&f, FLOW_SMTP_HOST, "");
	assert_get(&f, FLOW_SMTP_SECURITY, "tls");
	put(&f, FLOW_IMAP_HOST, "mine.example");
	assert_get(&f, FLOW_IMAP_HOST, "mine.example");
	flow_hint_none(&f);
	assert_get(&f, FLOW_IMAP_HOST, "mine.example");
	assert_get(&f, FLOW_IMAP_PORT, "143");
}

static void
ports(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a };
	struct err e = { 0 };

	(void)state;
	put(&f, FLOW_IMAP_HOST, "a.example:1993");
	assert_int_equal(flow_settle(&f, FLOW_PAGE_SERVERS, &e), 0);
	assert_get(&f, FLOW_IMAP_HOST, "a.example");
	assert_get(&f, FLOW_IMAP_PORT, "1993");
	put(&f, FLOW_IMAP_HOST, "a.example:99999");
	assert_int_equal(flow_settle(&f, FLOW_PAGE_SERVERS, &e), -1);
	put(&f, FLOW_IMAP_HOST, "::1");
	assert_int_equal(flow_settle(&f, FLOW_PAGE_SERVERS, &e), 0);
	assert_get(&f, FLOW_IMAP_HOST, "::1");
}

static void
lists(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a };
	struct strs l;

	(void)state;
	put(&f, FLOW_ALLOW_IN, "a@b.example,@c.example  d@e.example");
	l = flow_list(&f, FLOW_ALLOW_IN);
	assert_int_equal(l.n, 3);
	assert_true(str_eq(l.v[1], S("@c.example")));
}

/* What is no answer of a person is no change, though something is assumed. */
static void
changes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct flow f = { .a = a, .edit = true };

	(void)state;
	f.hint[FLOW_BACKEND] = S("imap");
	f.hint[FLOW_FROM] = S("me@a.example");
	f.hint[FLOW_IMAP_HOST] = S("i.example");
	f.hint[FLOW_IMAP_SECURITY] = S("tls");
	f.hint[FLOW_IMAP_PORT] = S("993");
	for (int k = 0; k < FLOW_STEPS; k++)
		assert_false(flow_changed(&f, (enum flow_key)k));
	assert_get(&f, FLOW_USERNAME, "");
	/* A port goes with its kind of TLS. */
	put(&f, FLOW_IMAP_SECURITY, "starttls");
	assert_true(flow_changed(&f, FLOW_IMAP_SECURITY));
	assert_true(flow_changed(&f, FLOW_IMAP_PORT));
	put(&f, FLOW_IMAP_SECURITY, "tls");
	assert_false(flow_changed(&f, FLOW_IMAP_PORT));
	put(&f, FLOW_FROM, "");
	assert_true(flow_changed(&f, FLOW_FROM));
	/* A folder has no server: it goes. */
	put(&f, FLOW_BACKEND, "maildir");
	assert_true(flow_changed(&f, FLOW_IMAP_HOST));
	assert_true(flow_missing(&f, FLOW_PATH));
	flow_put_password(&f, secret_new("x", 1));
	assert_true(flow_changed(&f, FLOW_PASSWORD));
	flow_done(&f);
}

/* -- walks ------------------------------------------------------------------
 */

enum {
	STEPS_MAX = 16
};

/* What happens on a page; the test of FLOW_PAGE_TEST ends with `bad`. */
struct visit {
	enum flow_page at;
	enum flow_go go;
	enum flow_key key;
	const char *value; /* NULL: nothing is answered */
	const char *bad;   /* what fails in a test; NULL: nothing */
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
	bool keys, there, no_test, seek, edit;
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
		ON(SENDING), ON(LOGIN), ON(QUIRKS), ON(SOURCE), ON(CONFIRM) } },
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
face_ask(void *ctx, struct flow *f, enum flow_page at,
    const struct flow_hooks *h, struct err *e)
{
	const struct visit *v = visit(ctx, at);

	(void)h;
	(void)e;
	if (v->value != NULL)
		put(f, v->key, v->value);
	if (at == FLOW_PAGE_BEGIN && v->go == FLOW_GO_ON && f->admin == NULL &&
	    flow_asked(f, FLOW_MAKE_KEYS))
		f->admin = secret_new("x", 1);
	return v->go;
}

static enum flow_go
face_watch(void *ctx, struct flow *f, enum flow_page at, struct flow_watch *w)
{
	struct run *r = ctx;

	(void)f;
	(void)at;
	(void)w;
	/* begin() has been there already. */
	return r->w->v[r->i - 1].go;
}

static int
hook_begin(void *ctx, struct flow *f, enum flow_page at, struct flow_watch **w,
    struct err *e)
{
	static struct flow_watch none;
	struct run *r = ctx;
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
hook_end(void *ctx, struct flow *f, enum flow_page at)
{
	struct run *r = ctx;

	if (at == FLOW_PAGE_FIND)
		f->seek = false;
	r->ended = true;
}

static int
hook_settled(void *ctx, struct flow *f, enum flow_page at, struct err *e)
{
	(void)ctx;
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
	const struct flow_face face = { .ask = face_ask, .watch = face_watch };
	const struct flow_hooks hooks = { &r, hook_settled, hook_begin,
		hook_end };
	struct flow f = { .a = a,
		.there = w->there,
		.accounts = w->accounts,
		.has_admin = w->keys,
		.has_agent = w->keys,
		.no_test = w->no_test,
		.seek = w->seek,
		.edit = w->edit };
	struct err e = { 0 };
	size_t n = 0;

	put(&f, FLOW_FROM, "me@a.example");
	assert_int_equal(flow_run(&f, &face, &r, &hooks, &e), w->ret);
	while (n < STEPS_MAX && (w->v[n].at != 0 || n == 0))
		n++;
	assert_int_equal(r.i, n);
	assert_true(r.ended);
	if (w->ret < 0)
		assert_string_equal(e.reason, "quit");
	flow_done(&f);
}

#define COUNT(x) (sizeof(x) / sizeof((x)[0]))

int
main(void)
{
	static const struct CMUnitTest others[] = {
		{ "what follows from another answer goes on following it",
		    follows, NULL, NULL, NULL },
		{ "what a stranger says is assumed and no more", hints, NULL,
		    NULL, NULL },
		{ "a port behind a host is cut off", ports, NULL, NULL, NULL },
		{ "what of an account is another, and what is not", changes,
		    NULL, NULL, NULL },
		{ "a list is split at spaces and commas", lists, NULL, NULL,
		    NULL },
	};
	struct CMUnitTest
	    tests[COUNT(answers) + COUNT(walks) + COUNT(others)] = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < COUNT(answers); i++, n++)
		tests[n] = (struct CMUnitTest){ answers[i].why, answer, NULL,
			NULL, &answers[i] };
	for (size_t i = 0; i < COUNT(walks); i++, n++)
		tests[n] = (struct CMUnitTest){ walks[i].why, walk, NULL, NULL,
			&walks[i] };
	memcpy(&tests[n], others, sizeof(others));
	return cmocka_run_group_tests_name("door/flow", tests, NULL, NULL);
}
