/* SPDX-License-Identifier: Apache-2.0 */
/* Several chains of the audit log, each checked, signed and purged by itself.
 */
#include "chained.h"

#include "store/opening.h"

static int64_t
points(struct fx *x)
{
	return fx_number(x, "SELECT count(*) FROM audit_checkpoint");
}

static void
each_is_signed(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	three(x, 2);
	c = verified(x);
	if (!c.whole)
		fail_msg("row %lld: %.*s", (long long)c.broken_id,
		    STR_ARG(c.why));
	assert_int_equal(c.rows, 6);
	assert_int_equal(c.links, 18);
	assert_int_equal(c.unsigned_n, 6);
	assert_int_equal(c.first, 1);
	assert_int_equal(c.last, 5000000000002);
	signed_now(x);
	assert_int_equal(points(x), 4);
	signed_now(x);
	assert_int_equal(points(x), 4);
	c = verified(x);
	assert_true(c.whole);
	assert_int_equal(c.unsigned_n, 0);
	(void)done(x, 2);
	assert_int_equal(verified(x).unsigned_n, 1);
	signed_now(x);
	assert_int_equal(points(x), 5);
	assert_int_equal(check_numbers(x->s, &x->e), 1);
}

/* In chain 2, of which everything is signed but the last call. */
static const struct tampering {
	const char *name, *sql;
	int64_t row; /* 0: not a row */
	const char *why;
} tamperings[] = {
	{ "a row is changed",
	    "UPDATE audit_log SET action = 'get' WHERE id = 2000000000002",
	    2000000000002, "the row or one of its links was changed" },
	{ "a row is inserted",
	    "INSERT INTO audit_log (id, ts, principal, action, result, state)"
	    " VALUES (2000000000009, '2026-01-01T00:00:00Z', 'a', 'list',"
	    " 'blocked', 'asked')",
	    0, "" }, /* it depends on how the database counts */
	{ "a row is removed", "DELETE FROM audit_log WHERE id = 2000000000002",
	    2000000000002, "the row is missing" },
	{ "a link is removed",
	    "DELETE FROM audit_link WHERE seq = 2000000000005", 2000000000002,
	    "the row or one of its links was changed" },
	{ "a link is another chain's",
	    "UPDATE audit_link SET audit_id = 1 WHERE seq = 2000000000005", 1,
	    "the row or one of its links was changed" },
	{ "the end is cut off",
	    "DELETE FROM audit_log WHERE id = 2000000000003;"
	    "DELETE FROM audit_link WHERE seq > 2000000000006",
	    2000000000003, "rows or links were cut off at the end" },
	{ "the chain is removed",
	    "DELETE FROM audit_log WHERE id / 1000000000000 = 2;"
	    "DELETE FROM audit_link WHERE seq / 1000000000000 = 2",
	    2000000000001, "rows or links were cut off at the end" },
	{ "the chain is removed with its counters",
	    "DELETE FROM audit_log WHERE id / 1000000000000 = 2;"
	    "DELETE FROM audit_link WHERE seq / 1000000000000 = 2;"
	    "DELETE FROM NUMBERS WHERE name LIKE 'audit_l%.2'",
	    2000000000002, "rows or links were cut off at the end" },
	{ "a signature of the chain is removed",
	    "DELETE FROM audit_checkpoint WHERE seq / 1000000000000 = 2", 0,
	    "a signature is missing" },
	{ "a signature of the chain is changed",
	    "UPDATE audit_checkpoint SET days = 7"
	    " WHERE seq / 1000000000000 = 2",
	    2000000000002, "a signature was changed" },
};

static void
tampered(void **state)
{
	for (size_t i = 0; i < sizeof(tamperings) / sizeof(tamperings[0]);
	     i++) {
		const struct tampering *t = &tamperings[i];
		struct store_chain c;
		struct fx *x;

		assert_int_equal(fx_setup(state), 0);
		x = *state;
		three(x, 2);
		signed_now(x);
		(void)done(x, 2);
		assert_true(verified(x).whole);
		fx_sql(x, of_kind(x, t->sql));
		c = verified(x);
		if (c.whole ||
		    (t->why[0] != '\0' && !str_eq(c.why, str_of(t->why))) ||
		    (t->row > 0 && c.broken_id != t->row))
			fail_msg("%s: whole %d, row %lld: %.*s", t->name,
			    c.whole, (long long)c.broken_id, STR_ARG(c.why));
		(void)fx_teardown(state);
	}
	*state = NULL;
}

static void
anchors_miss_a_chain(void **state)
{
	static const struct {
		const char *sql, *why;
	} rows[] = {
		{ "DELETE FROM audit_log WHERE id / 1000000000000 = 2;"
		  "DELETE FROM audit_link WHERE seq / 1000000000000 = 2;"
		  "DELETE FROM NUMBERS WHERE name LIKE 'audit_l%.2'",
		    "a link of another chain that the row names is missing" },
		{ "UPDATE audit_link SET hash = '" /* of another */
		  "00000000000000000000000000000000000000000000000000000000"
		  "00000000' WHERE seq = 2000000000006",
		    "a link of another chain that the row names was changed" },
		{ "UPDATE audit_log SET target = replace(target, '2000000',"
		  " '2000001') WHERE action = 'audit.anchor'",
		    "the row or one of its links was changed" },
		{ "DELETE FROM audit_log WHERE action = 'audit.anchor'",
		    "the row is missing" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_chain c;
		int64_t anchor;
		struct fx *x;

		assert_int_equal(fx_setup(state), 0);
		x = *state;
		three(x, 2);
		anchor = anchored(x, 0);
		assert_int_equal(anchor, 3);
		assert_true(verified(x).whole);
		fx_sql(x, of_kind(x, rows[i].sql));
		c = verified(x);
		if (c.whole || !str_eq(c.why, str_of(rows[i].why)) ||
		    c.broken_id != anchor)
			fail_msg("%zu: whole %d, row %lld: %.*s", i, c.whole,
			    (long long)c.broken_id, STR_ARG(c.why));
		(void)fx_teardown(state);
	}
	*state = NULL;
}

static void
one_chain_has_none(void **state)
{
	struct fx *x = *state;

	(void)done(x, 0);
	assert_int_equal(anchored(x, 0), 0);
	/* Not its turn. */
	(void)done(x, 2);
	{
		CLEANUP(tx_done) struct tx t = { 0 };

		assert_ok(x, tx_begin(x->s, &t, &x->e));
		assert_ok(x, chain_anchor(x->s, CHAIN_ANCHOR + 1, &x->e));
		assert_ok(x, tx_commit(&t, &x->e));
	}
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"), 2);
	assert_int_equal(anchored(x, 0), 2);
}

/* -- purging, exporting -----------------------------------------------------
 */

static void
each_is_purged(void **state)
{
	struct fx *x = *state;

	for (int i = 0; i < 2; i++)
		(void)done_ago(x, 0, 100);
	for (int i = 0; i < 3; i++)
		(void)done_ago(x, 2, 100);
	(void)done_ago(x, 5, 100);
	(void)done_ago(x, 7, 100);
	(void)done(x, 2);
	(void)done(x, 5);
	assert_int_equal(anchored(x, 0), 3);
	first_signed(x, 200);
	assert_ok(x, store_audit_purge(x->s, clock_now(), &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"), 3);
	/* The newest link of chain 7 stays. */
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_link"),
	    3 + 3 + 3 + 1);
	assert_int_equal(fx_number(x, "SELECT min(seq) FROM audit_link"), 7);
	assert_int_equal(fx_number(x, "SELECT max(seq) FROM audit_link"),
	    7000000000003);
	{
		struct store_chain c = verified(x);

		if (!c.whole)
			fail_msg("row %lld: %.*s", (long long)c.broken_id,
			    STR_ARG(c.why));
	}
	signed_now(x);
	assert_true(verified(x).whole);
	(void)done(x, 0);
	(void)done(x, 2);
	assert_true(verified(x).whole);
	signed_now(x);
}

/* Of a chain that was never signed, too. */
static void
purged_too_early_unsigned(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	(void)done(x, 2);
	(void)done(x, 2);
	fx_sql(x,
	    "DELETE FROM audit_log WHERE id = 2000000000001;"
	    "DELETE FROM audit_link WHERE audit_id = 2000000000001");
	c = verified(x);
	assert_false(c.whole);
	assert_str(c.why, "rows were purged before their time");
	assert_int_equal(c.broken_id, 2000000000001);
}

/* A chain's beginning that was not old enough. */
static void
purged_too_early(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	three(x, 1);
	signed_now(x);
	three(x, 2);
	fx_sql(x,
	    "DELETE FROM audit_log WHERE id IN (2000000000001, 2000000000002);"
	    "DELETE FROM audit_link WHERE seq BETWEEN 2000000000001"
	    " AND 2000000000006");
	c = verified(x);
	assert_false(c.whole);
	assert_str(c.why, "rows were purged before their time");
	assert_int_equal(c.broken_id, 2000000000002);
}

struct told {
	int rows, links, points;
	int64_t seq;
};

static int
tell(void *ctx, const char *kind, const struct store_cell *v, size_t n,
    struct err *e)
{
	struct told *t = ctx;

	(void)n;
	(void)e;
	if (strcmp(kind, "row") == 0) {
		t->rows++;
	} else if (strcmp(kind, "link") == 0) {
		t->links++;
		if (v[0].n <= t->seq)
			fail_msg("%lld after %lld", (long long)v[0].n,
			    (long long)t->seq);
		t->seq = v[0].n;
	} else {
		t->points++;
	}
	return 0;
}

static void
each_is_exported(void **state)
{
	struct fx *x = *state;
	struct told t = { 0 };
	const struct store_export all = { .put = tell, .ctx = &t };
	const struct store_export recent = {
		.put = tell,
		.ctx = &t,
		.since = clock_rfc3339(x->a, clock_now() - 86400),
	};

	(void)done_ago(x, 0, 10);
	(void)done_ago(x, 2, 10);
	(void)done(x, 2);
	signed_now(x);
	assert_ok(x, store_chain_export(x->s, &all, &x->e));
	assert_int_equal(t.rows, 3);
	assert_int_equal(t.links, 9);
	assert_int_equal(t.points, 3);
	t = (struct told){ 0 };
	assert_ok(x, store_chain_export(x->s, &recent, &x->e));
	assert_int_equal(t.rows, 1);
	assert_int_equal(t.links, 3);
	assert_int_equal(t.points, 1);
}

/* A file goes on with its first chain, whatever came from a server. */
static void
a_file_adds_to_the_first(void **state)
{
	struct fx *x = *state;
	struct store_audit row = { .principal = S("agent"),
		.action = S("list") };
	int64_t id = 0;

	FX_FILE();
	three(x, 1);
	assert_ok(x, store_audit_asked(x->s, &row, &id, &x->e));
	assert_int_equal(id, 2);
	assert_true(verified(x).whole);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("each chain is checked and signed", each_is_signed),
		cmocka_unit_test(tampered),
		cmocka_unit_test(anchors_miss_a_chain),
		TEST("one chain has no anchors", one_chain_has_none),
		TEST("each chain is purged", each_is_purged),
		TEST("a chain that is purged too early", purged_too_early),
		TEST("and one that was never signed",
		    purged_too_early_unsigned),
		TEST("each chain is exported", each_is_exported),
		TEST("a file adds to its first chain",
		    a_file_adds_to_the_first),
	};

	return cmocka_run_group_tests_name("store/chains", tests, NULL, NULL);
}
