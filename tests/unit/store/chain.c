/* SPDX-License-Identifier: Apache-2.0 */
/* The chain: signed as it grows, and purged by age, not sooner. */
#include "fixture.h"

#include "base/clock.h"
#include "store/audit.h"
#include "store/chain.h"

static int64_t
done(struct fx *x)
{
	struct store_audit row = { .principal = S("agent"),
		.action = S("list") };
	int64_t id = 0;

	assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
	assert_ok(x, store_audit_judged(x->s, id, true, S(""), &x->e));
	assert_ok(x, store_audit_done(x->s, id, S(""), S("ok"), S(""), &x->e));
	return id;
}

static struct store_chain
verified(struct fx *x)
{
	struct store_chain c;

	assert_ok(x, store_chain_verify(x->s, x->a, &c, &x->e));
	return c;
}

static struct store_chain
signed_now(struct fx *x)
{
	struct store_chain c;

	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	return c;
}

static int64_t
points(struct fx *x)
{
	return fx_number(x, "SELECT count(*) FROM audit_checkpoint");
}

/* The first signature is made again with another time, with our own key. */
static void
first_signed(struct fx *x, int days_ago)
{
	struct chain_point p = {
		.n = 1,
		.hash = { chain_zeros, CHAIN_HEX },
		.ts =
		    clock_rfc3339(x->a, clock_now() - days_ago * 86400LL - 60),
		.days = 90,
	};
	char mac[CHAIN_HEX];

	assert_ok(x, chain_sign_mac(x->s->audit_key, &p, mac, &x->e));
	fx_sql(x,
	    str_fmt(x->a,
		"UPDATE audit_checkpoint SET ts = '%.*s', mac = '%.*s'"
		" WHERE n = 1",
		STR_ARG(p.ts), CHAIN_HEX, mac)
		.p);
}

/* Rows as written that long ago, with their links. */
static void
rows_of(struct fx *x, int days_ago, int n)
{
	for (int i = 0; i < n; i++) {
		int64_t id = done(x);
		CLEANUP(tx_done) struct tx t = { 0 };

		fx_sql(x,
		    str_fmt(x->a,
			"DELETE FROM audit_link WHERE audit_id = %lld;"
			"UPDATE sqlite_sequence SET seq = (SELECT"
			" coalesce(max(seq), 0) FROM audit_link)"
			" WHERE name = 'audit_link';"
			"UPDATE audit_log SET ts = '%.*s', state = 'asked',"
			" result = 'blocked', reason = 'interrupted',"
			" outcome = NULL WHERE id = %lld",
			(long long)id,
			STR_ARG(clock_rfc3339(x->a,
			    clock_now() - days_ago * 86400LL)),
			(long long)id)
			.p);
		assert_ok(x, tx_begin(x->s, &t, &x->e));
		assert_ok(x, chain_add(x->s, id, NULL, NULL, &x->e));
		assert_ok(x, tx_commit(&t, &x->e));
	}
}

static void
grows(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	/* A new store's log is signed while it is empty. */
	assert_int_equal(points(x), 1);
	assert_true(signed_now(x).whole);
	assert_int_equal(points(x), 1);
	for (int i = 0; i < 5; i++)
		(void)done(x);
	c = verified(x);
	assert_true(c.whole);
	assert_int_equal(c.rows, 5);
	assert_int_equal(c.links, 15);
	assert_int_equal(c.unsigned_n, 5);
	for (int i = 0; i < 3; i++) {
		assert_true(signed_now(x).whole);
		assert_int_equal(points(x), 2);
	}
	c = verified(x);
	assert_true(c.whole);
	assert_int_equal(c.unsigned_n, 0);
	assert_int_equal(c.signatures, 2);
}

static void
agents_sign_nothing(void **state)
{
	struct fx *x = *state;
	struct store *s = fx_open(x, STORE_AGENT);
	struct store_chain c;

	assert_err(x, store_chain_sign(s, &c, &x->e), ERR_CONFIG);
	assert_err(x, store_chain_verify(s, x->a, &c, &x->e), ERR_CONFIG);
	store_close(&s);
}

static void
only_what_is_new_is_looked_at(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	(void)done(x);
	assert_true(signed_now(x).whole);
	(void)done(x);
	fx_sql(x, "UPDATE audit_log SET action = 'get' WHERE id = 1");
	assert_true(signed_now(x).whole);
	c = verified(x);
	assert_false(c.whole);
	assert_int_equal(c.broken_id, 1);
	fx_sql(x, "UPDATE audit_log SET action = 'list' WHERE id = 1");
	assert_true(verified(x).whole);
	(void)done(x);
	fx_sql(x, "UPDATE audit_log SET action = 'get' WHERE id = 3");
	c = signed_now(x);
	assert_false(c.whole);
	assert_int_equal(c.broken_id, 3);
	assert_int_equal(points(x), 3);
}

static void
purged_in_time(void **state)
{
	static const struct {
		int signed_ago;
		bool whole;
	} rows[] = { { 200, true }, { 91, true }, { 89, false }, { 0, false } };
	struct fx *x = *state;

	rows_of(x, 100, 3);
	(void)done(x);
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	assert_int_equal(fx_number(x, "SELECT min(id) FROM audit_log"), 4);
	assert_int_equal(fx_number(x, "SELECT min(audit_id) FROM audit_link"),
	    4);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		first_signed(x, rows[i].signed_ago);
		assert_int_equal(verified(x).whole, rows[i].whole);
	}
	/* It continues. */
	first_signed(x, 200);
	assert_true(signed_now(x).whole);
	(void)done(x);
	assert_true(signed_now(x).whole);
	assert_true(verified(x).whole);
}

static void
all_purged(void **state)
{
	struct fx *x = *state;

	first_signed(x, 200);
	rows_of(x, 100, 3);
	assert_true(signed_now(x).whole);
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"), 0);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_link"), 1);
	assert_true(verified(x).whole);
	(void)done(x);
	assert_true(verified(x).whole);
	assert_true(signed_now(x).whole);
	assert_true(verified(x).whole);
}

/* A row after one that stays is not purged: the clock was set back. */
static void
no_holes(void **state)
{
	struct fx *x = *state;

	(void)done(x);
	rows_of(x, 100, 2);
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"), 3);
	assert_true(verified(x).whole);
}

static void
kept_for_less(void **state)
{
	struct fx *x = *state;

	first_signed(x, 50);
	rows_of(x, 40, 2);
	(void)done(x);
	assert_ok(x,
	    store_setting_set(x->s, S("audit_retention_days"), S("30"), &x->e));
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"), 1);
	assert_true(verified(x).whole);
	/* A longer period again: the earlier purge was right. */
	assert_ok(x,
	    store_setting_set(x->s, S("audit_retention_days"), S("90"), &x->e));
	assert_true(verified(x).whole);
}

static void
one_change_and_its_undoing(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	first_signed(x, 50);
	rows_of(x, 40, 2);
	(void)done(x);
	/* A change by somebody else, and its reversal. */
	fx_sql(x,
	    "UPDATE settings SET value = '30'"
	    " WHERE key = 'audit_retention_days'");
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	fx_sql(x,
	    "UPDATE settings SET value = '90'"
	    " WHERE key = 'audit_retention_days'");
	c = verified(x);
	assert_false(c.whole);
	assert_int_equal(c.broken_id, 1);
	assert_str(c.why, "rows were purged before their time");
}

static void
text_is_made_utf8(void **state)
{
	struct fx *x = *state;
	struct store_audit row = { .principal = S("agent"),
		.action = S("list"),
		.target = S("a\xff\xfe"
			    "b") };
	int64_t id = 0;

	FX_FILE();
	assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
	assert_int_equal(fx_number(x,
			     "SELECT target = 'a' || char(65533, 65533) || 'b'"
			     " FROM audit_log"),
	    1);
	assert_true(verified(x).whole);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("it grows and is signed", grows),
		TEST("agents sign and verify nothing", agents_sign_nothing),
		TEST("signing looks at what is new",
		    only_what_is_new_is_looked_at),
		TEST("rows are purged when they are old", purged_in_time),
		TEST("all rows may be purged", all_purged),
		TEST("a purge leaves no holes", no_holes),
		TEST("the operator may keep rows for less", kept_for_less),
		TEST("nobody else may, not even for a moment",
		    one_change_and_its_undoing),
		TEST("what is no UTF-8 is replaced", text_is_made_utf8),
	};

	return cmocka_run_group_tests_name("store/chain", tests, NULL, NULL);
}
