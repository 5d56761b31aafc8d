/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include <errno.h>

#include "base/err.h"
#include "base/utf8.h"

static const char *const codes[ERR_KINDS] = {
	[ERR_NONE] = "none",
	[ERR_USAGE] = "usage",
	[ERR_CONFIG] = "config",
	[ERR_NOT_FOUND] = "not_found",
	[ERR_POLICY] = "policy",
	[ERR_APPROVAL] = "approval",
	[ERR_SKILL] = "skill",
	[ERR_UNSUPPORTED] = "unsupported",
	[ERR_LIMIT] = "limit",
	[ERR_AUTH] = "auth",
	[ERR_REJECTED] = "rejected",
	[ERR_NETWORK] = "network",
	[ERR_UNKNOWN_OUTCOME] = "unknown_outcome",
	[ERR_DB] = "db",
	[ERR_INTERNAL] = "internal",
};

static void
texts(void **state)
{
	(void)state;
	for (int k = 0; k < ERR_KINDS; k++) {
		assert_string_equal(err_code((enum err_kind)k), codes[k]);
		assert_true(strlen(err_means((enum err_kind)k)) > 5);
		assert_true(strlen(err_advice((enum err_kind)k)) > 3);
	}
}

static void
sets(void **state)
{
	struct err e = { .scope = ERR_SCOPE_CONN, .reason = "old" };

	(void)state;
	assert_int_equal(err_set(&e, ERR_LIMIT, "at most %d", 5), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	assert_int_equal(e.scope, ERR_SCOPE_CALL);
	assert_null(e.reason);
	assert_string_equal(e.say, "at most 5");
	assert_string_equal(e.detail, "");

	assert_int_equal(err_because(&e, "first"), -1);
	errno = ENOENT;
	assert_int_equal(err_errno(&e, "open"), -1);
	assert_string_equal(e.detail, "first; open: No such file or directory");
	assert_string_equal(e.say, "at most 5");
	assert_int_equal(err_conn(&e), -1);
	assert_int_equal(e.scope, ERR_SCOPE_CONN);

	(void)err_set(&e, ERR_AUTH, "again: %s", e.say);
	assert_string_equal(e.say, "again: at most 5");
	assert_string_equal(e.detail, "");
}

static void
shortens(void **state)
{
	char text[2000];
	struct err e = { 0 };

	(void)state;
	for (size_t lead = 0; lead < 3; lead++) {
		memset(text, 'a', lead);
		for (size_t i = lead; i + 3 < sizeof(text); i += 3)
			memcpy(text + i, "\xE2\x82\xAC", 4);
		(void)err_set(&e, ERR_DB, "%s", text);
		assert_in_range(strlen(e.say), sizeof(e.say) - 3,
		    sizeof(e.say) - 1);
		assert_true(utf8_valid(str_of(e.say)));
		(void)err_because(&e, "%s", text);
		(void)err_because(&e, "%s", text);
		assert_in_range(strlen(e.detail), sizeof(e.detail) - 3,
		    sizeof(e.detail) - 1);
		assert_true(utf8_valid(str_of(e.detail)));
	}
}

static void
exact(void **state)
{
	char text[sizeof((struct err){ 0 }.say) + 1];
	struct err e = { 0 };

	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(e.say) - 1] = '\0';
	(void)err_set(&e, ERR_DB, "%s", text);
	assert_string_equal(e.say, text);
	text[sizeof(e.say) - 1] = 'x';
	text[sizeof(e.say)] = '\0';
	(void)err_set(&e, ERR_DB, "%s", text);
	assert_int_equal(strlen(e.say), sizeof(e.say) - 1);
}

static void
bug(void)
{
	err_bug("%d", 1);
}

static void
no_kind(void)
{
	(void)err_code(ERR_KINDS);
}

static void
bugs(void **state)
{
	(void)state;
	assert_true(rows_aborts(bug));
	assert_true(rows_aborts(no_kind));
}

int
main(void)
{
	rows_add("every kind has its texts", texts, NULL);
	rows_add("setting starts afresh, causes add up", sets, NULL);
	rows_add("long texts are cut on a character", shortens, NULL);
	rows_add("the longest text fits exactly", exact, NULL);
	rows_add("bugs abort", bugs, NULL);
	return cmocka_run_group_tests_name("base/err", rows_tests, NULL, NULL);
}
