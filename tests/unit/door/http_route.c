/* SPDX-License-Identifier: Apache-2.0 */
/* The table of routes: each request that it refuses, and the reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "door/http/internal.h"

#define DIGITS "0123456789abcdef0123456789ABCDEF"
#define TOKEN "Bearer emcli_" DIGITS DIGITS
#define OURS "127.0.0.1:8722"

enum {
	ALL = ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER
};

static void
test_answer(const struct route_request *r)
{
	(void)r;
}

static const struct route rows[] = {
	{ "POST", "/talk", ALL, "application/json", test_answer, NULL, NULL },
	{ "DELETE", "/talk", ALL, NULL, test_answer, NULL, NULL },
	{ "GET", "/health", ROUTE_HOST, NULL, test_answer, NULL, NULL },
	{ "GET", "/file/", ALL | ROUTE_NEAR, NULL, test_answer, NULL, "x" },
	{ 0 },
};

static const struct route_table table = {
	.row = rows,
	.command = "emcli it",
	.no_path = "no path",
	.no_method = "no method",
	.too_far = "too far",
};

static int
ask(const struct http *h, const struct http_looks *x, const struct route **r,
    struct arena *a)
{
	struct str why = { 0 };
	int status = -1;

	*r = http_route(h, x, a, &status, &why);
	assert_true((*r != NULL) == (status == 0));
	assert_true((*r == NULL) == (why.n > 0));
	return status;
}

static void
test_rows(void **state)
{
	static const struct {
		const char *method, *path, *host, *origin, *auth, *type;
		int status, row;
	} asked[] = {
		{ "POST", "/talk", OURS, NULL, TOKEN, "application/json", 0,
		    0 },
		{ "POST", "/talk", OURS, "http://" OURS, TOKEN,
		    " APPLICATION/json ; charset=utf-8", 0, 0 },
		{ "DELETE", "/talk", OURS, NULL, TOKEN, NULL, 0, 1 },
		{ "GET", "/health", OURS, NULL, NULL, NULL, 0, 2 },
		{ "GET", "/health", OURS, "http://evil.example", NULL, NULL, 0,
		    2 },
		{ "GET", "/health", "evil.example", NULL, NULL, NULL, 403, 0 },
		/* Any port of a loopback name, because ports are forwarded. */
		{ "DELETE", "/talk", "LocalHost:9", NULL, TOKEN, NULL, 0, 1 },
		{ "DELETE", "/talk", "[::1]", NULL, TOKEN, NULL, 0, 1 },
		{ "DELETE", "/talk", "localhost:", NULL, TOKEN, NULL, 403, 0 },
		{ "DELETE", "/talk", "localhost:65536", NULL, TOKEN, NULL, 403,
		    0 },
		{ "DELETE", "/talk", "localhost.evil.example", NULL, TOKEN,
		    NULL, 403, 0 },
		{ "DELETE", "/talk", NULL, NULL, TOKEN, NULL, 403, 0 },
		{ "DELETE", "/talk", "", NULL, TOKEN, NULL, 403, 0 },
		/* The first reason is reported. */
		{ "GET", "/other", "evil.example", "null", NULL, NULL, 403, 0 },
		{ "GET", "/other", OURS, "null", NULL, NULL, 403, 0 },
		{ "GET", "/other", OURS, "", NULL, NULL, 403, 0 },
		{ "GET", "/other", OURS, NULL, NULL, NULL, 404, 0 },
		{ "POST", "/talk/", OURS, NULL, TOKEN, NULL, 404, 0 },
		{ "POST", "/Talk", OURS, NULL, TOKEN, NULL, 404, 0 },
		{ "POST", NULL, OURS, NULL, TOKEN, NULL, 404, 0 },
		{ "GET", "/talk", OURS, NULL, NULL, NULL, 405, 0 },
		{ NULL, "/talk", OURS, NULL, TOKEN, NULL, 405, 0 },
		{ "POST", "/health", OURS, NULL, TOKEN, NULL, 405, 0 },
		{ "POST", "/talk", OURS, NULL, NULL, "text/plain", 401, 0 },
		{ "POST", "/talk", OURS, NULL, "Basic x", "application/json",
		    401, 0 },
		{ "POST", "/talk", OURS, NULL, TOKEN, NULL, 415, 0 },
		{ "POST", "/talk", OURS, NULL, TOKEN, "application/jsonp", 415,
		    0 },
		/* Of all paths below it, but not of itself. */
		{ "GET", "/file/a", OURS, NULL, TOKEN, NULL, 0, 3 },
		{ "GET", "/file/a/b", OURS, NULL, TOKEN, NULL, 0, 3 },
		{ "GET", "/file/", OURS, NULL, TOKEN, NULL, 404, 0 },
		{ "GET", "/file", OURS, NULL, TOKEN, NULL, 404, 0 },
		{ "POST", "/file/a", OURS, NULL, TOKEN, NULL, 405, 0 },
	};
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct http h = { .routes = &table, .near = true };
	const struct route *r;

	(void)state;
	str_push(a, &h.hosts, S(OURS));
	str_push(a, &h.origins, S("http://" OURS));
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct http_looks x = {
			.method = str_of(asked[i].method),
			.path = asked[i].path,
			.host = asked[i].host,
			.origin = asked[i].origin,
			.authorization = asked[i].auth,
			.type = asked[i].type,
		};
		int got = ask(&h, &x, &r, a);

		if (got != asked[i].status ||
		    (got == 0 && r != &rows[asked[i].row]))
			fail_msg("row %zu: %d", i, got);
	}
	/* Without a loopback address, its names belong to others. */
	h.near = false;
	assert_int_equal(ask(&h,
			     &(struct http_looks){ .method = S("GET"),
				 .path = "/health",
				 .host = "localhost" },
			     &r, a),
	    403);
}

/* A unix socket, and a server that others may reach. */
static void
test_local(void **state)
{
	static const struct {
		bool local, own, far;
		const char *path, *origin, *auth;
		int status;
	} asked[] = {
		{ true, true, false, "/file/a", NULL, NULL, 0 },
		{ true, true, true, "/file/a", NULL, NULL, 0 },
		{ true, false, false, "/file/a", NULL, TOKEN, 403 },
		{ true, false, false, "/health", NULL, NULL, 403 },
		{ true, true, false, "/file/a", "http://evil.example", NULL,
		    403 },
		{ false, true, false, "/file/a", NULL, NULL, 401 },
		{ false, false, true, "/file/a", NULL, TOKEN, 503 },
		{ false, false, true, "/file/a", NULL, NULL, 503 },
		{ false, false, true, "/health", NULL, NULL, 0 },
	};
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct http h = { .routes = &table, .near = true };
	const struct route *r;

	(void)state;
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct http_looks x = {
			.method = S("GET"),
			.path = asked[i].path,
			.host = asked[i].local ? "x" : "localhost",
			.origin = asked[i].origin,
			.authorization = asked[i].auth,
			.local = asked[i].local,
			.own = asked[i].own,
		};
		int got;

		h.far = asked[i].far;
		got = ask(&h, &x, &r, a);
		if (got != asked[i].status)
			fail_msg("row %zu: %d", i, got);
	}
	assert_string_equal(str_c(a, http_route_rest(&rows[3], "/file/a%2F")),
	    "a%2F");
	assert_int_equal(http_route_rest(&rows[0], "/talk").n, 0);
}

/* A unix socket for anybody: a token decides where there is one. */
static void
test_anyone(void **state)
{
	static const struct {
		bool own;
		const char *origin, *auth;
		int status;
	} asked[] = {
		{ true, NULL, NULL, 0 },
		{ true, NULL, TOKEN, 0 },
		{ true, NULL, "Bearer emcli_x", 401 },
		{ true, NULL, "", 401 },
		{ true, "http://evil.example", TOKEN, 403 },
		/* Its process has ended. */
		{ false, NULL, NULL, 403 },
		{ false, NULL, TOKEN, 403 },
	};
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct route_table of_nobody = table;
	struct http h = { .routes = &of_nobody, .near = true, .anyone = true };
	const struct route *r;

	(void)state;
	of_nobody.command = NULL;
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct http_looks x = {
			.method = S("GET"),
			.path = "/file/a",
			.host = "evil.example",
			.origin = asked[i].origin,
			.authorization = asked[i].auth,
			.local = true,
			.own = asked[i].own,
		};
		int got = ask(&h, &x, &r, a);

		if (got != asked[i].status)
			fail_msg("row %zu: %d", i, got);
	}
}

static void
test_allow(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct http h = { .routes = &table };

	(void)state;
	assert_string_equal(str_c(a, http_route_allow(&h, "/talk", a)),
	    "POST, DELETE");
	assert_string_equal(str_c(a, http_route_allow(&h, "/health", a)),
	    "GET");
	assert_int_equal(http_route_allow(&h, "/other", a).n, 0);
}

static void
test_tokens(void **state)
{
	char text[100] = TOKEN;

	(void)state;
	assert_int_equal(http_route_token(&table, str_of(text)).n, 70);
	memcpy(text, "bEARER", 6);
	assert_int_equal(http_route_token(&table, str_of(text)).n, 70);
	text[strlen(text) - 1] = 'g';
	assert_int_equal(http_route_token(&table, str_of(text)).n, 0);
	text[strlen(text) - 1] = '\0';
	assert_int_equal(http_route_token(&table, str_of(text)).n, 0);
	assert_int_equal(http_route_token(&table, str_of(NULL)).n, 0);
}

/* Where others issue tokens too: RFC 6750 section 2.1. */
static void
test_foreign_tokens(void **state)
{
	static const char *const good[] = { "Bearer a", "bearer  a.b.c",
		"Bearer A-z0-._~+/==", TOKEN };
	static const char *const bad[] = { "Bearer", "Bearer ",
		"Bearer =", "Bearer a b", "Bearer a=b", "Bearer a,b",
		"Bearer \"a\"", "Bearer a\xff", "Basic a", "a" };
	struct route_table theirs = table;

	(void)state;
	theirs.challenge = "Bearer realm=\"x\"";
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(http_route_token(&theirs, str_of(good[i])).n > 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(http_route_token(&theirs, str_of(bad[i])).n,
		    0);
	assert_int_equal(http_route_token(&table, S("Bearer a.b.c")).n, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_local),
		cmocka_unit_test(test_anyone),
		cmocka_unit_test(test_allow),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_foreign_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
