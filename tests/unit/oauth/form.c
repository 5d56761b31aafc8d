/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding and decoding of forms and queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oauth/internal.h"

static void
put(void **state)
{
	struct secret *s = secret_new("p&w=\n", 5);
	struct oauth_form f = { .n = 0 };

	(void)state;
	oauth_form_put(&f, "a", S("x y+z~-._"));
	oauth_form_put(&f, "scope", S("https://mail.google.com/"));
	oauth_form_secret(&f, "client_secret", s);
	oauth_form_put(&f, "e", S("\303\274\0"));
	assert_true(str_eq(oauth_form_view(&f),
	    S("a=x%20y%2Bz~-._&scope=https%3A%2F%2Fmail.google.com%2F"
	      "&client_secret=p%26w%3D%0A&e=%C3%BC%00")));
	secret_close(&s);
	oauth_form_done(&f);
	assert_int_equal(f.p[0], 0);
}

static void
over(void **state)
{
	static char big[LIMIT_OAUTH_FORM];
	struct oauth_form f = { .n = 0 };

	(void)state;
	memset(big, 'a', sizeof(big));
	oauth_form_put(&f, "x", (struct str){ big, sizeof(big) });
	assert_true(f.over);
	oauth_form_raw(&f, S("y"));
	assert_true(f.n <= sizeof(f.p));
}

static const struct {
	const char *why;
	struct str query;
	ptrdiff_t want;
	const char *text;
} rows[] = {
	{ "the only one", SI("code=abc"), 3, "abc" },
	{ "among others", SI("state=x&code=abc&scope=y"), 3, "abc" },
	{ "percent-encoded", SI("code=4%2F0Ab"), 5, "4/0Ab" },
	{ "in lower case too", SI("code=%2f"), 1, "/" },
	{ "a plus is a space", SI("code=a+b"), 3, "a b" },
	{ "an equals sign within", SI("code=a=b"), 3, "a=b" },
	{ "empty", SI("code="), 0, "" },
	{ "without a sign", SI("code"), 0, "" },
	{ "another's name ends like it", SI("xcode=1"), -1, NULL },
	{ "another's name begins like it", SI("codes=1"), -1, NULL },
	{ "case counts", SI("Code=1"), -1, NULL },
	{ "not there", SI(""), -1, NULL },
	{ "twice is once too often", SI("code=a&code=b"), -2, NULL },
	{ "a NUL", SI("code=a%00b"), -2, NULL },
	{ "half an escape", SI("code=a%2"), -2, NULL },
	{ "no escape", SI("code=a%zz"), -2, NULL },
	{ "too long", SI("code=01234567890123456789"), -2, NULL },
};

static void
find(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[16] = "";

		if (oauth_form_find(rows[i].query, "code", out, sizeof(out)) !=
		    rows[i].want)
			fail_msg("%s", rows[i].why);
		if (rows[i].text != NULL && strcmp(out, rows[i].text) != 0)
			fail_msg("%s: %s", rows[i].why, out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(put),
		cmocka_unit_test(over),
		cmocka_unit_test(find),
	};

	return cmocka_run_group_tests_name("oauth/form", tests, NULL, NULL);
}
