/* SPDX-License-Identifier: Apache-2.0 */
/* Secrets that are got when they are first used. */
#include "../rows.h"

#include "base/secret.h"

static int asked;

static int
get(const void *ctx, struct secret **out, struct err *e)
{
	asked++;
	if (ctx == NULL)
		return err_set(e, ERR_CONFIG, "nobody answered");
	*out = secret_new(ctx, strlen(ctx));
	return 0;
}

static int
is_text(struct str plain, void *want)
{
	return str_eq(plain, str_of(want));
}

static bool
holds(const struct secret *s, const char *want)
{
	return secret_lend(s, is_text, (void *)(uintptr_t)want) == 1;
}

/* What a process forked now says of it; it must not ask. */
static bool
child_finds(const struct secret *s, const char *want, bool good)
{
	struct err e = { 0 };
	int before = asked, status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(!secret_later_due(s) &&
			    (secret_later_get(s, &e) == 0) == good &&
			    asked == before && holds(s, want)
			? 0
			: 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status == 0;
}

static void
once(void **state)
{
	struct secret *s = secret_later(get, "the key");
	struct err e = { 0 };

	(void)state;
	asked = 0;
	assert_true(secret_later_due(s));
	assert_true(holds(s, ""));
	assert_int_equal(asked, 0);
	assert_int_equal(secret_later_get(s, &e), 0);
	assert_false(secret_later_due(s));
	assert_true(holds(s, "the key"));
	assert_int_equal(secret_later_get(s, &e), 0);
	assert_int_equal(asked, 1);
	secret_close(&s);
}

static void
fails(void **state)
{
	struct secret *s = secret_later(get, NULL);

	(void)state;
	asked = 0;
	for (int i = 0; i < 2; i++) {
		struct err e = { 0 };

		assert_int_equal(secret_later_get(s, &e), -1);
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_string_equal(e.say, "nobody answered");
	}
	assert_false(secret_later_due(s));
	assert_true(holds(s, ""));
	assert_int_equal(asked, 1);
	secret_inherit(s, true);
	assert_true(child_finds(s, "", false));
	secret_close(&s);
}

static void
forks(void **state)
{
	struct secret *s = secret_later(get, "the key");
	struct err e = { 0 };

	(void)state;
	/* A child that is not given it has no way to it. */
	assert_true(child_finds(s, "", true));
	assert_int_equal(secret_later_get(s, &e), 0);
	assert_true(child_finds(s, "", true));
	secret_inherit(s, true);
	assert_true(child_finds(s, "the key", true));
	secret_close(&s);
}

static void
emptied(void **state)
{
	struct secret *s = secret_later(get, "the key");
	struct err e = { 0 };

	(void)state;
	asked = 0;
	secret_empty(s);
	assert_int_equal(secret_later_get(s, &e), 0);
	assert_true(holds(s, ""));
	assert_int_equal(asked, 0);
	secret_close(&s);
}

static void
others(void **state)
{
	struct secret *s = secret_new("here", 4);
	struct err e = { 0 };

	(void)state;
	assert_false(secret_later_due(s));
	assert_int_equal(secret_later_get(s, &e), 0);
	assert_true(holds(s, "here"));
	assert_false(secret_later_due(NULL));
	assert_int_equal(secret_later_get(NULL, &e), 0);
	secret_close(&s);
}

int
main(void)
{
	rows_add("it is got at its first use, and once", once, NULL);
	rows_add("what failed fails again, without another try", fails, NULL);
	rows_add("children have it as any other secret", forks, NULL);
	rows_add("one that is emptied is not got any more", emptied, NULL);
	rows_add("a secret that is there, and none, are ready", others, NULL);
	return cmocka_run_group_tests_name("base/secret_later", rows_tests,
	    NULL, NULL);
}
