/* SPDX-License-Identifier: Apache-2.0 */
/* A signature is the text of a file, which is checked before it is kept. */
#include "../rows.h"

#include "base/limits.h"
#include "base/path.h"
#include "gate/setting.h"

#include <stdlib.h>
#include <unistd.h>

static const struct file_row {
	const char *why;
	struct str bytes;
	const char *want; /* NULL: refused, ... */
	const char *says; /* ... with these words */
} rows[] = {
	{ "as it is", SI("Ann\n\nLtd\t1"), "Ann\n\nLtd\t1", NULL },
	{ "without what ends it", SI("Ann  \nLtd\n\n \n"), "Ann\nLtd", NULL },
	{ "without its own first line", SI("\n-- \nAnn\n"), "Ann", NULL },
	{ "line ends of other systems", SI("Ann\r\nLtd\r\n"), "Ann\nLtd",
	    NULL },
	{ "letters of any script", SI("Gr\303\274\303\237e \360\237\230\200"),
	    "Gr\303\274\303\237e \360\237\230\200", NULL },
	{ "nothing", SI(""), NULL, "has no text" },
	{ "white space", SI(" \n-- \n"), NULL, "has no text" },
	{ "another charset", SI("Gr\374"), NULL, "is not UTF-8" },
	{ "a NUL", SI("a\0b"), NULL, "control characters" },
	{ "an escape", SI("a\033[2J"), NULL, "control characters" },
	{ "a lone carriage return", SI("a\rb"), NULL, "control characters" },
	{ "a direction mark", SI("a\342\200\256b"), NULL,
	    "control characters" },
	{ "a width of nothing", SI("a\342\200\213b"), NULL,
	    "control characters" },
};

static int
put_file(struct arena *a, struct str bytes, struct store_account *v,
    struct err *e)
{
	char name[] = "/tmp/emcli-signature-XXXXXX";
	int fd = mkstemp(name), r;

	assert_true(fd >= 0);
	assert_int_equal(path_write(fd, bytes), 0);
	assert_int_equal(close(fd), 0);
	r = setting_put(a, &account_setting[SETTING_OF_SIGNATURE], str_of(name),
	    v, e);
	assert_int_equal(unlink(name), 0);
	return r;
}

static void
is_kept_or_refused(void **state)
{
	const struct file_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct store_account v = { .signature = S("old") };
	struct err e = { 0 };

	if (r->want != NULL) {
		assert_int_equal(put_file(a, r->bytes, &v, &e), 0);
		rows_same(v.signature, str_of(r->want));
		return;
	}
	assert_int_equal(put_file(a, r->bytes, &v, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	if (strstr(e.say, r->says) == NULL)
		fail_msg("it says: %s", e.say);
	rows_same(v.signature, S("old"));
}

static void
is_small(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct store_account v = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(put_file(a, rows_repeat(a, S("x"), LIMIT_SIGNATURE),
			     &v, &e),
	    0);
	assert_int_equal(v.signature.n, LIMIT_SIGNATURE);
	assert_int_equal(put_file(a,
			     rows_repeat(a, S("x"), LIMIT_SIGNATURE + 1), &v,
			     &e),
	    -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	assert_int_equal(v.signature.n, LIMIT_SIGNATURE);
}

static void
is_a_file(void **state)
{
	static const char *const none[] = { "/", "/dev/null", "/nowhere/x" };
	const struct setting *s = &account_setting[SETTING_OF_SIGNATURE];
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct store_account v = { .signature = S("old") };
	struct err e = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_int_equal(setting_put(a, s, str_of(none[i]), &v, &e),
		    -1);
	rows_same(v.signature, S("old"));
	assert_int_equal(setting_put(a, s, S(""), &v, &e), 0);
	assert_int_equal(v.signature.n, 0);
}

int
main(void)
{
	ROWS(rows, is_kept_or_refused);
	rows_add("it is small", is_small, NULL);
	rows_add("it is a file", is_a_file, NULL);
	return cmocka_run_group_tests_name("gate/setting_signature", rows_tests,
	    NULL, NULL);
}
