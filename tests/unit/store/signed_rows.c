/* SPDX-License-Identifier: Apache-2.0 */
/* The signed rows, their form as text, and reading it again. */
#include "fixture.h"

#include "store/signed_rows.h"

/* Agents' processes write these too, or nobody does: they are not signed. */
static const char *const unsigned_tables[] = { "acked", "audit_link",
	"audit_log", "claim", "correspondent", "folder_state", "freeze",
	"issuer_kept", "journal", "journal_message", "mcp_session", "notice",
	"notice_told", "outbox", "outbox_change", "outbox_recipient",
	"seen_message", "signed", "skill_grant", "sqlite_sequence", "taint",
	"uid_folder", "uid_map" };

static void
every_table_is_one_or_the_other(void **state)
{
	struct fx *x = *state;
	struct stmt *st = NULL;

	assert_ok(x,
	    stmt_prepare(x->s,
		"SELECT name FROM sqlite_master WHERE type = 'table'", &st,
		&x->e));
	while (stmt_step(x->s, st, &x->e) == 1) {
		struct str name = stmt_column(st, 0, x->a);
		bool free = false;

		for (size_t i = 0;
		     i < sizeof(unsigned_tables) / sizeof(unsigned_tables[0]);
		     i++)
			free = free || str_eq(name, str_of(unsigned_tables[i]));
		if (free == signed_rows_cover(str_c(x->a, name)))
			fail_msg("%.*s: name it in store/signed_rows.c, if it "
				 "is the operator's, or here",
			    STR_ARG(name));
	}
	stmt_done(&st);
}

static void
text_and_back(void **state)
{
	struct fx *x = *state;
	struct signed_set was, is;
	struct str text;

	(void)fx_account(x, "work");
	assert_ok(x, signed_rows_take(x->s, x->a, &was, &x->e));
	text = signed_rows_text(&was, x->a);
	assert_true(signed_rows_read(text, x->a, &is));
	assert_true(signed_rows_same(&was, &is));
	/* A text cut anywhere except between rows is invalid. */
	for (size_t i = 0; i < text.n; i++) {
		if (signed_rows_read(str_first(text, i), x->a, &is))
			assert_true(is.n < was.n);
	}
}

static const char *const broken[] = { "x", "1", "1:", "1:a", "1:ab", "2:a,",
	"-", "-1:a,", "99999999999:a,", "1:a,1:a,", "1:a,1:a,1:a" };

static void
broken_texts(void **state)
{
	struct fx *x = *state;
	struct signed_set is;

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		if (signed_rows_read(str_of(broken[i]), x->a, &is))
			fail_msg("read: %s", broken[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every table is one or the other",
		    every_table_is_one_or_the_other),
		TEST("as text and back", text_and_back),
		TEST("broken texts are none", broken_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
