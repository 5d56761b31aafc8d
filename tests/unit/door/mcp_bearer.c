/* SPDX-License-Identifier: Apache-2.0 */
/* What clients are told of the identity provider: RFC 9728, RFC 6750. */
#include "../rows.h"

#include "door/mcp/bearer.h"

/* RFC 9728 section 3.1: before the path, and no slash for an empty one. */
static const struct {
	const char *why, *resource, *document;
} rows[] = {
	{ "a path", "https://m.example/mcp",
	    "https://m.example/.well-known/oauth-protected-resource/mcp" },
	{ "a longer one", "https://m.example:8443/a/mcp",
	    "https://m.example:8443/.well-known/oauth-protected-resource/a/"
	    "mcp" },
	{ "no path", "https://m.example",
	    "https://m.example/.well-known/oauth-protected-resource" },
	{ "only a slash", "https://m.example/",
	    "https://m.example/.well-known/oauth-protected-resource" },
	{ "a slash at its end", "https://m.example/mcp/",
	    "https://m.example/.well-known/oauth-protected-resource/mcp/" },
	{ "an address of IPv6", "http://[::1]:8765/mcp",
	    "http://[::1]:8765/.well-known/oauth-protected-resource/mcp" },
};

static void
where_the_document_is(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	size_t i = (size_t)(uintptr_t)*state;

	rows_same(mcp_bearer_url(a, str_of(rows[i].resource)),
	    str_of(rows[i].document));
}

static void
what_is_in_it(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct gate_bearer_resource x = { S("https://id.example/"),
		S("https://m.example/mcp"), S("mail read") };

	(void)state;
	rows_same(json_text(mcp_bearer_document(a, &x), a),
	    S("{\"resource\":\"https://m.example/mcp\","
	      "\"authorization_servers\":[\"https://id.example/\"],"
	      "\"scopes_supported\":[\"mail\",\"read\"],"
	      "\"bearer_methods_supported\":[\"header\"],"
	      "\"resource_name\":\"emcli\"}"));
	x.scope = S("");
	assert_true(str_find(json_text(mcp_bearer_document(a, &x), a),
			S("scopes")) < 0);
}

static void
what_a_refusal_says(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct gate_bearer_resource x = { S("https://id.example"),
		S("https://m.example/"), S("") };

	(void)state;
	rows_same(mcp_bearer_challenge(a, &x, NULL),
	    S("Bearer realm=\"emcli\", resource_metadata="
	      "\"https://m.example/.well-known/oauth-protected-resource\""));
	x.scope = S("mail read");
	rows_same(mcp_bearer_challenge(a, &x, "invalid_token"),
	    S("Bearer realm=\"emcli\", resource_metadata="
	      "\"https://m.example/.well-known/oauth-protected-resource\", "
	      "error=\"invalid_token\", scope=\"mail read\""));
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		rows_add(rows[i].why, where_the_document_is,
		    (const void *)(uintptr_t)i);
	rows_add("what is in it", what_is_in_it, NULL);
	rows_add("what a refusal says", what_a_refusal_says, NULL);
	return cmocka_run_group_tests_name("mcp_bearer", rows_tests, NULL,
	    NULL);
}
