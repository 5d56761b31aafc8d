/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The manifest of a home: it is read as it was written, and errors have
 * reasons.
 */
#include "runtime/brain.h"
#include "../rows.h"
#include "base/arena.h"

#define HEAD                                                                   \
	"schema_version: 3\ninputs: {tool: claude}\nruntime: {home_id: w}\n"

static const struct row {
	const char *why;
	struct str text;
	const char *say; /* NULL: valid */
} rows[] = {
	{ "a short one", SI(HEAD), NULL },
	{ "unknown members are skipped", SI(HEAD "new: [1, {a: b}]\n"), NULL },
	{ "a member of another type is as one that is not there",
	    SI(HEAD "identity: [1]\n"), NULL },
	{ "a declaration of another type", SI(HEAD "mailbox: word\n"),
	    "mailbox is not a map" },
	{ "a declaration without a transport", SI(HEAD "mailbox: {}\n"),
	    "mailbox.transport is missing" },
	{ "a secret in a declaration",
	    SI(HEAD "mailbox: {transport: none, password: hunter2}\n"),
	    "mailbox holds a secret" },
	{ "nothing", SI(""), "the manifest" },
	{ "a list", SI("- 1\n"), "schema_version" },
	{ "another version", SI("schema_version: 2\ninputs: {}\nruntime: {}\n"),
	    "build the home again" },
	{ "a version in quotes",
	    SI("schema_version: \"3\"\ninputs: {}\nruntime: {}\n"),
	    "build the home again" },
	{ "no runtime", SI("schema_version: 3\ninputs: {}\n"), "no runtime" },
	{ "no inputs", SI("schema_version: 3\nruntime: {}\n"), "no inputs" },
	{ "an alias", SI(HEAD "a: &x 1\nb: *x\n"), "the manifest" },
	{ "not UTF-8", SI(HEAD "a: \"\xff\"\n"), "the manifest" },
	{ "cut off", SI("schema_version: 3\ninputs: {tool: cl"),
	    "the manifest" },
};

static void
manifest_is_read_or_refused(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct row *r = *state;
	struct brain b;
	struct err e = { 0 };
	int got = brain_read(r->text, a, &b, &e);

	if (r->say == NULL) {
		assert_int_equal(got, 0);
		rows_same(b.tool, S("claude"));
		rows_same(b.home_id, S("w"));
		rows_same(b.agent, S(""));
		assert_false(b.mailbox.said);
		assert_int_equal(b.warnings.n, 0);
		return;
	}
	assert_int_equal(got, -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_non_null(strstr(e.say, r->say));
	rows_same(b.tool, S(""));
}

static void
declaration_is_read(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct brain b;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(brain_read(S(HEAD "mailbox: {transport: none, a: 1, "
					   "b: 2}\n"),
			     a, &b, &e),
	    0);
	assert_true(b.mailbox.said);
	assert_int_equal(b.mailbox.transport, TRANSPORT_NONE);
	assert_int_equal(b.warnings.n, 2);
	rows_same(b.warnings.v[1],
	    S("mailbox.b is not known and has no effect"));
}

static void
agent_has_an_id(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct brain b = { .agent = S("writer") }, none = { 0 };
	struct err e = { 0 };
	struct str text;

	(void)state;
	assert_int_equal(brain_write(&b, a, &text, &e), 0);
	assert_true(
	    str_find(text,
		S("identity:\n  canonical_agent_name: \"writer\"\n"
		  "  agent_id: \"a82feee3cc1af8bcabda979e8775ef0f\"\n")) >= 0);
	assert_int_equal(brain_write(&none, a, &text, &e), 0);
	assert_true(str_find(text, S("agent_id: null\n")) >= 0);
}

static void
all_comes_back(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct str skill = S("mine: \"x\" #1");
	const struct brain_file file = { S("/a: b"), S("c"), true };
	const struct brain b = {
		.built_at = S("2026-04-08T10:11:12Z"),
		.tool = S("codex"),
		.agent = S("yes"),
		.role = S("12"),
		.setup = S("/s\xc3\xa9t \"up\"\n"),
		.skills = { &skill, 1 },
		.root = S("/r"),
		.home_id = S("null"),
		.home_path = S("/r/homes/null"),
		.variable = S("CODEX_HOME"),
		.executable = S("codex"),
		.file = &file,
		.files = 1,
		.mailbox = {
			.said = true,
			.transport = TRANSPORT_STALWART,
			.principal_id = S("HOUMAO-w"),
			.address = S("w@x.example"),
			.base_url = S("https://m.example"),
			.jmap_url = S("https://m.example/jmap"),
			.management_url = S("https://m.example/api"),
		},
	};
	struct brain got;
	struct err e = { 0 };
	struct str text;

	(void)state;
	assert_int_equal(brain_write(&b, a, &text, &e), 0);
	assert_int_equal(brain_read(text, a, &got, &e), 0);
	rows_same(got.built_at, b.built_at);
	rows_same(got.tool, b.tool);
	rows_same(got.agent, b.agent);
	rows_same(got.role, b.role);
	rows_same(got.setup, b.setup);
	assert_int_equal(got.skills.n, 1);
	rows_same(got.skills.v[0], skill);
	rows_same(got.root, b.root);
	rows_same(got.home_id, b.home_id);
	rows_same(got.home_path, b.home_path);
	rows_same(got.variable, b.variable);
	rows_same(got.executable, b.executable);
	assert_true(got.mailbox.said);
	assert_int_equal(got.mailbox.transport, b.mailbox.transport);
	rows_same(got.mailbox.principal_id, b.mailbox.principal_id);
	rows_same(got.mailbox.address, b.mailbox.address);
	rows_same(got.mailbox.filesystem_root, S(""));
	rows_same(got.mailbox.base_url, b.mailbox.base_url);
	rows_same(got.mailbox.jmap_url, b.mailbox.jmap_url);
	rows_same(got.mailbox.management_url, b.mailbox.management_url);
}

int
main(void)
{
	ROWS(rows, manifest_is_read_or_refused);
	rows_add("all that was written comes back", all_comes_back, NULL);
	rows_add("a declaration is read, and what is unknown in it warned of",
	    declaration_is_read, NULL);
	rows_add("an agent has Houmao's identifier", agent_has_an_id, NULL);
	return cmocka_run_group_tests_name("runtime/brain", rows_tests, NULL,
	    NULL);
}
