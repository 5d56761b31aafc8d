/* SPDX-License-Identifier: Apache-2.0 */
/* When the process that gives notices is begun. */
#include "../store/fixture.h"

#include "gate/notice.h"

static int begun;

static void
begin(const struct env *env)
{
	(void)env;
	begun++;
}

/* It is forked, and a fork has SQLite's files without their locks. */
static void
not_while_a_store_is_open(void **state)
{
	const struct env env = { 0 };
	struct fx *x = *state;

	notice_by(begin);
	notice_due(&env, true);
	notice_due(&env, false);
	assert_int_equal(begun, 0);
	store_close(&x->s);
	notice_due(&env, false);
	assert_int_equal(begun, 1);
	notice_due(&env, false);
	assert_int_equal(begun, 1);
	notice_due(&env, true);
	assert_int_equal(begun, 2);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("not while a store is open", not_while_a_store_is_open),
	};

	return cmocka_run_group_tests_name("gate/notice", tests, NULL, NULL);
}
