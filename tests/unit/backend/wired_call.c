/* SPDX-License-Identifier: Apache-2.0 */
/* Every method through two processes, with all that it calls meanwhile. */
#include "wired_pair.h"

/* -- every method ---------------------------------------------------------- */

static void
good(int r)
{
	if (r < 0)
		fail_msg("%s: %s (%s)", err_code(t.e.kind), t.e.say,
		    t.e.detail);
}

static void
reads(void **state)
{
	struct refs among = { two, 1 };
	const struct query q = { .folder = S("INBOX"),
		.among = &among,
		.with = FLAG_READ };
	struct folder_state st = { 0 };
	struct folders f = { 0 };
	struct rows rows = { 0 };
	struct strs ids = { 0 }, gone = { 0 };
	struct str raw = S("");

	(void)open_pair(state);
	fake.progress = true;
	fake.signs = true;
	serve_it();
	good(be->folders(&t.w.conn, t.a, &f, &t.e));
	assert_int_equal(f.n, 1);
	assert_int_equal(f.v[0].delimiter, '/');
	good(be->find(&t.w.conn, t.a, &q, 5, &st, &rows, &t.e));
	assert_int_equal(t.told, 1);
	assert_int_equal(rows.n, 2);
	assert_int_equal(rows.v[1].ref.uid, 1);
	rows_same(rows.v[1].head, S("Subject: x\r\n\r\n"));
	assert_int_equal(st.exists, 9);
	good(be->headers(&t.w.conn, t.a, S("INBOX"), &refs, &st, &rows, &t.e));
	assert_int_equal(rows.n, 2);
	good(be->body(&t.w.conn, t.a, S("INBOX"), &two[1], FAKE_LONG, &raw,
	    &t.e));
	assert_int_equal(raw.n, FAKE_LONG);
	assert_true(raw.p[0] == 'b' && raw.p[FAKE_LONG - 1] == 'b');
	good(be->scan(&t.w.conn, t.a, S("INBOX"), &st, &ids, &t.e));
	assert_int_equal(ids.n, 50000);
	rows_same(ids.v[49999], S("id-49999"));
	good(be->listing(&t.w.conn, t.a, S("INBOX"), &st, &t.e));
	rows_same(st.listing, S("digest"));
	assert_int_equal(be->changes(&t.w.conn, t.a, S("INBOX"), S("then"), &st,
			     &ids, &gone, &t.e),
	    1);
	rows_same(ids.v[0], S("new"));
	rows_same(gone.v[0], S("old"));
	assert_int_equal(close_pair(), 1);
}

static int
copied_it(void *ctx, const struct refs *copies, uint32_t uidvalidity,
    struct err *e)
{
	assert_ptr_equal(ctx, &t);
	assert_int_equal(uidvalidity, 70);
	assert_int_equal(copies->n, 2);
	rows_same(copies->v[1].id, S("y"));
	t.looked++;
	return t.refuse ? err_set(e, ERR_DB, "it cannot be written down") : 0;
}

/* What is told of copies, and what is known of them. */
static void
moves_by_copying(void)
{
	const struct copying told = { .copied = copied_it, .ctx = &t };
	const struct copying known = { .copies = &refs,
		.uidvalidity = 70,
		.from_uidvalidity = 7 };
	struct refs moved = { 0 };

	good(be->move(&t.w.conn, t.a, S("INBOX"), &refs, S("Done"), &told,
	    &moved, &t.e));
	assert_int_equal(t.looked, 1);
	good(be->move(&t.w.conn, t.a, S("INBOX"), &refs, S("Done"), &known,
	    &moved, &t.e));
	assert_int_equal(t.looked, 1);
	t.refuse = true;
	assert_int_equal(be->move(&t.w.conn, t.a, S("INBOX"), &refs, S("Done"),
			     &told, &moved, &t.e),
	    -1);
	assert_int_equal(t.e.kind, ERR_DB);
	assert_string_equal(t.e.say, "it cannot be written down");
	assert_true(t.w.fd >= 0);
	t.refuse = false;
	t.looked = 0;
}

static void
changes(void **state)
{
	const struct flag_change change = { .set = FLAG_READ,
		.clear = FLAG_ARCHIVED };
	struct drafted drafted = { 0 };
	struct str ids[2] = { S("P"), S("Q") };
	struct strs each[2] = { { 0 }, { ids, 2 } };
	const struct places was = { each, 2 };
	struct refs moved = { 0 };
	struct str name = S("");

	(void)open_pair(state);
	fake.signs = true;
	serve_it();
	good(be->drafts(&t.w.conn, t.a, &name, &t.e));
	rows_same(name, S("Drafts"));
	good(be->draft(&t.w.conn, t.a, S("INBOX"), S("m"), S("t"), &drafted,
	    &t.e));
	rows_same(drafted.ref.id, S("id"));
	good(be->append(&t.w.conn, t.a, S("INBOX"),
	    rows_repeat(t.a, S("m"), FAKE_LONG), &t.e));
	good(be->mark(&t.w.conn, t.a, S("INBOX"), &refs, &change, &t.e));
	good(be->move(&t.w.conn, t.a, S("INBOX"), &refs, S("Done"), NULL,
	    &moved, &t.e));
	assert_int_equal(moved.v[1].uid, 2);
	moves_by_copying();
	good(be->move_back(&t.w.conn, t.a, S("Done"), &refs, S("INBOX"), &was,
	    &t.e));
	good(submit());
	assert_int_equal(t.looked, 1);
	assert_int_equal(to[1].code, 250);
	rows_same(to[1].status, S("accepted"));
	rows_same(to[1].addr, S("b@c.example"));
	t.refuse = true;
	assert_int_equal(submit(), -1);
	assert_int_equal(t.e.kind, ERR_POLICY);
	assert_string_equal(t.e.say, "it is frozen");
	assert_true(t.w.fd >= 0);
	assert_int_equal(close_pair(), 0);
}

/* A sink that has enough after so many. */
static int
add_link(void *ctx, const struct ref *ref, const struct strs *ids,
    struct err *e)
{
	unsigned *enough = ctx;

	assert_int_equal(ref->uid, t.told);
	assert_int_equal(ids->n, t.told % 3);
	if (ids->n > 1)
		rows_same(ids->v[1], S("<b@c>"));
	return ++t.told == *enough ? err_set(e, ERR_LIMIT, "enough") : 0;
}

static void
links_come_one_by_one(void **state)
{
	unsigned enough = FAKE_LINKS + 1;
	const struct link_sink sink = { add_link, &enough };
	bool over = false;

	(void)open_pair(state);
	serve_it();
	good(be->links(&t.w.conn, t.a, S("INBOX"), &sink, &over, &t.e));
	assert_true(over);
	assert_int_equal(t.told, FAKE_LINKS);
	enough = 5;
	t.told = 0;
	assert_int_equal(be->links(&t.w.conn, t.a, S("INBOX"), &sink, &over,
			     &t.e),
	    -1);
	assert_string_equal(t.e.say, "enough");
	assert_int_equal(t.told, 5);
	/* An answer is on its way that nobody waits for. */
	assert_int_equal(t.w.fd, -1);
	assert_true(close_pair() < 1);
}

static int
ready(void *ctx)
{
	t.told++;
	return ctx != NULL;
}

static void
a_wait_says_that_it_is_ready(void **state)
{
	const struct backend_watch w = { S("INBOX"), clock_mono_ms() + 9000,
		ready, NULL };
	bool changed = false;

	(void)open_pair(state);
	serve_it();
	good(be->watch(&t.w.conn, t.a, &w, &changed, &t.e));
	assert_true(changed);
	assert_int_equal(t.told, 1);
	assert_int_equal(close_pair(), 1);
}

/* The client goes away as soon as it waits. */
static int
leave(void *ctx)
{
	(void)ctx;
	assert_int_equal(shutdown(t.w.fd, SHUT_RDWR), 0);
	return 0;
}

static void
a_wait_that_nobody_waits_for_ends(void **state)
{
	int64_t since = clock_mono_ms();
	const struct backend_watch w = { S("INBOX"), since + 60000, leave,
		NULL };
	bool changed = false;

	(void)open_pair(state);
	fake.waits = true;
	serve_it();
	fake.waits = false;
	assert_int_equal(be->watch(&t.w.conn, t.a, &w, &changed, &t.e), -1);
	assert_int_equal(t.e.kind, ERR_NETWORK);
	/* By _exit(0), and long before the wait would have been over. */
	assert_int_equal(close_pair(), -1);
	assert_true(clock_mono_ms() - since < 20000);
}

/* A caller that has found something waits no longer. */
static void
a_wait_can_be_ended(void **state)
{
	const struct backend_watch w = { S("INBOX"), clock_mono_ms() + 9000,
		ready, &t };
	bool changed = true;

	(void)open_pair(state);
	serve_it();
	good(be->watch(&t.w.conn, t.a, &w, &changed, &t.e));
	assert_false(changed);
	assert_int_equal(t.e.kind, ERR_NONE);
	assert_int_equal(t.w.fd, -1);
	assert_true(close_pair() < 1);
}

static int
lend_other(void *ctx, const char *backend, const struct backend_account *acct,
    enum wired_use use, struct err *e)
{
	(void)ctx, (void)e;
	assert_int_equal(use, WIRED_USE_TEST);
	assert_string_equal(backend, "smtp");
	assert_ptr_equal(acct, &t.acct);
	return t.w.fd;
}

static void
tell_line(const struct probe *line, void *ctx)
{
	const struct probes *p = ctx;

	t.told++;
	rows_same(p->v[p->n - 1].what, line->what);
}

static void
a_test_is_told_line_by_line(void **state)
{
	const struct backend_wire wire = { lend_other, NULL };
	struct probes p = { .tell = tell_line, .ctx = &p };
	const struct backend *twin = wired_of(backend_find(S("smtp")));

	(void)open_pair(state);
	t.tests = true;
	serve_it();
	assert_int_equal(twin->probe(&t.acct, t.a, &p, &t.e), -1);
	assert_int_equal(t.e.kind, ERR_INTERNAL);
	t.acct.wire = &wire;
	good(twin->probe(&t.acct, t.a, &p, &t.e));
	t.w.fd = -1; /* it closed it */
	assert_int_equal(p.n, 2);
	assert_int_equal(t.told, 2);
	assert_true(p.v[1].note);
	rows_same(p.v[1].next, S("look"));
	assert_int_equal(close_pair(), 0);
}

/* How long it lives is told, and no token; or why there is none. */
static void
a_token_is_told_of(void **state)
{
	const struct backend *twin = wired_of(backend_find(S("smtp")));
	const struct backend_wire wire = { lend_other, NULL };
	int64_t lives_s = 0;

	for (int dead = 0; dead < 2; dead++) {
		(void)open_pair(state);
		t.tests = true;
		t.acct.wire = &wire;
		fake.fault = dead ? ERR_AUTH : ERR_NONE;
		serve_it();
		assert_int_equal(wired_token(twin, &t.acct, &lives_s, &t.e),
		    dead ? -1 : 0);
		assert_int_equal(t.e.kind, fake.fault);
		assert_int_equal(lives_s, dead ? 0 : 3599);
		t.w.fd = -1; /* it closed it */
		assert_int_equal(close_pair(), 0);
		fake.fault = ERR_NONE;
	}
}

static void
twins_keep_the_contract(void **state)
{
	const struct backend *real;

	(void)state;
	for (size_t i = 0; (real = backend_at(i)) != NULL; i++) {
		const struct backend *twin = wired_of(real);

		assert_true(twin != real && backend_check(twin));
		assert_string_equal(twin->name, real->name);
		assert_true(twin->caps == real->caps &&
		    twin->keeps == real->keeps && twin->flags == real->flags);
		assert_ptr_equal(wired_of(twin), twin);
		assert_true(twin->message_id == real->message_id);
	}
	assert_null(wired_of(NULL));
}

/* -- is the connection fit for another? ------------------------------------ */

static const struct fit {
	const char *why;
	enum err_kind fault;
	int fit;
} fits[] = {
	{ "after an answer", ERR_NONE, 1 },
	{ "after what is not there", ERR_NOT_FOUND, 1 },
	{ "not after a timeout", ERR_NETWORK, 0 },
	{ "not after a cap, which may be in the middle", ERR_LIMIT, 0 },
};

static void
a_fit(void **state)
{
	const struct fit *row = *state;
	struct folders f = { 0 };

	(void)open_pair(state);
	fake.fault = row->fault;
	/* It is open when it is lent. */
	fake_conn.acct = &t.acct;
	serve_it();
	fake.fault = ERR_NONE;
	assert_int_equal(be->folders(&t.w.conn, t.a, &f, &t.e),
	    row->fault == ERR_NONE ? 0 : -1);
	assert_int_equal(t.e.kind, row->fault);
	assert_int_equal(close_pair(), row->fit);
}

/* A test returns no error when its login fails. */
static void
a_test_tells_of_its_login(void **state)
{
	static const char *const lines[] = { "fake.login", "fake.folders" };
	struct wired_lease l = { .be = &fake_backend,
		.acct = &t.acct,
		.tests = true };
	struct conn *none = NULL;

	for (size_t i = 0; i < 2; i++) {
		struct probes p = { 0 };
		struct wired_call call = { .verb = WIRED_PROBE, .probes = &p };
		bool fit = true;

		(void)open_pair(state);
		call.a = l.arena = t.a;
		fake.bad = lines[i];
		l.conn = &none;
		l.fd = t.other;
		t.pid = fork();
		assert_true(t.pid >= 0);
		if (t.pid == 0) {
			(void)wired_serve_one(&l, &fit, &t.e);
			_exit(fit + 1);
		}
		good(wired_call(&t.w, &call, &t.e));
		assert_int_equal(p.n, 3);
		assert_int_equal(close_pair(), i);
	}
	fake.bad = NULL;
}

/* What was sent and cannot be told is unknown. */
static void
an_answer_that_cannot_travel_is_one(void **state)
{
	(void)open_pair(state);
	fake.code = 1000;
	fake.signs = true;
	serve_it();
	fake.code = 250;
	assert_int_equal(submit(), -1);
	assert_int_equal(t.e.kind, ERR_UNKNOWN_OUTCOME);
	assert_int_equal(close_pair(), 1);
}

static void
a_message_over_its_cap_stays_here(void **state)
{
	struct str raw = S("");

	(void)open_pair(state);
	serve_it();
	assert_int_equal(be->body(&t.w.conn, t.a, S("INBOX"), &two[1],
			     FAKE_LONG - 1, &raw, &t.e),
	    -1);
	assert_int_equal(t.e.kind, ERR_INTERNAL);
	(void)close_pair();
}

int
main(void)
{
	ROWS(fits, a_fit);
#define TEST(f) rows_add(#f, f, NULL)
	TEST(reads);
	TEST(changes);
	TEST(links_come_one_by_one);
	TEST(a_wait_says_that_it_is_ready);
	TEST(a_wait_that_nobody_waits_for_ends);
	TEST(a_wait_can_be_ended);
	TEST(a_test_is_told_line_by_line);
	TEST(a_token_is_told_of);
	TEST(a_test_tells_of_its_login);
	TEST(twins_keep_the_contract);
	TEST(an_answer_that_cannot_travel_is_one);
	TEST(a_message_over_its_cap_stays_here);
	return cmocka_run_group_tests_name("backend/wired_call", rows_tests,
	    NULL, NULL);
}
