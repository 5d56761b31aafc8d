/* SPDX-License-Identifier: Apache-2.0 */
/* The errors if no token is issued for a code that was shown. */
#include "../net/serve.h"

#include "oauth/internal.h"

#define HEAD(code) "HTTP/1.1 " code " X\r\nConnection: close\r\n\r\n"
#define SHOWN                                                                  \
	HEAD("200")                                                            \
	"{\"device_code\":\"d\",\"user_code\":\"U\",\"verification_uri\":"     \
	"\"https://login.example/\",\"interval\":1,\"expires_in\":2}"

static const struct {
	const char *why, *answer, *text;
} rows[] = {
	{ "nobody came", HEAD("400") "{\"error\":\"authorization_pending\"}",
	    "not entered in time" },
	{ "the provider was down", HEAD("503") "<html>", "cannot answer now" },
};

static void
run(size_t i)
{
	const char *say[] = { SHOWN, rows[i].answer };
	CLEANUP(secret_close) struct secret *id = secret_new("id", 2);
	CLEANUP(oauth_token_done) struct oauth_token t = { .access = NULL };
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(oauth_device_close) struct oauth_device *d = NULL;
	struct oauth_provider p = { .scope = SI("mail") };
	struct oauth_client c = { .provider = &p, .id = id };
	struct err e = { 0 };
	struct serve s;

	serve_start(&s, say, 2);
	p.device_url = p.token_url = str_of(s.base);
	assert_int_equal(oauth_device_open(&c, a, clock_mono_ms() + 20000, &d,
			     &e),
	    0);
	assert_int_equal(oauth_device_wait(d, clock_mono_ms() + 20000, &t, &e),
	    -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	if (strstr(e.say, rows[i].text) == NULL)
		fail_msg("%s: %s", rows[i].why, e.say);
	(void)serve_stop(&s);
}

static void
why_it_ended(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		run(i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(why_it_ended),
	};

	return cmocka_run_group_tests_name("oauth/device", tests, NULL, NULL);
}
