/* SPDX-License-Identifier: Apache-2.0 */
/* What reaches the environment of an agent's program. */
#include "../rows.h"

#include "runtime/process.h"

static struct row {
	const char *why;
	const char *line;
	bool kept;
} rows[] = {
	{ "what everybody has", "HOME=/home/me", true },
	{ "the operator's key", "EMCLI_ADMIN_KEY=k", false },
	{ "the agent's key", "EMCLI_KEY=k", false },
	{ "the file of a key", "EMCLI_KEY_FILE=/k", false },
	{ "the database", "EMCLI_DB=/db", false },
	{ "credentials of a service", "CREDENTIALS_DIRECTORY=/run/c", false },
	{ "a folder of credentials by a longer name",
	    "CREDENTIALS_DIRECTORY_OF_MINE=/c", true },
	{ "the socket of a service", "NOTIFY_SOCKET=/run/n", false },
	{ "the token of a mail server",
	    "HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN=t", false },
	{ "the address of a mail server", "HOUMAO_STALWART_BASE_URL=u", true },
	{ "an old variable of mailboxes", "HOUMAO_MAILBOX_ADDRESS=a@b", false },
	{ "the manifest of the session that starts this one",
	    "HOUMAO_MANIFEST_PATH=/old", false },
	{ "a home of another", "CODEX_HOME=/old", false },
	{ "a variable whose name only begins like one that is added",
	    "CODEX_HOME_2=/x", true },
	{ "a name in another case", "emcli_key=k", true },
	{ "a line without a value", "ODD", true },
	{ "no name", "=x", true },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const struct row *r = *state;
	struct str added = S("CODEX_HOME=/new");
	const struct strs add = { &added, 1 };
	char *from[] = { str_c(a, str_of(r->line)), NULL };
	struct strs got = process_environment(from, &add, a);

	assert_int_equal(got.n, r->kept ? 2 : 1);
	assert_int_equal(str_among(&got, str_of(r->line)), r->kept);
	assert_true(str_among(&got, added));
}

ROWS_MAIN("runtime/process", rows, row)
