/* SPDX-License-Identifier: Apache-2.0 */
/* The capability matrix, cell by cell, and the words of the contract. */
#include "../rows.h"

#include "base/limits.h"
#include "source/matrix.h"

static const struct row {
	const char *why;
	/* Y, N, or what it depends on: d(rafts), s(ent), u(rl). */
	const char *cells, *kind;
} rows[] = {
	{ "gmail", "YYYYYYY", "gmail-thread-id" },
	{ "ponymail", "YYNNNYY", "ponymail-mid" },
	{ "imap", "YYdsdYY", "rfc5322-message-id" },
	{ "mbox", "YYNsNuY", "rfc5322-message-id" },
	{ "maildir", "YYdsduY", "rfc5322-message-id" },
	{ "jmap", "YYdsduY", "jmap-thread-id" },
	{ "smtp", "NNNNNNN", NULL },
	{ "", "NNNNNNN", NULL },
};

static void
row(void **state)
{
	const struct row *r = *state;

	for (int bits = 0; bits < 8; bits++) {
		struct matrix_facts f = { bits & 1, bits & 2, bits & 4 };
		unsigned got = matrix_supports(str_of(r->why), &f);

		for (int op = 0; op < ROLE_OPS; op++) {
			char c = r->cells[op];
			bool want = c == 'Y' || (c == 'd' && f.drafts) ||
			    (c == 's' && f.sent) || (c == 'u' && f.url);

			assert_int_equal((got >> op) & 1, want);
			assert_int_equal(matrix_why(str_of(r->why), op, &f) ==
				NULL,
			    want);
		}
	}
	if (r->kind == NULL)
		assert_null(matrix_id_kind(str_of(r->why)));
	else
		assert_string_equal(matrix_id_kind(str_of(r->why)), r->kind);
}

/* The words in the tables of arguments are the words that are read. */
static void
words(void **state)
{
	struct str rest = S(ROLE_OP_WORDS), word;
	enum role_op op;
	enum role role;
	int n = 0;

	(void)state;
	while (rest.n > 0) {
		(void)str_cut(rest, '|', &word, &rest);
		assert_true(role_op_find(word, &op));
		assert_int_equal(op, n++);
		rows_same(word, str_of(role_op_name(op)));
	}
	assert_int_equal(n, ROLE_OPS);
	rest = S(ROLE_WORDS);
	for (n = 0; rest.n > 0; n++) {
		(void)str_cut(rest, '|', &word, &rest);
		assert_true(role_find(word, &role));
		assert_int_equal(role, n);
		rows_same(word, str_of(role_name(role)));
	}
	assert_true(role_op_find(S("read-thread"), &op));
	assert_int_equal(op, ROLE_READ_THREAD);
	assert_false(role_op_find(S("Read_thread"), &op));
	assert_false(role_op_find(S("send"), &op));
	assert_false(role_find(S(""), &role));
}

static void
guesses(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct err e = { 0 };
	enum role_op op;

	(void)state;
	assert_int_equal(role_op_read(a, S("read_threads"), &op, &e), -1);
	assert_string_equal(e.say,
	    "unknown operation \"read_threads\": did you mean read_thread?");
	assert_int_equal(role_op_read(a, S("send"), &op, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	assert_non_null(
	    strstr(e.say, "the operations are list_recent_threads, read"));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("roles and operations are read as they are shown", words,
	    NULL);
	rows_add("the nearest operation is named", guesses, NULL);
	return cmocka_run_group_tests_name("source/matrix", rows_tests, NULL,
	    NULL);
}
