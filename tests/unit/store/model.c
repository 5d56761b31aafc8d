/* SPDX-License-Identifier: Apache-2.0 */
/* Models of the operator: added once by name, listed by name, removed. */
#include "fixture.h"

#include "base/limits.h"
#include "store/model.h"

static const struct store_model qwen = {
	.name = SI("qwen"),
	.url = SI("http://127.0.0.1:11434/v1"),
	.id = SI("qwen3:8b"),
	.key_file = SI("/etc/key"),
};

static void
a_model_is_kept_as_it_was_given(void **state)
{
	struct fx *x = *state;
	struct store_model *v;
	size_t n;

	assert_ok(x, store_model_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 0);
	assert_ok(x, store_model_add(x->s, &qwen, &x->e));
	assert_ok(x, store_model_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 1);
	assert_true(str_eq(v[0].url, qwen.url));
	assert_true(str_eq(v[0].id, qwen.id));
	assert_true(str_eq(v[0].key_file, qwen.key_file));
	assert_int_equal(v[0].ca_file.n, 0);
	assert_err(x, store_model_add(x->s, &qwen, &x->e), ERR_USAGE);
}

static void
a_changed_one_stays_the_default(void **state)
{
	struct fx *x = *state;
	struct store_model m = qwen, *v;
	struct str def;
	size_t n;

	assert_err(x, store_model_change(x->s, &m, &x->e), ERR_NOT_FOUND);
	assert_ok(x, store_model_add(x->s, &m, &x->e));
	assert_ok(x,
	    store_setting_set(x->s, S(STORE_MODEL_DEFAULT), m.name, &x->e));
	m.url = S("https://other.example/v1");
	m.key_file = S("");
	assert_ok(x, store_model_change(x->s, &m, &x->e));
	assert_ok(x, store_model_list(x->s, x->a, &v, &n, &x->e));
	assert_int_equal(n, 1);
	assert_true(str_eq(v[0].url, m.url));
	assert_int_equal(v[0].key_file.n, 0);
	assert_int_equal(store_setting_get(x->s, x->a, S(STORE_MODEL_DEFAULT),
			     &def, &x->e),
	    1);
}

static void
what_is_removed_is_no_default(void **state)
{
	struct fx *x = *state;
	struct str def;

	assert_ok(x, store_model_add(x->s, &qwen, &x->e));
	assert_ok(x,
	    store_setting_set(x->s, S(STORE_MODEL_DEFAULT), qwen.name, &x->e));
	assert_ok(x, store_model_remove(x->s, qwen.name, &x->e));
	assert_int_equal(store_setting_get(x->s, x->a, S(STORE_MODEL_DEFAULT),
			     &def, &x->e),
	    0);
	assert_err(x, store_model_remove(x->s, qwen.name, &x->e),
	    ERR_NOT_FOUND);
}

static void
an_agent_names_none(void **state)
{
	struct fx *x = *state;
	CLEANUP(store_close) struct store *s = fx_open(x, STORE_AGENT);

	assert_err(x, store_model_add(s, &qwen, &x->e), ERR_CONFIG);
	assert_err(x, store_model_change(s, &qwen, &x->e), ERR_CONFIG);
	assert_err(x, store_model_remove(s, qwen.name, &x->e), ERR_CONFIG);
}

static void
there_is_an_end_to_them(void **state)
{
	struct fx *x = *state;
	struct store_model m = qwen;

	for (int i = 0; i < LIMIT_MODELS; i++) {
		m.name = str_fmt(x->a, "m%d", i);
		assert_ok(x, store_model_add(x->s, &m, &x->e));
	}
	m.name = S("one too many");
	assert_err(x, store_model_add(x->s, &m, &x->e), ERR_LIMIT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_model_is_kept_as_it_was_given,
		    fx_setup, fx_teardown),
		cmocka_unit_test_setup_teardown(a_changed_one_stays_the_default,
		    fx_setup, fx_teardown),
		cmocka_unit_test_setup_teardown(what_is_removed_is_no_default,
		    fx_setup, fx_teardown),
		cmocka_unit_test_setup_teardown(an_agent_names_none, fx_setup,
		    fx_teardown),
		cmocka_unit_test_setup_teardown(there_is_an_end_to_them,
		    fx_setup, fx_teardown),
	};

	return cmocka_run_group_tests_name("store/model", tests, NULL, NULL);
}
