/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MCP over HTTP: who has access, what is said on refusal, and how calls are
 * named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "door/mcp/streamable.h"

/* A number and its text are different ids, and so are those of two sessions. */
static void
test_which(void **state)
{
	struct mcp here = { .conversation = "here" };
	struct mcp there = { .conversation = "there" };
	struct mcp_id one = { .kind = MCP_ID_INT, .n = 1 };
	struct mcp_id two = { .kind = MCP_ID_INT, .n = 2 };
	struct mcp_id text = { .kind = MCP_ID_TEXT, .text = S("1") };
	uint64_t call = mcp_session_call(&here, &one);

	(void)state;
	assert_true(call == mcp_session_call(&here, &one));
	assert_true(call != mcp_session_call(&here, &two));
	assert_true(call != mcp_session_call(&here, &text));
	assert_true(call != mcp_session_call(&there, &one));
	assert_true(mcp_session(&here) != mcp_session(&there));
}

/* No route is open without a token, or to pages of others; but whoever has none
 * reads who issues them. */
static void
test_routes_are_guarded(void **state)
{
	const struct route *r = mcp_route_rows;

	(void)state;
	assert_string_equal(r->method, "POST");
	for (; r->path != NULL; r++) {
		bool told = str_starts(str_of(r->path),
		    S("/.well-known/oauth-protected-resource"));

		assert_string_equal(told ? "GET" : "/mcp",
		    told ? r->method : r->path);
		assert_int_equal(r->who,
		    ROUTE_HOST | ROUTE_ORIGIN | (told ? 0 : ROUTE_BEARER));
		assert_non_null(r->answer);
	}
}

static void
test_refusals(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 10);
	mcp_streamable_refuse(&b, 404, "why");
	assert_string_equal(str_c(a, buf_view(&b)),
	    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,"
	    "\"message\":\"why\"}}");
	buf_init(&b, a, 1 << 10);
	mcp_streamable_refuse(&b, 503, "why");
	assert_string_equal(str_c(a, buf_view(&b)),
	    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,"
	    "\"message\":\"why\"}}");
}

/* A request that cancels another call need not be queued. */
static void
test_what_is_brief(void **state)
{
	(void)state;
	assert_true(mcp_streamable_brief(
	    S("{\"method\":\"notifications/cancelled\"}")));
	assert_true(mcp_streamable_brief(S("{\"id\":1,\"result\":{}}")));
	assert_false(mcp_streamable_brief(S("{\"method\":\"tools/call\"}")));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which),
		cmocka_unit_test(test_routes_are_guarded),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_what_is_brief),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
