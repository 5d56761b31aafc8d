/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4) and HMAC (RFC 4231), without openssl.cnf. */
#include "openssl_conf.h"

#include "net/sha256.h"

/* This comes first. */
static void
no_configuration_is_read(void **state)
{
	struct openssl_conf c;
	unsigned char out[32];

	(void)state;
	openssl_conf_plant(&c);
	sha256_of(S("abc"), out);
	openssl_conf_untouched(&c);
}

static void
of(void **state)
{
	unsigned char out[32];

	(void)state;
	sha256_of(S("abc"), out);
	assert_memory_equal(out,
	    "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23"
	    "\xb0\x03\x61\xa3\x96\x17\x7a\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad",
	    32);
	sha256_of(S(""), out);
	assert_memory_equal(out, "\xe3\xb0\xc4\x42\x98\xfc\x1c\x14", 8);
}

static void
hmac(void **state)
{
	unsigned char out[32];

	(void)state;
	sha256_hmac(S("Jefe"), S("what do ya want for nothing?"), out);
	assert_memory_equal(out,
	    "\x5b\xdc\xc1\x46\xbf\x60\x75\x4e\x6a\x04\x24\x26\x08\x95\x75\xc7"
	    "\x5a\x00\x3f\x08\x9d\x27\x39\x83\x9d\xec\x58\xb9\x64\xec\x38\x43",
	    32);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_configuration_is_read),
		cmocka_unit_test(of),
		cmocka_unit_test(hmac),
	};

	return cmocka_run_group_tests_name("net/sha256", tests, NULL, NULL);
}
