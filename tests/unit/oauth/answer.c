/* SPDX-License-Identifier: Apache-2.0 */
/* The query of the redirect: whether it is ours, and what is read from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oauth/internal.h"

#define ISS "&iss=https%3A%2F%2Flogin.example"

enum which {
	PLAIN,
	KNOWN,
	SAYS,
	TENANT
};

static const struct oauth_provider providers[] = {
	[PLAIN] = { .auth_url = SI("https://login.example/auth") },
	[KNOWN] = { .issuer = SI("https://login.example"),
	    .auth_url = SI("https://login.example/auth") },
	[SAYS] = { .issuer = SI("https://login.example"),
	    .auth_url = SI("https://login.example/auth"),
	    .says_iss = true },
	[TENANT] = { .auth_url = SI("https://login.example/common/auth") },
};

static const struct {
	const char *why;
	enum which who;
	struct str query;
	int want;
	const char *text; /* the code, or the error */
} rows[] = {
	{ "a code", PLAIN, SI("state=st4te&code=4%2F0"), 1, "4/0" },
	{ "no state", PLAIN, SI("code=a"), 0, NULL },
	{ "another state", PLAIN, SI("state=other&code=a"), 0, NULL },
	{ "a shorter state", PLAIN, SI("state=st4t&code=a"), 0, NULL },
	{ "a longer state", PLAIN, SI("state=st4tee&code=a"), 0, NULL },
	{ "an empty state", PLAIN, SI("state=&code=a"), 0, NULL },
	{ "two states", PLAIN, SI("state=st4te&state=st4te&code=a"), 0, NULL },
	{ "an error without our state changes nothing", PLAIN,
	    SI("error=access_denied"), 0, NULL },
	{ "denied", PLAIN, SI("state=st4te&error=access_denied"), -1,
	    "denied" },
	{ "a scope unknown", PLAIN, SI("state=st4te&error=invalid_scope"), -1,
	    "--scope" },
	{ "an error and a code: the error counts", PLAIN,
	    SI("state=st4te&error=access_denied&code=a"), -1, "denied" },
	{ "two errors", PLAIN, SI("state=st4te&error=a&error=b"), -1,
	    "malformed" },
	{ "no code", PLAIN, SI("state=st4te"), -1, "no code" },
	{ "an empty code", PLAIN, SI("state=st4te&code="), -1, "no code" },
	{ "two codes", PLAIN, SI("state=st4te&code=a&code=b"), -1, "no code" },
	{ "a line end in a code", PLAIN, SI("state=st4te&code=a%0d%0ab"), -1,
	    "no code" },
	{ "the right issuer", KNOWN, SI("state=st4te&code=a" ISS), 1, "a" },
	{ "none is needed", KNOWN, SI("state=st4te&code=a"), 1, "a" },
	{ "another issuer", KNOWN,
	    SI("state=st4te&code=a&iss=https%3A%2F%2Fevil.example"), -1,
	    "another provider" },
	{ "an issuer that begins like it", KNOWN,
	    SI("state=st4te&code=a" ISS ".evil"), -1, "another provider" },
	{ "two issuers", KNOWN, SI("state=st4te&code=a" ISS ISS), -1,
	    "another provider" },
	{ "an empty issuer", KNOWN, SI("state=st4te&code=a&iss="), -1,
	    "another provider" },
	{ "where one is promised it must be there", SAYS,
	    SI("state=st4te&code=a"), -1, "does not name" },
	{ "and is", SAYS, SI("state=st4te&code=a" ISS), 1, "a" },
	{ "an error has an issuer too", SAYS,
	    SI("state=st4te&error=access_denied"), -1, "does not name" },
	{ "a tenant of the same provider", TENANT,
	    SI("state=st4te&code=a" ISS "%2Ft3nant%2Fv2.0"), 1, "a" },
	{ "a tenant of another", TENANT,
	    SI("state=st4te&code=a&iss=https%3A%2F%2Fevil.example%2Ft"), -1,
	    "another provider" },
};

static int
same(struct str plain, void *ctx)
{
	return str_eq(plain, str_of(ctx));
}

static void
take(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct oauth_answer x = { 0 };
		struct err e = { 0 };
		int got = oauth_answer_read(rows[i].query, S("st4te"),
		    &providers[rows[i].who], &x, &e);

		if (got != rows[i].want)
			fail_msg("%s: %d", rows[i].why, got);
		if (got == 1)
			assert_int_equal(secret_lend(x.code, same,
					     (void *)rows[i].text),
			    1);
		else
			assert_null(x.code);
		if (got == -1 && strstr(e.say, rows[i].text) == NULL)
			fail_msg("%s: %s", rows[i].why, e.say);
		oauth_answer_done(&x);
	}
}

static void
pasted(void **state)
{
	(void)state;
	assert_true(str_eq(oauth_answer_query(
			       S("  http://127.0.0.1:1/?code=a&state=b\r\n")),
	    S("code=a&state=b")));
	assert_int_equal(oauth_answer_query(S("4/0abc")).n, 0);
	assert_int_equal(oauth_answer_query(S("")).n, 0);
	assert_int_equal(oauth_answer_query(S("http://evil.example/?a")).n, 0);
}

static void
words(void **state)
{
	struct secret *s = secret_new("hush-hush", 9);
	struct err e = { 0 };

	(void)state;
	(void)oauth_fault_set(&e, 400, S("invalid_grant"),
	    S("expired\x1b[31m\nor so"));
	assert_int_equal(e.kind, ERR_AUTH);
	assert_string_equal(e.reason, "consent");
	assert_non_null(strstr(e.say, "emcli account consent"));
	assert_non_null(strstr(e.detail, "expired?[31m?or so"));
	e = (struct err){ 0 };
	(void)oauth_fault_set(&e, 400, S("invalid_grant"),
	    S("no token hush-hush here"));
	assert_null(strstr(e.detail, "hush"));
	assert_null(strstr(e.say, "hush"));
	assert_string_equal(e.reason, "consent");
	e = (struct err){ 0 };
	(void)oauth_fault_set(&e, 503, S(""), S(""));
	assert_int_equal(e.kind, ERR_NETWORK);
	e = (struct err){ 0 };
	(void)oauth_fault_set(&e, 400, S("made_up"), S(""));
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_non_null(strstr(e.detail, "made_up"));
	secret_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(take),
		cmocka_unit_test(pasted),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests_name("oauth/answer", tests, NULL, NULL);
}
