/* SPDX-License-Identifier: Apache-2.0 */
/* Redirect addresses that may be registered for a client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oauth/internal.h"

static const struct {
	const char *url;
	int port; /* -1: refused */
	const char *uri;
} rows[] = {
	{ "http://127.0.0.1:8080/", 8080, "http://127.0.0.1:8080/" },
	{ "http://127.0.0.1:8080", 8080, "http://127.0.0.1:8080" },
	{ "http://localhost:1/oauth/callback", 1,
	    "http://localhost:1/oauth/callback" },
	{ "http://127.0.0.1/back", 0, "http://127.0.0.1:4711/back" },
	{ "http://127.0.0.1", 0, "http://127.0.0.1:4711" },
	{ "https://127.0.0.1:8080/", -1, NULL },
	{ "http://127.0.0.1:0/", -1, NULL },
	{ "http://127.0.0.1:65536/", -1, NULL },
	{ "http://127.0.0.1:x/", -1, NULL },
	{ "http://127.0.0.1:/", -1, NULL },
	{ "http://evil.example:8080/", -1, NULL },
	{ "http://127.0.0.1.evil.example/", -1, NULL },
	{ "http://u@127.0.0.1:8080/", -1, NULL },
	{ "http://127.0.0.1:8080@evil.example/", -1, NULL },
	{ "http://127.0.0.1:8080/a?b", -1, NULL },
	{ "http://127.0.0.1:8080/a#b", -1, NULL },
	{ "http://127.0.0.1:8080/a b", -1, NULL },
	{ "http://127.0.0.1:8080/\r\nX: y", -1, NULL },
	{ "127.0.0.1:8080", -1, NULL },
	{ "http://", -1, NULL },
	{ "", -1, NULL },
};

static void
read_rows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct oauth_redirect r = { 0 };
		struct err e = { 0 };
		int got = oauth_redirect_read(str_of(rows[i].url), &r, &e);
		struct str uri;

		if (got != (rows[i].port < 0 ? -1 : 0))
			fail_msg("%s: %d", rows[i].url, got);
		if (got < 0) {
			assert_int_equal(e.kind, ERR_USAGE);
			continue;
		}
		assert_int_equal(r.port, rows[i].port);
		uri = oauth_redirect_uri(a, &r, r.port != 0 ? r.port : 4711);
		if (!str_eq(uri, str_of(rows[i].uri)))
			fail_msg("%s: %.*s", rows[i].url, STR_ARG(uri));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_rows),
	};

	return cmocka_run_group_tests_name("oauth/redirect", tests, NULL, NULL);
}
