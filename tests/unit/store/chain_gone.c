/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chain that is taken away with more or less of what tells of it, by somebody
 * without a key: by `audit verify`, and by the check before the next signature.
 */
#include "chained.h"

/* A link that fits to itself, and to nothing else. */
static void
forged(struct fx *x, int64_t seq, int64_t audit_id)
{
	char hex[CHAIN_HEX];
	struct chain_link l = { .seq = seq,
		.audit_id = audit_id,
		.mark = S("done"),
		.row = { chain_zeros, CHAIN_HEX },
		.prev = { chain_zeros, CHAIN_HEX } };
	struct buf b;

	buf_init(&b, x->a, CHAIN_BYTES);
	chain_link_hash(&b, &l, hex);
	fx_sql(x,
	    str_fmt(x->a,
		"INSERT INTO audit_link (seq, audit_id, mark, row, prev, hash)"
		" VALUES (%lld, %lld, 'done', '%s', '%s', '%.*s')",
		(long long)seq, (long long)audit_id, chain_zeros, chain_zeros,
		CHAIN_HEX, hex)
		.p);
	if (!fx_is_file() || seq < CHAIN_RANGE)
		return;
	/* SQLite counts it in the first chain. */
	fx_sql(x,
	    str_fmt(x->a,
		"UPDATE sqlite_sequence SET seq = %lld"
		" WHERE name = 'audit_link.2';"
		"UPDATE sqlite_sequence SET seq = (SELECT max(seq)"
		" FROM audit_link WHERE seq < " CHAIN_RANGE_SQL ")"
		" WHERE name = 'audit_link'",
		(long long)seq)
		.p);
}

#define ROWS "DELETE FROM audit_log WHERE id / 1000000000000 = 2"
#define LINKS "DELETE FROM audit_link WHERE seq / 1000000000000 = 2"
#define COUNTED "DELETE FROM NUMBERS WHERE name LIKE 'audit_l%.2'"
#define COUNTED_ROWS "DELETE FROM NUMBERS WHERE name = 'audit_log.2'"

static const struct gone {
	const char *name;
	bool not_signed, anchored;
	const char *sql[5];
	int64_t seq, id; /* of a link that is put there; 0: none */
	bool late;       /* only verify has to find it */
} gone[] = {
	{ "its rows, but for the last link",
	    .sql = { ROWS, LINKS " AND seq < 2000000000009", COUNTED_ROWS } },
	{ "its rows and links, for one link of no row",
	    .sql = { ROWS, LINKS, COUNTED_ROWS }, .seq = 2000000000010,
	    .id = 2000000000000 },
	{ "the same of the first chain",
	    .sql = { "DELETE FROM audit_log WHERE id < 1000000000000",
		"DELETE FROM audit_link WHERE seq < 1000000000000",
		"UPDATE NUMBERS SET seq = 0 WHERE name = 'audit_log'" },
	    .seq = 10 },
	{ "the same of one that others name", .anchored = true,
	    .sql = { ROWS, LINKS, COUNTED_ROWS }, .seq = 2000000000010,
	    .id = 2000000000000 },
	{ "of one that others name, and nobody signed", .not_signed = true,
	    .anchored = true, .sql = { ROWS, LINKS, COUNTED_ROWS },
	    .seq = 2000000000010, .id = 2000000000000, .late = true },
	{ "all of it, and what counts it", .sql = { ROWS, LINKS, COUNTED } },
	{ "and its signature",
	    .sql = { ROWS, LINKS, COUNTED,
		"DELETE FROM audit_checkpoint"
		" WHERE seq / 1000000000000 = 2" } },
	{ "the first chain's end with its signature",
	    .sql = { "DELETE FROM audit_log WHERE id BETWEEN 2 AND 3",
		"DELETE FROM audit_link WHERE audit_id BETWEEN 2 AND 3",
		"UPDATE NUMBERS SET seq = 1 WHERE name = 'audit_log'",
		"UPDATE NUMBERS SET seq = 3 WHERE name = 'audit_link'",
		"DELETE FROM audit_checkpoint WHERE n = 2" } },
};

static void
gone_is_found(struct fx *x, const struct gone *g)
{
	struct store_chain c;

	three(x, 3);
	if (g->anchored)
		(void)anchored(x, 0);
	if (!g->not_signed)
		signed_now(x);
	assert_true(verified(x).whole);
	for (size_t i = 0; i < 5 && g->sql[i] != NULL; i++)
		fx_sql(x, of_kind(x, g->sql[i]));
	if (g->seq > 0)
		forged(x, g->seq, g->id);
	if (verified(x).whole)
		fail_msg("%s: verify finds nothing", g->name);
	assert_ok(x, store_chain_sign(x->s, &c, &x->e));
	if (c.whole && !g->late)
		fail_msg("%s: it is signed", g->name);
}

static void
each_is_found(void **state)
{
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
		assert_int_equal(fx_setup(state), 0);
		gone_is_found(*state, &gone[i]);
		(void)fx_teardown(state);
	}
	*state = NULL;
}

/* The log was made in the second of its first signature. */
static void
in_the_first_second(void **state)
{
	struct fx *x = *state;
	struct store_chain c;

	three(x, 3);
	signed_now(x);
	first_signed(x, 0);
	fx_sql(x,
	    "DELETE FROM audit_log WHERE id IN (2000000000001, 2000000000002);"
	    "DELETE FROM audit_link WHERE seq BETWEEN 2000000000001"
	    " AND 2000000000006");
	c = verified(x);
	assert_false(c.whole);
	assert_str(c.why, "rows were purged before their time");
}

/* "2000000000003 0a1b...": as it is, or with zeros if there is none. */
static struct str
entry(struct fx *x, int64_t seq)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str hash = { chain_zeros, CHAIN_HEX };

	assert_ok(x,
	    stmt_ask(x->s, &x->e, "SELECT hash FROM audit_link WHERE seq = ?1",
		&st, V(seq)));
	if (stmt_step(x->s, st, &x->e) == 1)
		hash = stmt_column(st, 0, x->a);
	return str_fmt(x->a, "%lld %.*s", (long long)seq, STR_ARG(hash));
}

/* What verify says of a call that looks like an anchor. */
static struct store_chain
pretended(struct fx *x, struct str target, int64_t *id)
{
	const struct store_audit row = { .principal = S("operator"),
		.action = S("audit.anchor"),
		.target = target };

	assert_ok(x, store_audit_asked(x->s, &row, id, &x->e));
	return verified(x);
}

/* Whoever can write rows could have the operator wait for their check. */
static void
no_anchor_names_more_than_there_is(void **state)
{
	static const struct {
		int64_t seq[2];
		bool whole;
	} rows[] = {
		{ { 2000000000003, 5000000000003 }, true },
		{ { 2000000000003, 2000000000003 }, false },
		{ { 5000000000003, 2000000000003 }, false },
		{ { 3, 5000000000003 }, false }, /* its own chain */
		/* No link has that number. */
		{ { 2000000000000, 5000000000003 }, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct store_chain c;
		int64_t id = 0;
		struct str one;
		struct fx *x;

		assert_int_equal(fx_setup(state), 0);
		x = *state;
		three(x, 1);
		one = entry(x, rows[i].seq[0]);
		c = pretended(x,
		    str_fmt(x->a, "%.*s, %.*s", STR_ARG(one),
			STR_ARG(entry(x, rows[i].seq[1]))),
		    &id);
		if (c.whole != rows[i].whole || (!c.whole && c.broken_id != id))
			fail_msg("%zu: %d, row %lld: %.*s", i, c.whole,
			    (long long)c.broken_id, STR_ARG(c.why));
		(void)fx_teardown(state);
	}
	*state = NULL;
}

/* In one chain the newest is the last, whatever the clock says. */
static void
the_newest_is_listed(void **state)
{
	struct fx *x = *state;
	const struct store_audit_query q = { .limit = 1 };
	struct store_audit *v = NULL;
	size_t n = 0;
	int64_t id;

	(void)done(x, 0);
	id = done_ago(x, 0, 30);
	assert_ok(x, store_audit_list(x->s, x->a, &q, &v, &n, &x->e));
	assert_int_equal(n, 1);
	assert_int_equal(v[0].id, id);
	(void)done_ago(x, 2, 60);
	id = done(x, 0);
	(void)done_ago(x, 5, 60);
	assert_ok(x, store_audit_list(x->s, x->a, &q, &v, &n, &x->e));
	assert_int_equal(v[0].id, id);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_found),
		TEST("in the first second", in_the_first_second),
		cmocka_unit_test(no_anchor_names_more_than_there_is),
		TEST("the newest is listed", the_newest_is_listed),
	};

	return cmocka_run_group_tests_name("store/chain_gone", tests, NULL,
	    NULL);
}
