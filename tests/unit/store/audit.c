/* SPDX-License-Identifier: Apache-2.0 */
/* The audit log: asked, judged, done; listed, purged. */
#include "fixture.h"

#include "base/clock.h"
#include "store/audit.h"

static const struct store_audit row = {
	.principal = SI("agent"),
	.account = SI("work"),
	.action = SI("send"),
	.target = SI("bob@b.example"),
};

static int64_t
asked(struct fx *x, const char *account)
{
	struct store_audit r = row;
	int64_t id = 0;

	r.account = str_of(account);
	assert_ok(x, store_audit_asked(x->s, &r, &id, &x->e));
	assert_true(id > 0);
	return id;
}

static size_t
list(struct fx *x, struct store_audit_query q, struct store_audit **v)
{
	size_t n = 0;

	assert_ok(x, store_audit_list(x->s, x->a, &q, v, &n, &x->e));
	return n;
}

static struct store_audit
newest(struct fx *x)
{
	struct store_audit *v = NULL;
	size_t n;

	n = list(x, (struct store_audit_query){ .limit = 1 }, &v);
	assert_int_equal(n, 1);
	return v[0];
}

static void
only_asked(void **state)
{
	struct fx *x = *state;
	int64_t before = clock_now();
	int64_t id = asked(x, "work");
	struct store_audit r = newest(x);
	int64_t ts = 0;

	assert_int_equal(r.id, id);
	assert_int_equal(r.ts.n, 20);
	assert_true(clock_parse(r.ts, &ts));
	assert_true(ts >= before && ts <= clock_now());
	assert_str(r.principal, "agent");
	assert_str(r.account, "work");
	assert_str(r.action, "send");
	assert_str(r.target, "bob@b.example");
	assert_str(r.result, "blocked");
	assert_str(r.reason, "interrupted");
	assert_int_equal(r.outcome.n, 0);
}

static void
went_well(void **state)
{
	struct fx *x = *state;
	int64_t id = asked(x, "work");
	struct store_audit r;

	assert_ok(x, store_audit_judged(x->s, id, true, S(""), &x->e));
	r = newest(x);
	assert_str(r.result, "allowed");
	assert_str(r.reason, "");
	assert_str(r.outcome, "");
	assert_ok(x, store_audit_done(x->s, id, S(""), S("ok"), S(""), &x->e));
	r = newest(x);
	assert_str(r.result, "allowed");
	assert_str(r.outcome, "ok");
	assert_str(r.detail, "");
}

static void
refused(void **state)
{
	struct fx *x = *state;
	int64_t id = asked(x, "work");
	struct store_audit r;

	assert_ok(x, store_audit_judged(x->s, id, false, S("ro_mode"), &x->e));
	assert_ok(x,
	    store_audit_done(x->s, id, S(""), S("policy"), S("detail of it"),
		&x->e));
	r = newest(x);
	assert_str(r.result, "blocked");
	assert_str(r.reason, "ro_mode");
	assert_str(r.outcome, "policy");
	assert_str(r.detail, "detail of it");
}

static void
filtered(void **state)
{
	struct fx *x = *state;
	int64_t id = asked(x, "work");
	struct store_audit r;

	assert_ok(x, store_audit_judged(x->s, id, true, S(""), &x->e));
	assert_ok(x,
	    store_audit_done(x->s, id, S("filtered"), S("not_found"), S(""),
		&x->e));
	r = newest(x);
	assert_str(r.result, "blocked");
	assert_str(r.reason, "filtered");
}

static void
never_judged(void **state)
{
	struct fx *x = *state;
	int64_t id = asked(x, "work");
	struct store_audit r;

	assert_ok(x,
	    store_audit_done(x->s, id, S("usage"), S("usage"), S(""), &x->e));
	r = newest(x);
	assert_str(r.result, "blocked");
	assert_str(r.reason, "usage");
}

static void
order(void **state)
{
	struct fx *x = *state;
	int64_t id = asked(x, "work");

	assert_err(x, store_audit_judged(x->s, id + 1, true, S(""), &x->e),
	    ERR_DB);
	assert_ok(x, store_audit_judged(x->s, id, true, S(""), &x->e));
	assert_err(x, store_audit_judged(x->s, id, true, S(""), &x->e), ERR_DB);
	assert_ok(x, store_audit_done(x->s, id, S(""), S("ok"), S(""), &x->e));
	assert_err(x, store_audit_done(x->s, id, S(""), S("ok"), S(""), &x->e),
	    ERR_DB);
}

static void
listed(void **state)
{
	struct fx *x = *state;
	struct store_audit *v = NULL;
	int64_t last = 0;
	size_t n;

	for (int i = 0; i < 40; i++)
		last = asked(x, i % 2 == 0 ? "even" : "odd");
	n = list(x, (struct store_audit_query){ .limit = 100 }, &v);
	assert_int_equal(n, 40);
	assert_int_equal(v[0].id, last);
	assert_true(v[1].id < v[0].id);
	n = list(x,
	    (struct store_audit_query){ .account = S("even"), .limit = 7 }, &v);
	assert_int_equal(n, 7);
	assert_str(v[6].account, "even");
	n = list(x,
	    (struct store_audit_query){ .account = S("none"), .limit = 7 }, &v);
	assert_int_equal(n, 0);
}

/* Two rows that differ in every column that can be queried. */
static void
asked_for(void **state)
{
	static const struct {
		struct store_audit_query q;
		size_t want;
	} rows[] = {
		{ { .limit = 9 }, 2 },
		{ { .principal = SI("operator"), .limit = 9 }, 1 },
		{ { .principal = SI("oper"), .limit = 9 }, 0 },
		{ { .action = SI("account.add"), .limit = 9 }, 1 },
		{ { .result = SI("blocked"), .limit = 9 }, 1 },
		{ { .result = SI("allowed"), .limit = 9 }, 1 },
		{ { .since = SI("2026-01-01T00:00:00Z"), .limit = 9 }, 2 },
		{ { .since = SI("2026-01-01T00:00:01Z"), .limit = 9 }, 1 },
		{ { .before = SI("2026-01-01T00:00:00Z"), .limit = 9 }, 0 },
		{ { .before = SI("2026-01-01T00:00:01Z"), .limit = 9 }, 1 },
		{ { .account = SI("work"),
		      .principal = SI("operator"),
		      .action = SI("account.add"),
		      .result = SI("allowed"),
		      .since = SI("2026-02-01T00:00:00Z"),
		      .before = SI("2026-02-01T00:00:01Z"),
		      .limit = 9 },
		    1 },
		{ { .account = SI("work"), .action = SI("list"), .limit = 9 },
		    0 },
	};
	struct fx *x = *state;
	struct store_audit *v;

	(void)asked(x, "home");
	(void)asked(x, "work");
	fx_sql(x,
	    "UPDATE audit_log SET ts = '2026-01-01T00:00:00Z'"
	    " WHERE account = 'home';"
	    "UPDATE audit_log SET ts = '2026-02-01T00:00:00Z',"
	    " principal = 'operator', action = 'account.add',"
	    " result = 'allowed' WHERE account = 'work'");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(list(x, rows[i].q, &v), rows[i].want);
}

static int64_t
rows(struct fx *x)
{
	return fx_number(x, "SELECT count(*) FROM audit_log");
}

/* One row 91 days old, one 89, one of now. */
static void
aged(struct fx *x)
{
	for (int i = 0; i < 3; i++)
		(void)asked(x, "work");
	fx_sql(x,
	    "UPDATE audit_log SET ts ="
	    " strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-91 days')"
	    " WHERE id = 1;"
	    "UPDATE audit_log SET ts ="
	    " strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-89 days')"
	    " WHERE id = 2");
}

/* Opening only reads; a command, which tidies up after opening, purges. */
static void
purged_by_a_command(void **state)
{
	struct fx *x = *state;
	struct store *s;

	FX_FILE();
	aged(x);
	s = fx_open(x, STORE_AGENT);
	store_close(&s);
	assert_int_equal(rows(x), 3);
	assert_ok(x, store_enter(x->path, STORE_AGENT, &x->keys, &s, &x->e));
	store_close(&s);
	assert_int_equal(rows(x), 2);
	assert_int_equal(fx_number(x, "SELECT min(id) FROM audit_log"), 2);
}

static void
purge_to_the_second(void **state)
{
	struct fx *x = *state;
	int64_t ts = 0;

	(void)asked(x, "work");
	(void)asked(x, "work");
	fx_sql(x,
	    "UPDATE audit_log SET ts = '2020-01-01T00:00:00Z' WHERE id = 1");
	assert_true(clock_parse(newest(x).ts, &ts));
	assert_ok(x, store_audit_purge(x->s, ts + 90LL * 86400, &x->e));
	assert_int_equal(rows(x), 1);
	assert_ok(x, store_audit_purge(x->s, ts + 90LL * 86400 + 1, &x->e));
	assert_int_equal(rows(x), 0);
}

static void
kept(void **state)
{
	static const char *const keep[] = { "0", "91000", "soon", "-1", "" };
	struct fx *x = *state;

	FX_FILE();
	aged(x);
	for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); i++) {
		assert_ok(x,
		    store_setting_set(x->s, S("audit_retention_days"),
			str_of(keep[i]), &x->e));
		assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
		assert_int_equal(rows(x), 3);
	}
	assert_ok(x,
	    store_setting_set(x->s, S("audit_retention_days"), S("1"), &x->e));
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	assert_int_equal(rows(x), 1);
}

/* Found by the index, for any size of the log. */
static void
cheap(void **state)
{
	struct fx *x = *state;

	FX_FILE();
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM sqlite_master WHERE"
			     " type = 'index' AND name = 'audit_log_ts'"),
	    1);
}

/* A row of that long ago, in that state. */
#define OUTBOX(state)                                                          \
	"INSERT INTO outbox (id, account_id, principal, request, message_id,"  \
	" sender, bytes, digest, policy, state, created_s, changed_s)"         \
	" SELECT 1, id, '', '', '', '', 0, '', '', '" state "', 0, 0"          \
	" FROM accounts"
#define JOURNAL(state)                                                         \
	"INSERT INTO journal (id, account_id, principal, audit_id, kind,"      \
	" folder, uidvalidity, target, flags_set, flags_clear, labels_add,"    \
	" labels_drop, state, messages, created_s, changed_s)"                 \
	" SELECT 1, id, '', 0, 'mark', '', 0, '', 0, 0, '', '', '" state "',"  \
	" 0, 0, 0 FROM accounts"

/* Whatever else is not old. */
static void
tidied(void **state)
{
	static const struct {
		const char *add, *count;
		int64_t stay;
	} olds[] = {
		{ OUTBOX("sent"), "SELECT count(*) FROM outbox", 0 },
		{ OUTBOX("held"), "SELECT count(*) FROM outbox", 1 },
		{ JOURNAL("done"), "SELECT count(*) FROM journal", 0 },
		{ JOURNAL("begun"), "SELECT count(*) FROM journal", 1 },
		{ "UPDATE audit_log SET ts = '2020-01-01T00:00:00Z'",
		    "SELECT count(*) FROM audit_log", 0 },
	};
	struct fx *x = *state;

	(void)fx_account(x, "work");
	(void)asked(x, "work");
	for (size_t i = 0; i < sizeof(olds) / sizeof(olds[0]); i++) {
		fx_sql(x, "DELETE FROM outbox; DELETE FROM journal");
		assert_ok(x, store_tidy(x->s, &x->e));
		assert_int_equal(rows(x), 1);
		fx_sql(x, olds[i].add);
		assert_int_equal(fx_number(x, olds[i].count), 1);
		assert_ok(x, store_tidy(x->s, &x->e));
		assert_int_equal(fx_number(x, olds[i].count), olds[i].stay);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a row that was only asked reads as blocked", only_asked),
		TEST("a row goes from asked to judged to done", went_well),
		TEST("a refusal names its rule", refused),
		TEST("an allowed run may end blocked", filtered),
		TEST("a call that never was judged stays blocked",
		    never_judged),
		TEST("marks come in order and once", order),
		TEST("rows are listed newest first, by account", listed),
		TEST("rows can be asked for by all they say", asked_for),
		TEST("a command purges what is too old", purged_by_a_command),
		TEST("anything that is old is purged", tidied),
		TEST("retention counts to the second", purge_to_the_second),
		TEST("no days, or no number, keeps all", kept),
		TEST("purging has an index", cheap),
	};

	return cmocka_run_group_tests_name("store/audit", tests, NULL, NULL);
}
