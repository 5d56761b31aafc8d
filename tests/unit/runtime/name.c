/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "backend/agentbox/name.h"
#include "runtime/runtime.h"

static struct reserved {
	const char *why;
	struct str s;
	bool reserved;
} reserved[] = {
	{ "a plain one", SI("writer@agents.example.test"), false },
	{ "the operator's", SI("HOUMAO-operator@houmao.localhost"), true },
	{ "another that is reserved", SI("HOUMAO-x@houmao.localhost"), true },
	{ "reserved elsewhere is not", SI("HOUMAO-x@houmao.localhost.test"),
	    false },
	{ "another case is not reserved", SI("houmao-x@houmao.localhost"),
	    false },
};

static void
is_reserved(void **state)
{
	const struct reserved *r = *state;

	assert_true(agentbox_name_address(r->s));
	assert_int_equal(name_is_reserved(r->s), r->reserved);
}

static struct principal {
	const char *why;
	struct str agent, tool, role;
	const char *want, *at;
} principals[] = {
	{ "the agent's name", SI("writer"), SI("codex"), SI("r"),
	    "HOUMAO-writer", "writer@houmao.localhost" },
	{ "a name that has the prefix", SI("HOUMAO-writer"), SI("codex"),
	    SI("r"), "HOUMAO-writer", "writer@houmao.localhost" },
	{ "no name", SI(""), SI("codex"), SI("code review"),
	    "HOUMAO-codex-code-review", "codex-code-review@houmao.localhost" },
	{ "a path", SI("/a/writer"), SI("codex"), SI("r"), "HOUMAO-codex-r",
	    "codex-r@houmao.localhost" },
	{ "a path below", SI("a/writer"), SI("codex"), SI("r"),
	    "HOUMAO-codex-r", "codex-r@houmao.localhost" },
	{ "a path of here", SI("."), SI("codex"), SI("r"), "HOUMAO-codex-r",
	    "codex-r@houmao.localhost" },
	{ "a path of home", SI("~writer"), SI("codex"), SI("r"),
	    "HOUMAO-codex-r", "codex-r@houmao.localhost" },
	{ "a file", SI("writer.json"), SI("codex"), SI("r"), "HOUMAO-codex-r",
	    "codex-r@houmao.localhost" },
	{ "no role", SI(""), SI("codex"), SI(""), "HOUMAO-codex-role",
	    "codex-role@houmao.localhost" },
	{ "what is left of a role", SI(""), SI("codex"),
	    SI("--_ \xC3\xA4 Die  Rolle!! "), "HOUMAO-codex-Die-Rolle",
	    "codex-Die-Rolle@houmao.localhost" },
	{ "nothing is left of a role", SI(""), SI("codex"), SI("\xC3\xA4/ "),
	    "HOUMAO-codex-role", "codex-role@houmao.localhost" },
	{ "marks in a row", SI(""), SI("_co--dex__"), SI("a_ -_b!!!c__d"),
	    "HOUMAO-co-dex-a_-_b-c_d", "co-dex-a_-_b-c_d@houmao.localhost" },
	{ "forty bytes of both, and no mark last", SI(""), SI("codex"),
	    SI("aaaaaaaaaabbbbbbbbbbccccccccccddd-eeeee"),
	    "HOUMAO-codex-aaaaaaaaaabbbbbbbbbbccccccccccddd",
	    "codex-aaaaaaaaaabbbbbbbbbbccccccccccddd@houmao.localhost" },
};

static void
principal(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct principal *r = *state;
	struct str got = name_principal(a, r->agent, r->tool, r->role);

	rows_same(got, str_of(r->want));
	rows_same(name_address(a, got), str_of(r->at));
	assert_true(name_is_principal(got));
	assert_true(agentbox_name_address(name_address(a, got)));
}

static struct url {
	const char *why;
	struct str s;
	bool good;
} urls[] = {
	{ "https", SI("https://mail.example.test/jmap"), true },
	{ "a port", SI("https://mail.example.test:8443/jmap"), true },
	{ "no path", SI("https://mail.example.test"), true },
	{ "a query", SI("https://mail.example.test?a=b@c"), true },
	{ "another case", SI("HTTPS://mail.example.test/"), true },
	{ "an address of version 6", SI("https://[2001:db8::1]:8443/"), true },
	{ "http of this machine", SI("http://127.0.0.1:8080/jmap"), true },
	{ "by its name", SI("http://localhost/jmap"), true },
	{ "of version 6", SI("http://[::1]:1/"), true },
	{ "http of another", SI("http://mail.example.test/jmap"), false },
	{ "a name that begins like this machine's",
	    SI("http://localhost.example.test/"), false },
	{ "a number that does", SI("http://127.0.0.1.example.test/"), false },
	{ "nothing", SI(""), false },
	{ "no scheme", SI("mail.example.test"), false },
	{ "another scheme", SI("file:///etc/passwd"), false },
	{ "no host", SI("https:///jmap"), false },
	{ "a user", SI("https://me@mail.example.test/"), false },
	{ "a password", SI("https://me:pw@mail.example.test/"), false },
	{ "a backslash before the host",
	    SI("https://a.test\\@mail.example.test/"), false },
	{ "a fragment", SI("https://mail.example.test/#x"), false },
	{ "a blank", SI("https://mail.example.test/a b"), false },
	{ "a line end", SI("https://mail.example.test/\r\nX: y"), false },
	{ "a NUL", SI("https://mail.example.test/\0"), false },
	{ "a byte that is not ASCII", SI("https://m\xC3\xA4il.test/"), false },
	{ "a port that is none", SI("https://mail.example.test:x/"), false },
	{ "a port that is too large", SI("https://mail.example.test:65536/"),
	    false },
	{ "an empty port", SI("https://mail.example.test:/"), false },
	{ "an open bracket", SI("https://[::1/"), false },
	{ "words behind the bracket", SI("http://[::1]evil.test/"), false },
};

static void
url(void **state)
{
	const struct url *r = *state;

	assert_int_equal(name_is_url(r->s), r->good);
}

static void
principal_rule(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	assert_true(name_is_principal(S("HOUMAO-a.b_c-1")));
	assert_true(name_is_principal(rows_repeat(a, S("a"), LIMIT_PRINCIPAL)));
	assert_false(
	    name_is_principal(rows_repeat(a, S("a"), LIMIT_PRINCIPAL + 1)));
	assert_false(name_is_principal(S("")));
	assert_false(name_is_principal(S("-a")));
	assert_false(name_is_principal(S("a b")));
	assert_false(name_is_principal(S("a/b")));
	assert_false(name_is_principal(S("a\nb")));
	assert_false(name_is_principal(S("a@b")));
}

static void
secrets(void **state)
{
	(void)state;
	assert_true(name_is_secret(S("password")));
	assert_true(name_is_secret(S("OPENAI_API_KEY")));
	assert_true(name_is_secret(S("bearer_token")));
	assert_true(name_is_secret(S("clientSecret")));
	assert_false(name_is_secret(S("password_file")));
	assert_false(name_is_secret(S("credential_ref")));
	assert_false(name_is_secret(S("principal_id")));
}

/* RFC 1321, A.5; and a name. */
static void
agent_ids(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);

	(void)state;
	rows_same(name_agent_id(a, S("abc")),
	    S("900150983cd24fb0d6963f7d28e17f72"));
	rows_same(name_agent_id(a, S("")), S(""));
}

int
main(void)
{
	ROWS(reserved, is_reserved);
	ROWS(principals, principal);
	ROWS(urls, url);
	rows_add("a principal", principal_rule, NULL);
	rows_add("members that hold a secret", secrets, NULL);
	rows_add("the identifier of a name", agent_ids, NULL);
	return cmocka_run_group_tests_name("runtime/name", rows_tests, NULL,
	    NULL);
}
