/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

static const struct row_percent {
	const char *why;
	struct str in;
	const char *also, *want;
} percents[] = {
	{ "letters, digits and four marks stay", SI("azAZ09-._~"), "",
	    "azAZ09-._~" },
	{ "their neighbours do not", SI("@[`{/:+,"), "",
	    "%40%5B%60%7B%2F%3A%2B%2C" },
	{ "nor a space nor what leads", SI(" %2F?a=b&c#d"), "",
	    "%20%252F%3Fa%3Db%26c%23d" },
	{ "bytes outside ASCII and NUL", SI("\xc3\xbc\0\x7f\xff"), "",
	    "%C3%BC%00%7F%FF" },
	{ "what the caller lets be", SI("a@b/c"), "@", "a@b%2Fc" },
	{ "nothing", SI(""), "@", "" },
};

static void
percent(void **state)
{
	const struct row_percent *r = *state;
	struct arena *a = arena_open(1 << 20);
	struct buf b;

	buf_init(&b, a, 100);
	buf_percent(&b, r->in, r->also);
	rows_same(buf_view(&b), str_of(r->want));
	arena_close(&a);
}

/* An escape that does not fit is omitted completely. */
static void
a_cap_cuts_no_escape(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 6);
	buf_percent(&b, S("ab c&d"), "");
	rows_same(buf_view(&b), S("ab%20c"));
	assert_true(b.over);
	arena_close(&a);
}

static void
every_byte_has_two_digits(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct str s = str_hex_dup(a, "\x00\x0f\xa0\xff", 4);
	char out[] = "......";

	(void)state;
	rows_same(s, S("000fa0ff"));
	assert_int_equal(s.p[s.n], 0);
	str_hex_put(out + 1, "\x9c\x01", 2);
	assert_string_equal(out, ".9c01.");
	str_hex_escape(out, '=', '\xe4');
	assert_memory_equal(out, "=E4", 3);
	arena_close(&a);
}

static const struct row_plain {
	const char *why, *in;
	bool plus;
	const char *want; /* NULL: invalid */
} plains[] = {
	{ "escapes of either case", "a%2Fb%2f%C3%bc", false, "a/b/\xc3\xbc" },
	{ "nothing", "", false, "" },
	{ "a plus sign", "a+b", false, "a+b" },
	{ "a form's plus sign is a space", "a+b%2B", true, "a b+" },
	{ "no second digit", "ab%2", false, NULL },
	{ "no digit", "%", false, NULL },
	{ "no hexadecimal one", "%2g", false, NULL },
	{ "a NUL", "a%00b", false, NULL },
	{ "as much as there is room for", "1234567", false, "1234567" },
	{ "more than there is room for", "1234567%38", false, NULL },
};

static void
plain(void **state)
{
	const struct row_plain *r = *state;
	char out[8];
	ptrdiff_t n = str_hex_plain(out, sizeof(out), str_of(r->in), r->plus);

	if (r->want == NULL) {
		assert_int_equal(n, -1);
		return;
	}
	assert_string_equal(out, r->want);
	assert_int_equal(n, strlen(r->want));
}

static void
a_pair_is_two_digits(void **state)
{
	struct str s = S("aF0g7");

	(void)state;
	assert_int_equal(str_hex_pair(s, 0), 0xaf);
	assert_int_equal(str_hex_pair(s, 1), 0xf0);
	assert_int_equal(str_hex_pair(s, 2), -1);
	assert_int_equal(str_hex_pair(s, 3), -1);
	assert_int_equal(str_hex_pair(s, 4), -1);
	assert_int_equal(str_hex_pair(s, 5), -1);
	assert_int_equal(str_hex_pair(s, 6), -1);
}

int
main(void)
{
	ROWS(percents, percent);
	ROWS(plains, plain);
	rows_add("a cap cuts no escape", a_cap_cuts_no_escape, NULL);
	rows_add("a pair is two digits", a_pair_is_two_digits, NULL);
	rows_add("every byte has two digits", every_byte_has_two_digits, NULL);
	return cmocka_run_group_tests_name("base/str_hex", rows_tests, NULL,
	    NULL);
}
