/* SPDX-License-Identifier: Apache-2.0 */
/* Several things made together: all of them or none. */
#include "store/whole.h"
#include "fixture.h"

static const struct str entries[] = { SI("a@them.example"), SI("@us.example") };

static int
add_with_list(struct store *s, void *ctx, struct err *e)
{
	struct store_account acct = { .name = S("work"),
		.backend = S("imap"),
		.imap_host = S("imap.example") };
	struct strs list = { (struct str *)(uintptr_t)entries, 2 };
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct store_account got;
	bool *fail = ctx;

	if (store_account_add(s, &acct, NULL, e) < 0 ||
	    store_account_get(s, a, acct.name, &got, e) < 0 ||
	    store_list_add(s, got.id, STORE_LIST_IN, &list, e) < 0)
		return -1;
	return *fail ? err_set(e, ERR_USAGE, "no") : 0;
}

static void
both(void **state)
{
	struct fx *x = *state;
	bool fail = false;

	assert_ok(x, store_whole_change(x->s, add_with_list, &fail, &x->e));
	assert_int_equal(fx_number(x, "SELECT count(*) FROM accounts"), 1);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM whitelist_in"), 2);
}

static void
neither(void **state)
{
	struct fx *x = *state;
	bool fail = true;

	assert_err(x, store_whole_change(x->s, add_with_list, &fail, &x->e),
	    ERR_USAGE);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM accounts"), 0);
	/* The handle still works, with each change on its own again. */
	(void)fx_account(x, "later");
	assert_int_equal(fx_number(x, "SELECT count(*) FROM accounts"), 1);
}

static void
inner_fails(void **state)
{
	struct fx *x = *state;
	bool fail = false;

	(void)fx_account(x, "work");
	assert_err(x, store_whole_change(x->s, add_with_list, &fail, &x->e),
	    ERR_USAGE);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM whitelist_in"), 0);
}

static void
published(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	bool created = false;

	FX_FILE();
	assert_ok(x, store_whole_begin(x->path, &w, &x->e));
	assert_ok(x, store_init(w.draft, &x->keys, &created, &x->e));
	assert_true(created);
	assert_int_equal(store_whole_there(x->path, &x->e), 0);
	assert_ok(x, store_whole_publish(&w, &x->e));
	assert_int_equal(store_whole_there(x->path, &x->e), 1);
	x->s = fx_open(x, STORE_ADMIN);
}

/* A container gives the same process id again. */
static void
begun_again(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	char log[200];

	FX_FILE();
	assert_ok(x, store_whole_begin(x->path, &w, &x->e));
	(void)snprintf(log, sizeof(log), "%s-wal", w.draft);
	fclose(fopen(log, "w"));
	free(w.draft);
	free(w.path);
	assert_ok(x, store_whole_begin(x->path, &w, &x->e));
	assert_int_equal(access(log, F_OK), -1);
}

static void
dropped(void **state)
{
	struct fx *x = *state;
	struct store_whole w = { 0 };
	bool created = false;
	char draft[160];

	FX_FILE();
	assert_ok(x, store_whole_begin(x->path, &w, &x->e));
	(void)snprintf(draft, sizeof(draft), "%s", w.draft);
	assert_ok(x, store_init(w.draft, &x->keys, &created, &x->e));
	assert_int_equal(store_whole_there(draft, &x->e), 1);
	store_whole_drop(&w);
	assert_int_equal(store_whole_there(draft, &x->e), 0);
	assert_int_equal(store_whole_there(x->path, &x->e), 0);
}

/* An existing one is not replaced. */
static void
too_late(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	bool created = false;

	FX_FILE();
	assert_ok(x, store_whole_begin(x->path, &w, &x->e));
	assert_ok(x, store_init(w.draft, &x->keys, &created, &x->e));
	assert_ok(x, store_init(x->path, &x->keys, &created, &x->e));
	x->s = fx_open(x, STORE_ADMIN);
	(void)fx_account(x, "theirs");
	assert_err(x, store_whole_publish(&w, &x->e), ERR_CONFIG);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM accounts"), 1);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a change of several parts happens whole", both),
		TEST("or not at all", neither),
		TEST("also when one of the parts refuses", inner_fails),
		TEST_EMPTY("a draft is no store until published", published),
		TEST_EMPTY("a draft given up leaves nothing", dropped),
		TEST_EMPTY("what a killed process left is gone", begun_again),
		TEST_EMPTY("a draft does not replace a store", too_late),
	};

	return cmocka_run_group_tests_name("store/whole", tests, NULL, NULL);
}
