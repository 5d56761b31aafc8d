/* SPDX-License-Identifier: Apache-2.0 */
/* The example of RFC 7636, and values that nobody can guess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "oauth/internal.h"

static void
challenge(void **state)
{
	char out[OAUTH_RANDOM + 1];

	(void)state;
	/* RFC 7636 appendix B. */
	oauth_pkce_challenge(S("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
	    out);
	assert_string_equal(out, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

static void
chance(void **state)
{
	static const char allowed[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	char last[OAUTH_RANDOM + 1] = "", out[OAUTH_RANDOM + 1];

	(void)state;
	for (int i = 0; i < 200; i++) {
		oauth_pkce_random(out);
		/* RFC 7636 section 4.1: at least 43 of these. */
		assert_int_equal(strlen(out), 43);
		assert_int_equal(strspn(out, allowed), 43);
		assert_string_not_equal(out, last);
		memcpy(last, out, sizeof(last));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(challenge),
		cmocka_unit_test(chance),
	};

	return cmocka_run_group_tests_name("oauth/pkce", tests, NULL, NULL);
}
