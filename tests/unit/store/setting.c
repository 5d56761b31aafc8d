/* SPDX-License-Identifier: Apache-2.0 */
/* Settings: text by key, and those that cannot be set. */
#include "base/clock.h"
#include "fixture.h"
#include "store/setting_kept.h"

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

/* What an agent's handle, which keeps settings, has of that one. */
static void
reads(struct fx *x, struct store *s, const char *key, const char *want)
{
	struct str v = { 0 };

	assert_int_equal(store_setting_get(s, x->a, str_of(key), &v, &x->e),
	    want != NULL);
	if (want != NULL)
		assert_str(v, want);
}

static void
kept(void **state)
{
	struct fx *x = *state;
	struct store *s = fx_open(x, STORE_AGENT);
	struct tx t = { 0 };
	int64_t read_ms;

	/* One that was only opened keeps none. */
	reads(x, s, "k", NULL);
	assert_ok(x, store_setting_set(x->s, S("k"), S("one"), &x->e));
	reads(x, s, "k", "one");
	setting_kept_on(s, true);
	setting_kept_drop(s);
	reads(x, s, "k", "one");
	read_ms = clock_mono_ms();
	assert_ok(x, store_setting_set(x->s, S("k"), S("two"), &x->e));
	assert_ok(x, store_setting_set(x->s, S("l"), S("new"), &x->e));
	if (clock_mono_ms() - read_ms < SETTING_KEPT_MS / 2) {
		reads(x, s, "k", "one");
		reads(x, s, "l", NULL);
	}
	/* The next call. */
	setting_kept_drop(s);
	reads(x, s, "k", "two");
	/* What is decided under the lock. */
	assert_ok(x, store_setting_set(x->s, S("k"), S("three"), &x->e));
	assert_ok(x, tx_begin(s, &t, &x->e));
	reads(x, s, "k", "three");
	reads(x, s, "l", "new");
	tx_done(&t);
	assert_null(s->settings);
	reads(x, s, "k", "three");
	assert_ok(x, store_setting_set(x->s, S("k"), S("four"), &x->e));
	assert_ok(x, tx_begin_read(s, &t, &x->e));
	reads(x, s, "k", "four");
	assert_ok(x, tx_commit(&t, &x->e));
	assert_null(s->settings);
	/* And a second later. */
	reads(x, s, "k", "four");
	assert_ok(x, store_setting_set(x->s, S("k"), S("five"), &x->e));
	for (int64_t end = clock_mono_ms() + SETTING_KEPT_MS + 10;
	     clock_mono_ms() < end;)
		(void)usleep(10000);
	reads(x, s, "k", "five");
	store_close(&s);
}

/* Whether the store's data key is the one of before is asked again. */
static void
kept_no_key(void **state)
{
	struct fx *x = *state;
	struct store *s = fx_open(x, STORE_AGENT);

	setting_kept_on(s, true);
	assert_ok(x, store_key_current(s, &x->e));
	fx_sql(x,
	    "INSERT INTO settings (key, value)"
	    " VALUES ('dek_count', '7') ON CONFLICT (key) DO UPDATE SET"
	    " value = '7'");
	assert_err(x, store_key_current(s, &x->e), ERR_DB);
	store_close(&s);
}

static void
many_and_long(void **state)
{
	struct fx *x = *state;
	struct store *s = fx_open(x, STORE_AGENT);
	char *value = arena_alloc(x->a, 100000);

	memset(value, 'v', 99999);
	value[99999] = '\0';
	setting_kept_on(s, true);
	assert_ok(x, store_setting_set(x->s, S("long"), str_of(value), &x->e));
	setting_kept_drop(s);
	reads(x, s, "long", value);
	reads(x, s, "none", NULL);
	for (int i = 0; i < 150; i++)
		assert_ok(x,
		    store_setting_set(x->s, str_fmt(x->a, "k%d", i), S("v"),
			&x->e));
	assert_ok(x, store_setting_set(x->s, S("z"), S("last"), &x->e));
	setting_kept_drop(s);
	for (int i = 0; i < 150; i++)
		reads(x, s, str_fmt(x->a, "k%d", i).p, "v");
	reads(x, s, "z", "last");
	reads(x, s, "long", value);
	reads(x, s, "none", NULL);
	store_close(&s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("the last value set is the value", set_and_get),
		TEST("an empty value is a value", empty),
		TEST("any bytes come back", bytes),
		TEST("what emcli keeps for itself is not set", own),
		TEST("a call reads them once, but not for long", kept),
		TEST("but not which data key it is", kept_no_key),
		TEST("many, and long ones", many_and_long),
		TEST("the audit log is kept for 90 days", defaults),
	};

	return cmocka_run_group_tests_name("store/setting", tests, NULL, NULL);
}
