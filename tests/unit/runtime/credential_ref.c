/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "backend/agentbox/name.h"
#include "runtime/runtime.h"

static struct row {
	const char *why;
	struct str url, address;
	const char *want;
} rows[] = {
	{ "a plain one", SI("https://mail.example.test/jmap"),
	    SI("writer@agents.example.test"),
	    "stalwart-writer-at-agents-example-test-2ee98cbb542ea0e0" },
	{ "a slash at the end is another URL",
	    SI("https://mail.example.test/jmap/"),
	    SI("writer@agents.example.test"),
	    "stalwart-writer-at-agents-example-test-76fa2cdf3f2a5a19" },
	{ "so is the address of the session",
	    SI("https://mail.example.test/jmap/session"),
	    SI("writer@agents.example.test"),
	    "stalwart-writer-at-agents-example-test-b4556a67d47a71ba" },
	{ "a dot in the local part", SI("http://127.0.0.1:8080/jmap"),
	    SI("ci.bot@example.org"),
	    "stalwart-ci-bot-at-example-org-cbb16bf415b880d6" },
	/* Computed by sha256sum(1). */
	{ "case is kept", SI("https://mail.example.test/jmap"),
	    SI("Writer+1@Agents.example.test"), NULL },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct str got = credential_ref(a, r->url, r->address);

	if (r->want != NULL)
		rows_same(got, str_of(r->want));
	else
		assert_true(str_starts(got,
		    S("stalwart-Writer+1-at-Agents-example-test-")));
	assert_true(credential_ref_is_safe(got));
}

static struct unsafe {
	const char *why;
	struct str ref;
} unsafes[] = {
	{ "nothing", SI("") },
	{ "of another transport", SI("imap-x") },
	{ "a path", SI("stalwart-../../x") },
	{ "a folder", SI("stalwart-a/b") },
	{ "a dot", SI("stalwart-a.json") },
	{ "a NUL", SI("stalwart-a\0b") },
	{ "a blank", SI("stalwart-a b") },
	{ "a byte that is not ASCII", SI("stalwart-\xC3\xA4") },
};

static void
unsafe(void **state)
{
	const struct unsafe *r = *state;

	assert_false(credential_ref_is_safe(r->ref));
}

/* The longest address still gives the name of a file. */
static void
longest(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str host = rows_repeat(a, S("a"), LIMIT_AGENT_ADDRESS - 2);
	struct str address = str_fmt(a, "x@%.*s", STR_ARG(host));
	struct str ref = credential_ref(a, S("https://h/"), address);

	(void)state;
	assert_true(agentbox_name_address(address));
	assert_true(credential_ref_is_safe(ref));
	assert_true(ref.n + strlen(".json") <= LIMIT_FILE_NAME);
	assert_false(credential_ref_is_safe(
	    str_fmt(a, "%.*s%.*s", STR_ARG(ref), STR_ARG(ref))));
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(unsafes, unsafe);
	rows_add("the longest address", longest, NULL);
	return cmocka_run_group_tests_name("runtime/credential_ref", rows_tests,
	    NULL, NULL);
}
