/* SPDX-License-Identifier: Apache-2.0 */
/* A store that is kept open between calls: when it may be used again. */
#include "keeper.h"

#include "store/opening.h"

/* -- what changed meanwhile, and whether it may ---------------------------- */

static void
nothing(struct keeper *k)
{
	(void)k;
}

static void
somebody_wrote(struct keeper *k)
{
	fx_sql(k->x, "INSERT INTO settings VALUES ('other', '1')");
}

static void
the_schema_grew(struct keeper *k)
{
	fx_sql(k->x,
	    "CREATE TABLE more (a TEXT); INSERT INTO migration VALUES"
	    " (9999, 'x', 'x')");
}

static void
the_key_was_rotated(struct keeper *k)
{
	fx_sql(k->x,
	    "UPDATE settings SET value = 'x' || value"
	    " WHERE key = 'dek_wrap_agent'");
}

static void
the_data_key_changed(struct keeper *k)
{
	fx_sql(k->x,
	    "INSERT INTO settings VALUES ('dek_count', '1')"
	    " ON CONFLICT (key) DO UPDATE SET value = '1'");
}

/* A copy in the place of the file with that ending. */
static void
replace(struct keeper *k, const char *ending)
{
	struct str to = str_fmt(k->x->a, "%s%s", k->x->path, ending);

	assert_int_equal(system(str_fmt(k->x->a, "cp -p %s %s.x && mv %s.x %s",
			     to.p, to.p, to.p, to.p)
				    .p),
	    0);
}

static void
the_file_was_replaced(struct keeper *k)
{
	replace(k, "");
}

static void
its_log_was_replaced(struct keeper *k)
{
	replace(k, "-wal");
}

static void
others_may_read_it(struct keeper *k)
{
	assert_int_equal(chmod(k->x->path, 0644), 0);
}

static void
others_could_when_it_was_opened(struct keeper *k)
{
	k->served->mode_was = 0644;
}

static int
begin_nowhere(void *ctx, struct err *e)
{
	(void)ctx;
	return err_set(e, ERR_CONFIG, "gone");
}

static void
the_keeper_is_gone(struct keeper *k)
{
	k->served->keeper.begin = begin_nowhere;
}

static void
a_transaction_is_open(struct keeper *k)
{
	assert_ok(k->x,
	    k->served->driver->begin(k->served, DRIVER_READ, &k->x->e));
}

/* A call that sends leaves it so. */
static void
it_was_durable(struct keeper *k)
{
	assert_ok(k->x, store_durable(k->served, &k->x->e));
}

static const struct {
	void (*change)(struct keeper *k);
	bool again, file;
} rows[] = {
	{ nothing, true, false },
	{ somebody_wrote, true, false },
	{ it_was_durable, true, false },
	{ the_schema_grew, false, false },
	{ the_key_was_rotated, false, false },
	{ the_data_key_changed, false, false },
	{ the_file_was_replaced, false, true },
	{ its_log_was_replaced, false, true },
	{ others_may_read_it, false, true },
	{ others_could_when_it_was_opened, false, false },
	{ the_keeper_is_gone, false, false },
	{ a_transaction_is_open, false, false },
};

static int64_t
synchronous(struct keeper *k)
{
	struct stmt *st = NULL;
	int64_t n;

	if (!fx_is_file())
		return k->served->durable ? 2 : 1;
	assert_ok(k->x,
	    stmt_prepare(k->served, "PRAGMA synchronous", &st, &k->x->e));
	assert_int_equal(stmt_step(k->served, st, &k->x->e), 1);
	n = stmt_column_int(st, 0);
	stmt_done(&st);
	return n;
}

static void
only_what_would_be_opened(void **state)
{
	void *one = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct keeper *k;
		bool again;

		if (rows[i].file && !fx_is_file())
			continue;
		assert_int_equal(fx_setup(&one), 0);
		k = keeper_new(one);
		assert_true(store_again(k->served, k->x->path));
		k->asked = 0;
		rows[i].change(k);
		again = store_again(k->served, k->x->path);
		if (again != rows[i].again)
			fail_msg("row %zu: %d", i, again);
		/* It is as it was when it was opened, and no key was asked. */
		if (again)
			assert_int_equal(synchronous(k), 1);
		assert_int_equal(k->asked, 0);
		keeper_done(k);
		(void)fx_teardown(&one);
	}
}

static void
with_its_own_key(void **state)
{
	struct fx *x = *state;
	struct store *s = fx_open(x, STORE_AGENT);

	assert_false(store_again(s, x->path));
	store_close(&s);
}

/* -- the statements that it keeps ------------------------------------------ */

static const char by_key[] = "SELECT ?1 IS NULL, value FROM settings"
			     " WHERE key = coalesce(?1, 'dek_count')";

static void
statements_are_kept(void **state)
{
	struct fx *x = *state;
	struct keeper *k;
	struct stmt *one = NULL, *two = NULL, *kept;

	FX_FILE();
	k = keeper_new(x);
	assert_ok(x, stmt_ask(k->served, &x->e, by_key, &one, V(S("no"))));
	kept = one;
	assert_ok(x, stmt_prepare(k->served, by_key, &two, &x->e));
	assert_ptr_not_equal(one, two);
	assert_false(stmt_kept_rested(k->served));
	stmt_done(&one);
	stmt_done(&two);
	assert_true(stmt_kept_rested(k->served));
	/* The same again, and of what it was bound to nothing. */
	fx_sql(x,
	    "INSERT INTO settings (key, value) VALUES ('dek_count', '0');"
	    "CREATE TABLE changed (a TEXT)");
	assert_ok(x, stmt_prepare(k->served, by_key, &one, &x->e));
	assert_ptr_equal(one, kept);
	assert_int_equal(stmt_step(k->served, one, &x->e), 1);
	assert_int_equal(stmt_column_int(one, 0), 1);
	stmt_done(&one);
	/* Another store has its own. */
	assert_ok(x, stmt_prepare(k->store, by_key, &two, &x->e));
	assert_ptr_not_equal(two, kept);
	stmt_done(&two);
	assert_null(two);
	keeper_done(k);
}

static void
a_statement_in_use_is_no_rest(void **state)
{
	struct fx *x = *state;
	struct keeper *k;
	struct stmt *st = NULL;

	k = keeper_new(x);
	assert_ok(x, stmt_prepare(k->served, by_key, &st, &x->e));
	assert_false(store_again(k->served, x->path));
	stmt_done(&st);
	assert_true(store_again(k->served, x->path));
	keeper_done(k);
}

/* -- the settings that a call keeps ---------------------------------------- */

static bool
is_set(struct keeper *k, struct store *s)
{
	struct str v = { 0 };

	return store_setting_get(s, k->x->a, S("k"), &v, &k->x->e) == 1;
}

static void
settings_are_of_one_call(void **state)
{
	struct fx *x = *state;
	struct keeper *k = keeper_new(x);
	struct store *first = k->served, *s = NULL;

	assert_ok(x,
	    store_enter_again(x->path, &k->way, &k->served, &s, &x->e));
	assert_ptr_equal(s, first);
	assert_false(is_set(k, s));
	assert_ok(x, store_setting_set(x->s, S("k"), S("v"), &x->e));
	/* The next one, a moment later. */
	assert_ok(x,
	    store_enter_again(x->path, &k->way, &s, &k->served, &x->e));
	assert_ptr_equal(k->served, first);
	assert_true(is_set(k, k->served));
	keeper_done(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_would_be_opened),
		TEST("with its own key", with_its_own_key),
		TEST("settings are of one call", settings_are_of_one_call),
		TEST("statements are kept", statements_are_kept),
		TEST("a statement in use is no rest",
		    a_statement_in_use_is_no_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
