/* SPDX-License-Identifier: Apache-2.0 */
/* Heads of requests in pieces of any size: what passes, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "door/http/internal.h"

#define LINE "POST /mcp HTTP/1.1\r\n"
#define HOST "Host: h\r\n"
#define GOOD LINE HOST

/* Fed in pieces: the status, and whether a request is incomplete after it. */
static int
feed(const char *text, size_t n, size_t piece, bool *open)
{
	struct http_strict *s = calloc(1, sizeof(*s));
	int status = 0;

	assert_non_null(s);
	for (size_t at = 0; status == 0 && at < n; at += piece)
		status = http_strict_feed(s, text + at,
		    n - at < piece ? n - at : piece);
	*open = http_strict_open(s);
	free(s);
	return status;
}

static void
test_heads(void **state)
{
	static const struct {
		const char *text;
		int status;
		bool open;
	} rows[] = {
		{ GOOD "\r\n", 0, false },
		{ GOOD, 0, true },
		{ GOOD "Content-Length: 2\r\n\r\n{}", 0, false },
		{ GOOD "Content-Length: 2\r\n\r\n{", 0, true },
		{ GOOD "content-length:\t2 \r\n\r\n{}" GOOD "\r\n", 0, false },
		{ "DELETE / HTTP/1.1\r\n" HOST "\r\n", 0, false },
		{ GOOD "Accept: a\r\nAccept: b\r\n\r\n", 0, false },
		/* A head follows a body. */
		{ GOOD "Content-Length: 1\r\n\r\n{}" GOOD "\r\n", 400, true },
		{ GOOD "Content-Length: 0\r\n\r\n{}" GOOD "\r\n", 400, true },
		{ LINE "\r\n", 400, true },
		{ LINE "Host:\r\n\r\n", 400, true },
		{ LINE "Host: \t \r\n\r\n", 400, true },
		{ LINE HOST HOST "\r\n", 400, true },
		{ LINE HOST "hOST: i\r\n\r\n", 400, true },
		{ GOOD "Origin: a\r\nOrigin: b\r\n\r\n", 400, true },
		{ GOOD "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400,
		    true },
		{ GOOD "Content-Length:\r\n\r\n", 400, true },
		{ GOOD "Content-Length: 1 1\r\n\r\n", 400, true },
		{ GOOD "Content-Length: 2097153\r\n\r\n", 413, true },
		{ GOOD "Transfer-Encoding: identity\r\n\r\n", 501, true },
		{ GOOD "X\xe9: a\r\n\r\n", 400, true },
		{ GOOD "X: \xe9\r\n\r\n", 400, true },
		{ GOOD "X: a\x7f\r\n\r\n", 400, true },
		{ GOOD " X: a\r\n\r\n", 400, true },
		{ "POST  /mcp HTTP/1.1\r\n" HOST "\r\n", 400, true },
		{ "POST /mcp\tHTTP/1.1\r\n" HOST "\r\n", 400, true },
		{ "POST /m#p HTTP/1.1\r\n" HOST "\r\n", 400, true },
		{ "POST /mcp HTTP/1.1 \r\n" HOST "\r\n", 505, true },
		{ "POST /mcp HTTP/1.0\r\n" HOST "\r\n", 505, true },
		{ "P(ST /mcp HTTP/1.1\r\n" HOST "\r\n", 400, true },
		{ " /mcp HTTP/1.1\r\n" HOST "\r\n", 400, true },
		{ "\r\n" GOOD "\r\n", 400, true },
		{ "\n", 400, false },
		{ "B\r\n\r\n", 400, true },
		{ "a\rb", 400, true },
		{ "a\r\r\n", 400, true },
		{ "a\r\n\n", 400, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t piece = 1; piece < 80; piece++) {
			size_t n = strlen(rows[i].text);
			bool open;
			int got = feed(rows[i].text, n, piece, &open);

			if (got != rows[i].status || open != rows[i].open)
				fail_msg("row %zu in pieces of %zu: %d, %d", i,
				    piece, got, open);
		}
}

static void
test_a_head_has_an_end(void **state)
{
	char text[LIMIT_MCP_HEAD + 2];
	bool open;
	int n = snprintf(text, sizeof(text), GOOD "X: ");

	(void)state;
	memset(text + n, 'x', sizeof(text) - (size_t)n);
	assert_int_equal(feed(text, LIMIT_MCP_HEAD, 7, &open), 0);
	assert_int_equal(feed(text, LIMIT_MCP_HEAD + 1, 7, &open), 431);
	/* A head that just fits. */
	memcpy(text + LIMIT_MCP_HEAD - 4, "\r\n\r\n", 4);
	assert_int_equal(feed(text, LIMIT_MCP_HEAD, 7, &open), 0);
	assert_false(open);
}

static void
test_nul_is_no_end(void **state)
{
	static const char text[] = LINE "Host: a\0b\r\n\r\n";
	bool open;

	(void)state;
	assert_int_equal(feed(text, sizeof(text) - 1, 1, &open), 400);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_a_head_has_an_end),
		cmocka_unit_test(test_nul_is_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
