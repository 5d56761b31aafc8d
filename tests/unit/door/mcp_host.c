/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises hosts by name, and checks the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "door/mcp/host.h"

static void
test_names(void **state)
{
	static const struct {
		const char *given, *row;
	} rows[] = {
		{ "claude-code", "claude-code" },
		{ "Claude-Code", "claude-code" },
		{ "claude-codex", NULL },
		{ "claude-cod", NULL },
		{ "gemini-cli-mcp-client", "gemini-cli-mcp-client*" },
		{ "gemini-cli-mcp-client-mail", "gemini-cli-mcp-client*" },
		{ "gemini-cli", NULL },
		{ "*", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct mcp_host *h = mcp_host_find(str_of(rows[i].given));

		if (rows[i].row == NULL)
			assert_null(h);
		else
			assert_string_equal(h->name, rows[i].row);
	}
}

/* No row follows one that takes its names. */
static void
test_rows(void **state)
{
	(void)state;
	for (const struct mcp_host *h = mcp_host_table; h->name != NULL; h++) {
		assert_ptr_equal(mcp_host_find(str_of(h->name)), h);
		assert_non_null(h->seen);
		assert_true((h->turn[0] == NULL) == (h->turn[1] == NULL));
	}
	assert_false(mcp_host_does(NULL, MCP_HOST_LISTS));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests_name("door/mcp_host", tests, NULL, NULL);
}
