/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that accounts play: stored in order, completely or not at all. */
#include "store/source.h"
#include "fixture.h"

static struct str ops[] = { SI("create_draft"), SI("read_thread") };

struct want {
	const char *first, *role;
	struct strs ops;
	bool refuse;
};

/* Puts one first, with this role. */
static int
change(struct store_source *v, size_t n, void *ctx, struct err *e)
{
	const struct want *w = ctx;

	for (size_t i = 0; i < n; i++) {
		struct store_source x = v[i];

		if (!str_eq(x.name, str_of(w->first)))
			continue;
		memmove(v + 1, v, i * sizeof(*v));
		x.role = str_of(w->role);
		x.ops = w->ops;
		x.mandatory = true;
		v[0] = x;
	}
	return w->refuse ? err_set(e, ERR_USAGE, "no") : 0;
}

static int
put(struct fx *x, const char *first, const char *role, size_t n)
{
	struct want w = { first, role, { ops, n }, false };
	struct store_source_change ch = { change, &w };

	return store_source_set(x->s, x->a, &ch, &x->e);
}

/* "b primary yes 2, a none no 0" */
static void
check(struct fx *x, const char *want)
{
	struct store_source *v;
	char got[200] = "";
	size_t n, at = 0;

	assert_ok(x, store_source_list(x->s, x->a, &v, &n, &x->e));
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(got + at, sizeof(got) - at,
		    "%s%.*s %.*s %s %zu", i > 0 ? ", " : "", STR_ARG(v[i].name),
		    STR_ARG(v[i].role), v[i].mandatory ? "yes" : "no",
		    v[i].ops.n);
	assert_string_equal(got, want);
}

static void
fresh(void **state)
{
	struct fx *x = *state;

	(void)fx_account(x, "b");
	(void)fx_account(x, "a");
	check(x, "a none no 0, b none no 0");
}

static void
ordered(void **state)
{
	struct fx *x = *state;

	(void)fx_account(x, "a");
	(void)fx_account(x, "b");
	(void)fx_account(x, "c");
	assert_ok(x, put(x, "b", "fallback", 0));
	assert_ok(x, put(x, "c", "primary", 2));
	check(x, "c primary yes 2, b fallback yes 0, a none no 0");
	/* An account without a part has no other values. */
	assert_ok(x, put(x, "c", "none", 2));
	check(x, "b fallback yes 0, a none no 0, c none no 0");
	/* Nothing of a removed account is left. */
	assert_ok(x, put(x, "c", "preferred", 1));
	assert_ok(x, store_account_remove(x->s, S("c"), &x->e));
	check(x, "b fallback yes 0, a none no 0");
	assert_int_equal(fx_number(x, "SELECT count(*) FROM account_op"), 0);
}

/* One primary, and one for each operation: a violation changes nothing. */
static void
whole(void **state)
{
	struct fx *x = *state;
	struct want w = { "a", "primary", { ops, 2 }, true };
	struct store_source_change ch = { change, &w };
	struct store *agent;

	(void)fx_account(x, "a");
	(void)fx_account(x, "b");
	assert_ok(x, put(x, "b", "primary", 1));
	assert_err(x, put(x, "a", "primary", 0), ERR_DB);
	assert_err(x, put(x, "a", "fallback", 2), ERR_DB);
	assert_err(x, put(x, "a", "boss", 0), ERR_DB);
	assert_err(x, store_source_set(x->s, x->a, &ch, &x->e), ERR_USAGE);
	check(x, "b primary yes 1, a none no 0");
	agent = fx_open(x, STORE_AGENT);
	assert_err(x, store_source_set(agent, x->a, &ch, &x->e), ERR_CONFIG);
	store_close(&agent);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("an account has no part at first", fresh),
		TEST("parts are kept in order", ordered),
		TEST("one primary, one for each operation", whole),
	};

	return cmocka_run_group_tests_name("store/source", tests, NULL, NULL);
}
