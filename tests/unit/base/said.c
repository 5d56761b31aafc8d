/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text from others that may repeat a secret.  The secret is `Se%c"r\t 3t/+x`,
 * so every spelling of it differs; each row is one that a server could use.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/said.h"
#include "base/secret.h"

#define SECRET "Se%c\"r 3t/+x\\<"
#define HIDDEN SAID_HIDDEN

static struct sample {
	const char *why;
	const char *in;
	const char *out;
} rows[] = {
	{ "nothing is nothing", "", "" },
	{ "honest words stay", "[AUTHENTICATIONFAILED] wrong password",
	    "[AUTHENTICATIONFAILED] wrong password" },
	{ "as it is", "bad: Se%c\"r 3t/+x\\<.", HIDDEN },
	{ "in capitals", "BAD: SE%C\"R 3T/+X\\<.", HIDDEN },
	{ "without its blank", "bad Se%c\"r3t/+x\\<", HIDDEN },
	{ "over two lines", "bad Se%c\"\r\n r 3t/+x\\<", HIDDEN },
	{ "cut off at its fourth byte", "bad Se%c", HIDDEN },
	{ "cut off at its third byte", "bad Se%", "bad Se%" },
	{ "not wholly, and something else behind", "bad Se%c\"r 4",
	    "bad Se%c\"r 4" },
	{ "quoted as IMAP does", "bad \"Se%c\\\"r 3t/+x\\\\<\"", HIDDEN },
	{ "quoted as JSON does", "{\"p\":\"Se%c\\u0022r 3t\\/+x\\\\\\u003C\"}",
	    HIDDEN },
	{ "percent-encoded", "?p=Se%25c%22r%203t%2F%2Bx%5C%3C&x", HIDDEN },
	{ "percent-encoded in small letters", "?p=Se%25c%22r+3t%2f%2bx%5c%3c",
	    HIDDEN },
	{ "as HTML", "Se%c&quot;r 3t/+x\\&lt;", HIDDEN },
	{ "as HTML in numbers", "Se%c&#34;r 3t/+x\\&#x3C;", HIDDEN },
	{ "controls and 8-bit bytes are not shown",
	    "a\033[31mb\001c\303\274\r\nd", "a?[31mb?c????d" },
	{ "runs of blanks are one", "  a \t  b  ", "a b" },
	{ "what looks like a token is not shown",
	    "bad 0123456789012345678901234567890123456789012345678901234567890"
	    "12345678901234567890123456789012345678901234567890 x",
	    "bad * x" },
};

static void
spelling(void **state)
{
	const struct sample *r = *state;
	struct secret *s = secret_new(SECRET, strlen(SECRET));
	char out[120];

	said_clean(out, sizeof(out), str_of(r->in));
	assert_string_equal(out, r->out);
	assert_int_equal(said_secret(str_of(r->in)),
	    strcmp(r->out, HIDDEN) == 0);
	secret_close(&s);
	said_clean(out, sizeof(out), str_of(r->in));
	assert_string_not_equal(out, HIDDEN);
}

/* SASL's responses, HTTP's Basic: the text around it varies. */
static void
base64_at_any_place(void **state)
{
	static const char *const before[] = { "", "\0", "u:", "\0u\0",
		"user=me\1auth=Bearer ", "n,a=me,\1auth=Bearer " };
	static const size_t length[] = { 0, 1, 2, 3, 20, 21 };
	struct secret *s = secret_new(SECRET, strlen(SECRET));

	(void)state;
	for (size_t i = 0; i < 6; i++)
		for (size_t behind = 0; behind < 3; behind++)
			for (int url = 0; url < 2; url++) {
				char raw[80], text[160] = "what? ", *p = text;
				size_t n = length[i];

				memcpy(raw, before[i], n);
				memcpy(raw + n, SECRET, strlen(SECRET));
				n += strlen(SECRET);
				memset(raw + n, 1, behind);
				p[6 + base64_encode(p + 6, raw, n + behind)] =
				    0;
				for (p += 6; url && *p != '\0'; p++)
					*p = *p == '+'  ? '-'
					    : *p == '/' ? '_'
							: *p;
				assert_true(said_secret(str_of(text)));
				/* Folded, with no text after its first half. */
				memmove(text + 15, text + 14,
				    strlen(text + 14) + 1);
				text[14] = '\n';
				assert_true(said_secret(str_of(text)));
				text[15 + length[i] * 4 / 3 + 8] = '\0';
				assert_true(said_secret(str_of(text)));
			}
	secret_close(&s);
}

static void
short_secrets(void **state)
{
	char out[40];
	struct err e = { 0 };

	(void)state;
	for (size_t n = 1; n < SECRET_SHORT; n++) {
		struct secret *s = secret_new("a b c", 2 * n - 1);

		assert_true(secret_short_in_use());
		/* The output must not show whether the words contain it. */
		said_clean(out, sizeof(out), S("zzz"));
		assert_string_equal(out, HIDDEN);
		said_clean(out, sizeof(out), S("abc"));
		assert_string_equal(out, HIDDEN);
		said_clean(out, sizeof(out), S(""));
		assert_string_equal(out, "");
		/* Our own text does not come from a server. */
		(void)err_because(&e, "a");
		assert_non_null(strstr(e.detail, "a"));
		secret_close(&s);
	}
	assert_false(secret_short_in_use());
	said_clean(out, sizeof(out), S("zzz"));
	assert_string_equal(out, "zzz");
}

/* A new path that forgets said_clean() shows nothing. */
static void
every_detail(void **state)
{
	struct secret *s = secret_new(SECRET, strlen(SECRET));
	struct err e = { 0 };

	(void)state;
	(void)err_set(&e, ERR_NETWORK, "no");
	(void)err_because(&e, "one");
	(void)err_because(&e, "two: %s", "it was " SECRET);
	(void)err_because(&e, "three: %0390d%s", 0, SECRET);
	assert_string_equal(e.detail, "one; " HIDDEN "; " HIDDEN);
	secret_close(&s);
}

/*
 * All secrets are checked, without closed ones; far more than a page of them.
 */
static void
many_secrets(void **state)
{
	struct secret *s[100];
	char text[32];

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		int n = snprintf(text, sizeof(text), "number-%03zu-x", i);

		s[i] = secret_new(text, (size_t)n);
	}
	for (size_t i = 0; i < 100; i += 2)
		secret_close(&s[i]);
	for (size_t i = 0; i < 100; i++) {
		(void)snprintf(text, sizeof(text), "(number-%03zu-x)", i);
		assert_int_equal(said_secret(str_of(text)), i % 2 == 1);
	}
	for (size_t i = 1; i < 100; i += 2)
		secret_close(&s[i]);
}

static void
long_words(void **state)
{
	static char text[3 * SAID_LOOK];
	static char big[LIMIT_SECRET];
	struct secret *s;
	char out[300];

	(void)state;
	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (char)('!' + i * 7 % 90);
	s = secret_new(big, sizeof(big));
	memset(text, ' ', sizeof(text));
	/* It begins just before the end of the searched part. */
	memcpy(text + SAID_LOOK - 4, big, 100);
	said_clean(out, sizeof(out), (struct str){ text, sizeof(text) });
	assert_string_equal(out, HIDDEN);
	memset(text, 'x', 100);
	memcpy(text + SAID_LOOK - 4, "    ", 4);
	said_clean(out, sizeof(out), (struct str){ text, sizeof(text) });
	assert_int_equal(strlen(out), SAID_LONG_WORD);
	secret_close(&s);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 5] = { 0 };
	size_t n = sizeof(rows) / sizeof(rows[0]);
	const struct CMUnitTest more[] = {
		cmocka_unit_test(base64_at_any_place),
		cmocka_unit_test(short_secrets),
		cmocka_unit_test(every_detail),
		cmocka_unit_test(many_secrets),
		cmocka_unit_test(long_words),
	};

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = spelling;
		tests[i].initial_state = &rows[i];
	}
	memcpy(tests + n, more, sizeof(more));
	return cmocka_run_group_tests_name("base/said", tests, NULL, NULL);
}
