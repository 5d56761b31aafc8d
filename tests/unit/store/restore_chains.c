/* SPDX-License-Identifier: Apache-2.0 */
/* A file whose audit log has several chains, from a server, is restored. */
#include "chained.h"
#include "restored.h"

/* Of the numbers of SQLite, chain 0's are what it counts. */
static void
its_log_stays(void **state)
{
	struct run r = { .x = *state };
	struct fx *x = r.x;
	int64_t rows;

	FX_FILE();
	three(x, 2);
	work_and_copy(x);
	for (int i = 0; i < 2; i++)
		(void)done(x, 0);
	signed_now(x);
	rows = fx_number(x, "SELECT count(*) FROM audit_log");
	assert_ok(x, restore(&r, x->s));
	assert_true(r.done.log_stays);
	assert_sound(x, "restored");
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
	/* One of the call, in the store that was there. */
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"),
	    rows + 1);
	signed_now(x);
	assert_true(done(x, 0) < CHAIN_RANGE);
	signed_now(x);
	assert_true(verified(x).whole);
	drop_before(&r);
	/* And again. */
	assert_ok(x, restore(&r, x->s));
	assert_sound(x, "restored again");
	drop_before(&r);
}

/* What cannot be emcli's is not restored. */
static void
counters_of_others_do_not(void **state)
{
	static const char *const others[] = {
		"('audit_link.x', 'y')",
		"('audit_lost.1', 9223372036854775807)",
		"('audit_log.77', 1), ('audit_log.77', 2)",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct run r = { 0 };

		FX_FILE();
		assert_int_equal(fx_setup(state), 0);
		r.x = *state;
		work_and_copy(r.x);
		fx_sql(r.x,
		    str_fmt(r.x->a, "INSERT INTO sqlite_sequence VALUES %s",
			others[i])
			.p);
		assert_ok(r.x, restore(&r, r.x->s));
		assert_true(r.done.log_stays);
		assert_sound(r.x, others[i]);
		drop_before(&r);
		(void)fx_teardown(state);
	}
	*state = NULL;
}

/* On a server, between a restore and its undoing. */
static void
removed_elsewhere(struct fx *x)
{
	(void)done(x, 3);
	{
		CLEANUP(tx_done) struct tx t = { 0 };
		CLEANUP(stmt_done) struct stmt *st = NULL;
		int64_t id;

		assert_ok(x, tx_begin(x->s, &t, &x->e));
		assert_ok(x,
		    stmt_ask(x->s, &x->e,
			"INSERT INTO audit_log (id, ts, principal, action,"
			" result, reason, state) VALUES (3000000000002,"
			" '2026-11-28T23:00:00Z', 'operator', "
			"'account.remove',"
			" 'blocked', 'interrupted', 'asked') RETURNING id",
			&st));
		assert_ok(x, stmt_insert(x->s, st, &id, &x->e));
		assert_ok(x, chain_add(x->s, id, NULL, NULL, &x->e));
		assert_ok(x, tx_commit(&t, &x->e));
	}
	counted(x, 3, "audit_log", "id");
	counted(x, 3, "audit_link", "seq");
	assert_true(verified(x).whole);
}

/* So nobody knows what became of a message that was held then. */
static void
what_was_done_in_another_counts(void **state)
{
	struct run r = { .x = *state }, back = { .x = *state };
	struct fx *x = r.x;

	FX_FILE();
	work_and_copy(x);
	fx_sql(x,
	    "INSERT INTO accounts (id, name, username)"
	    " VALUES (3, 'new', 'new');" MESSAGE("7", "3", "'k'",
		"held") ";"
			"UPDATE outbox SET expires_s = 5000000000");
	assert_ok(x, store_signed_accept(x->s, &x->e));
	assert_ok(x, restore(&r, x->s));
	removed_elsewhere(x);
	back.from = str_c(x->a, r.done.before);
	assert_ok(x, restore(&back, x->s));
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM outbox WHERE id = 7"
			     " AND state = 'unknown_outcome'"),
	    1);
	drop_before(&back);
	drop_before(&r);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("its log stays", its_log_stays),
		cmocka_unit_test(counters_of_others_do_not),
		TEST("what was done in another chain counts",
		    what_was_done_in_another_counts),
	};

	return cmocka_run_group_tests_name("store/restore_chains", tests, NULL,
	    NULL);
}
