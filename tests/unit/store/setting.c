/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: text by key, and those that cannot be set. */
#include "fixture.h"

static void
set_and_get(void **state)
{
	struct fx *x = *state;
	struct str v = { 0 };

	assert_int_equal(store_setting_get(x->s, x->a, S("k"), &v, &x->e), 0);
	assert_ok(x, store_setting_set(x->s, S("k"), S("one"), &x->e));
	assert_ok(x, store_setting_set(x->s, S("k"), S("two"), &x->e));
	assert_int_equal(store_setting_get(x->s, x->a, S("k"), &v, &x->e), 1);
	assert_str(v, "two");
}

static void
empty(void **state)
{
	struct fx *x = *state;
	struct str v = S("x");

	assert_ok(x,
	    store_setting_set(x->s, S("k"), (struct str){ NULL, 0 }, &x->e));
	assert_int_equal(store_setting_get(x->s, x->a, S("k"), &v, &x->e), 1);
	assert_int_equal(v.n, 0);
}

static void
bytes(void **state)
{
	struct fx *x = *state;
	struct str v = { 0 };

	assert_ok(x, store_setting_set(x->s, S("k"), S("a\0b\xFF'"), &x->e));
	assert_int_equal(store_setting_get(x->s, x->a, S("k"), &v, &x->e), 1);
	assert_true(str_eq(v, S("a\0b\xFF'")));
}

static void
own(void **state)
{
	static const char *const keys[] = { "dek_wrap_admin", "dek_wrap_agent",
		"dek_wrap_x", "schema_version" };
	struct fx *x = *state;

	for (size_t i = 0; i < 4; i++)
		assert_err(x,
		    store_setting_set(x->s, str_of(keys[i]), S("1"), &x->e),
		    ERR_USAGE);
	store_close(&x->s);
	x->s = fx_open(x, STORE_ADMIN);
}

static void
defaults(void **state)
{
	struct fx *x = *state;
	struct str v = { 0 };

	assert_int_equal(store_setting_get(x->s, x->a,
			     S("audit_retention_days"), &v, &x->e),
	    1);
	assert_str(v, "90");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("the last value set is the value", set_and_get),
		TEST("an empty value is a value", empty),
		TEST("any bytes come back", bytes),
		TEST("what emcli keeps for itself is not set", own),
		TEST("the audit log is kept for 90 days", defaults),
	};

	return cmocka_run_group_tests_name("store/setting", tests, NULL, NULL);
}
