/* SPDX-License-Identifier: Apache-2.0 */
/* Whitelists: two of them, all or nothing. */
#include "fixture.h"

static struct str abc[] = { SI("c@x.example"), SI("@a.example"),
	SI("b@x.example") };
static const struct strs all = { abc, 3 }, one = { abc, 1 };

static size_t
count(struct fx *x, int64_t id, enum store_list which)
{
	struct strs got = { 0 }, all_lists[STORE_LISTS];

	assert_ok(x, store_list_get(x->s, x->a, id, which, &got, &x->e));
	assert_ok(x, store_list_get_all(x->s, x->a, id, all_lists, &x->e));
	assert_int_equal(all_lists[which].n, got.n);
	for (size_t i = 0; i < got.n; i++)
		assert_true(str_eq(all_lists[which].v[i], got.v[i]));
	return got.n;
}

static void
added(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct strs got = { 0 };

	assert_ok(x, store_list_add(x->s, id, STORE_LIST_IN, &all, &x->e));
	assert_ok(x,
	    store_list_get(x->s, x->a, id, STORE_LIST_IN, &got, &x->e));
	assert_int_equal(got.n, 3);
	assert_str(got.v[0], "@a.example");
	assert_str(got.v[1], "b@x.example");
	assert_str(got.v[2], "c@x.example");
}

static void
apart(void **state)
{
	struct fx *x = *state;
	int64_t a = fx_account(x, "a");
	int64_t b = fx_account(x, "b");

	assert_ok(x, store_list_add(x->s, a, STORE_LIST_OUT, &all, &x->e));
	assert_int_equal(count(x, a, STORE_LIST_OUT), 3);
	assert_int_equal(count(x, a, STORE_LIST_IN), 0);
	assert_int_equal(count(x, b, STORE_LIST_OUT), 0);
	assert_ok(x, store_list_add(x->s, a, STORE_LIST_IN_DMARC, &one, &x->e));
	assert_int_equal(count(x, a, STORE_LIST_IN_DMARC), 1);
	assert_int_equal(count(x, a, STORE_LIST_IN), 0);
	assert_int_equal(count(x, a, STORE_LIST_OUT), 3);
}

static void
twice(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	assert_ok(x, store_list_add(x->s, id, STORE_LIST_OUT, &all, &x->e));
	assert_ok(x, store_list_add(x->s, id, STORE_LIST_OUT, &all, &x->e));
	assert_int_equal(count(x, id, STORE_LIST_OUT), 3);
}

static void
removed(void **state)
{
	struct fx *x = *state;
	struct strs two = { abc, 2 };
	int64_t id = fx_account(x, "a");

	assert_ok(x, store_list_add(x->s, id, STORE_LIST_OUT, &all, &x->e));
	assert_ok(x, store_list_remove(x->s, id, STORE_LIST_OUT, &two, &x->e));
	assert_int_equal(count(x, id, STORE_LIST_OUT), 1);
}

static void
remove_all_or_nothing(void **state)
{
	struct fx *x = *state;
	struct str v[] = { SI("b@x.example"), SI("nobody@x.example") };
	struct strs l = { v, 2 };
	int64_t id = fx_account(x, "a");

	assert_ok(x, store_list_add(x->s, id, STORE_LIST_IN, &all, &x->e));
	assert_err(x, store_list_remove(x->s, id, STORE_LIST_IN, &l, &x->e),
	    ERR_NOT_FOUND);
	assert_int_equal(count(x, id, STORE_LIST_IN), 3);
}

static void
no_account(void **state)
{
	struct fx *x = *state;

	assert_err(x, store_list_add(x->s, 77, STORE_LIST_IN, &all, &x->e),
	    ERR_NOT_FOUND);
	assert_int_equal(count(x, 77, STORE_LIST_IN), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("what was added is listed in order", added),
		TEST("lists and accounts are apart", apart),
		TEST("adding twice is adding once", twice),
		TEST("what was removed is gone", removed),
		TEST("one entry that is not there: none is removed",
		    remove_all_or_nothing),
		TEST("a list needs its account", no_account),
	};

	return cmocka_run_group_tests_name("store/list", tests, NULL, NULL);
}
