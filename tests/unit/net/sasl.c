/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The responses of RFC 4616 and RFC 7628, and text that must never be in one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "net/sasl.h"

#define TOKEN "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg=="

static struct row {
	const char *why;
	enum sasl_mech mech;
	int step;
	struct str user, secret;
	const char *want; /* NULL: refused */
} rows[] = {
	{ "PLAIN is the example of RFC 4616 section 4", SASL_PLAIN, 0,
	    SI("tim"), SI("tanstaaftanstaaf"), "AHRpbQB0YW5zdGFhZnRhbnN0YWFm" },
	{ "PLAIN takes 8-bit passwords", SASL_PLAIN, 0, SI("t"), SI("\303\274"),
	    "AHQAw7w=" },
	{ "a NUL in a password would move the fields", SASL_PLAIN, 0, SI("tim"),
	    SI("a\0b"), NULL },
	{ "a NUL in a user name would move the fields", SASL_PLAIN, 0,
	    SI("ti\0m"), SI("a"), NULL },
	{ "PLAIN has one step", SASL_PLAIN, 1, SI("tim"), SI("a"), NULL },
	{ "LOGIN gives the user first", SASL_LOGIN, 0, SI("tim"), SI("pw"),
	    "dGlt" },
	{ "LOGIN gives the password second", SASL_LOGIN, 1, SI("tim"), SI("pw"),
	    "cHc=" },
	{ "LOGIN has two steps", SASL_LOGIN, 2, SI("tim"), SI("pw"), NULL },
	{ "XOAUTH2 is the example of Google's page", SASL_XOAUTH2, 0,
	    SI("someuser@example.com"),
	    SI("ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"),
	    "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRm"
	    "dDRxbVRjMk52YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==" },
	{ "XOAUTH2 answers a refusal with an empty line", SASL_XOAUTH2, 1,
	    SI("u"), SI("t"), "" },
	{ "OAUTHBEARER is the example of RFC 7628 section 4.1",
	    SASL_OAUTHBEARER, 0, SI("user@example.com"), SI(TOKEN),
	    "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBv"
	    "cnQ9MTQzAWF1dGg9QmVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1s"
	    "emRHRXVZMjl0Q2c9PQEB" },
	{ "OAUTHBEARER answers a refusal with a lone ^A", SASL_OAUTHBEARER, 1,
	    SI("u"), SI("t"), "AQ==" },
	{ "a comma and an equals sign of a user name are written as hex",
	    SASL_OAUTHBEARER, 0, SI("a,b=c"), SI("t"),
	    "bixhPWE9MkNiPTNEYywBaG9zdD1zZXJ2ZXIuZXhhbXBsZS5jb20BcG9ydD0xNDMB"
	    "YXV0aD1CZWFyZXIgdAEB" },
	{ "a ^A in a user name would add a field", SASL_XOAUTH2, 0,
	    SI("u\1auth=Bearer x"), SI("t"), NULL },
	{ "a ^A in a token would add a field", SASL_XOAUTH2, 0, SI("u"),
	    SI("t\1host=x"), NULL },
	{ "a line end in a token is refused", SASL_OAUTHBEARER, 0, SI("u"),
	    SI("t\r\nQUIT"), NULL },
	{ "no mechanism has no response", SASL_NONE, 0, SI("u"), SI("t"),
	    NULL },
};

static int
same(struct str base64, void *ctx)
{
	assert_true(str_eq(base64, str_of(ctx)));
	return 7;
}

static int
never(struct str base64, void *ctx)
{
	(void)base64;
	(void)ctx;
	fail();
	return 0;
}

static void
respond(void **state)
{
	const struct row *r = *state;
	struct secret *secret = secret_new(r->secret.p, r->secret.n);
	struct sasl s = { r->mech, r->user, secret, S("server.example.com"),
		143 };
	struct err e = { 0 };

	if (r->want != NULL) {
		assert_int_equal(sasl_respond(&s, r->step, same,
				     (void *)r->want, &e),
		    7);
	} else {
		assert_int_equal(sasl_respond(&s, r->step, never, NULL, &e),
		    -1);
		assert_int_equal(e.kind, ERR_USAGE);
	}
	secret_close(&secret);
}

static void
longest(void **state)
{
	static char big[16384];
	struct secret *secret;
	struct sasl s = { SASL_OAUTHBEARER, S("u"), NULL, S("h"), 1 };
	struct err e = { 0 };
	char user[2000];

	(void)state;
	memset(big, 'x', sizeof(big));
	memset(user, 'u', sizeof(user));
	secret = secret_new(big, sizeof(big));
	s.secret = secret;
	assert_int_equal(sasl_respond(&s, 1, same, "AQ==", &e), 7);
	s.user = (struct str){ user, sizeof(user) };
	assert_int_equal(sasl_respond(&s, 0, never, NULL, &e), -1);
	secret_close(&secret);
}

static void
pick(void **state)
{
	struct str both[] = { S("LOGIN"), S("plain"), S("OAUTHBEARER"),
		S("xoauth2") };
	struct strs all = { both, 4 }, first = { both, 1 }, third = { both, 3 };

	(void)state;
	assert_int_equal(sasl_pick(&all, false), SASL_PLAIN);
	assert_int_equal(sasl_pick(&first, false), SASL_LOGIN);
	assert_int_equal(sasl_pick(&all, true), SASL_XOAUTH2);
	assert_int_equal(sasl_pick(&third, true), SASL_OAUTHBEARER);
	assert_int_equal(sasl_pick(&first, true), SASL_NONE);
	assert_string_equal(sasl_name(SASL_XOAUTH2), "XOAUTH2");
}

static void
refusal(void **state)
{
	struct arena *a = arena_open(1 << 20);
	struct str got;

	(void)state;
	got = sasl_refusal(a,
	    S("eyJzdGF0dXMiOiI0MDEiLCJzY2hlbWVzIjoiYmVhcmVyIn0="));
	assert_true(
	    str_eq(got, S("{\"status\":\"401\",\"schemes\":\"bearer\"}")));
	got = sasl_refusal(a, S("what \x1b[31m is this\n"));
	assert_true(str_eq(got, S("what  [31m is this")));
	assert_int_equal(sasl_refusal(a, S("")).n, 0);
	arena_close(&a);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0]) + 3] = { 0 };
	size_t n = sizeof(rows) / sizeof(rows[0]);

	for (size_t i = 0; i < n; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = respond;
		tests[i].initial_state = &rows[i];
	}
	tests[n++] = (struct CMUnitTest){
		.name =
		    "the longest secret fits, a longer user name is refused",
		.test_func = longest,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "the best mechanism for the kind of secret is picked",
		.test_func = pick,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "an OAuth refusal is readable and holds no controls",
		.test_func = refusal,
	};
	return cmocka_run_group_tests_name("net/sasl", tests, NULL, NULL);
}
