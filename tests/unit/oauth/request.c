/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to the loopback port, cut at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "oauth/internal.h"

#define H "Host: 127.0.0.1:4711\r\n"

static const struct {
	const char *why;
	struct str bytes;
	int want;
	const char *query;
} rows[] = {
	{ "a browser comes back",
	    SI("GET /?code=a&state=b HTTP/1.1\r\n" H "Accept: */*\r\n\r\n"),
	    200, "code=a&state=b" },
	{ "by the other name",
	    SI("GET /?a HTTP/1.1\r\nhost:localhost:4711\r\n\r\n"), 200, "a" },
	{ "an old browser", SI("GET /?a HTTP/1.0\r\n" H "\r\n"), 200, "a" },
	{ "it wants an icon", SI("GET /favicon.ico HTTP/1.1\r\n" H "\r\n"), 404,
	    NULL },
	{ "another path", SI("GET /x?code=a HTTP/1.1\r\n" H "\r\n"), 404,
	    NULL },
	{ "no query", SI("GET / HTTP/1.1\r\n" H "\r\n"), 404, NULL },
	{ "a page posts", SI("POST /?code=a HTTP/1.1\r\n" H "\r\n"), 405,
	    NULL },
	{ "a name somebody points at us",
	    SI("GET /?a HTTP/1.1\r\nHost: evil.example:4711\r\n\r\n"), 421,
	    NULL },
	{ "another port", SI("GET /?a HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n"),
	    421, NULL },
	{ "no host", SI("GET /?a HTTP/1.1\r\n\r\n"), 421, NULL },
	{ "two hosts", SI("GET /?a HTTP/1.1\r\n" H H "\r\n"), 421, NULL },
	{ "an absolute form", SI("GET http://x/?a HTTP/1.1\r\n" H "\r\n"), 404,
	    NULL },
	{ "no HTTP", SI("hello\r\n\r\n"), 400, NULL },
	{ "HTTP of the future", SI("GET /?a HTTP/2\r\n" H "\r\n"), 400, NULL },
	{ "a space too many", SI("GET /?a b HTTP/1.1\r\n" H "\r\n"), 400,
	    NULL },
	{ "a NUL", SI("GET /?a\0b HTTP/1.1\r\n" H "\r\n"), 400, NULL },
	{ "not all of it", SI("GET /?a HTTP/1.1\r\n" H "\r"), 0, NULL },
};

static void
row(size_t i, size_t cut)
{
	struct oauth_request *r = calloc(1, sizeof(*r));
	struct str query = { 0 };
	int got = oauth_request_feed(r, str_first(rows[i].bytes, cut), 4711,
	    S(""), &query);

	if (got == 0)
		got = oauth_request_feed(r, str_from(rows[i].bytes, cut), 4711,
		    S(""), &query);
	if (got != rows[i].want)
		fail_msg("%s, cut at %zu: %d", rows[i].why, cut, got);
	if (rows[i].query != NULL && !str_eq(query, str_of(rows[i].query)))
		fail_msg("%s, cut at %zu: query", rows[i].why, cut);
	free(r);
}

static void
feed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t cut = 0; cut < rows[i].bytes.n; cut++)
			row(i, cut);
}

/* A client registered with a path, and one with http's default port. */
static void
registered(void **state)
{
	static const struct {
		struct str bytes;
		uint16_t port;
		const char *path;
		int want;
	} all[] = {
		{ SI("GET /oauth/back?a HTTP/1.1\r\n" H "\r\n"), 4711,
		    "/oauth/back", 200 },
		{ SI("GET /?a HTTP/1.1\r\n" H "\r\n"), 4711, "/oauth/back",
		    404 },
		{ SI("GET /oauth/back/?a HTTP/1.1\r\n" H "\r\n"), 4711,
		    "/oauth/back", 404 },
		{ SI("GET /x?a HTTP/1.1\r\n" H "\r\n"), 4711, "", 404 },
		{ SI("GET /?a HTTP/1.1\r\n" H "\r\n"), 4711, "", 200 },
		{ SI("GET /?a HTTP/1.1\r\nHost: localhost\r\n\r\n"), 80, "",
		    200 },
		{ SI("GET /?a HTTP/1.1\r\nHost: localhost\r\n\r\n"), 81, "",
		    421 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct oauth_request *r = calloc(1, sizeof(*r));
		struct str query = { 0 };

		if (oauth_request_feed(r, all[i].bytes, all[i].port,
			str_of(all[i].path), &query) != all[i].want)
			fail_msg("row %zu", i);
		free(r);
	}
}

static void
endless(void **state)
{
	struct oauth_request *r = calloc(1, sizeof(*r));
	struct str query;
	int got = 0, n = 0;

	(void)state;
	while ((got = oauth_request_feed(r, S("GET /?aaaaaaaaaaaaaaaaaaa"),
		    4711, S(""), &query)) == 0)
		n++;
	assert_int_equal(got, 431);
	assert_true(n < 1000);
	free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(feed),
		cmocka_unit_test(registered),
		cmocka_unit_test(endless),
	};

	return cmocka_run_group_tests_name("oauth/request", tests, NULL, NULL);
}
