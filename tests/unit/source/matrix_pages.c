/* SPDX-License-Identifier: Apache-2.0 */
/* Each backend's page agrees with the matrix about each operation. */
#include "../rows.h"

#include "backend/backend.h"
#include "source/matrix.h"

#define PAGES "doc/backends/"

static struct str
read_page(struct arena *a, const char *name)
{
	struct str path = str_fmt(a, PAGES "%s.md", name);
	FILE *f = fopen(str_c(a, path), "re");
	size_t max = 64UL << 10, n;
	char *p = arena_alloc(a, max);

	if (f == NULL)
		fail_msg("there is no page %.*s", STR_ARG(path));
	n = fread(p, 1, max, f);
	(void)fclose(f);
	assert_true(n > 0 && n < max);
	return (struct str){ p, n };
}

/* A cell of the matrix as the pages write it. */
static const char *
cell_of(struct str backend, enum role_op op)
{
	static const struct {
		const char *word;
		struct matrix_facts f;
	} words[] = {
		{ "yes", { 0 } },
		{ "drafts", { .drafts = true } },
		{ "sent", { .sent = true } },
		{ "url", { .url = true } },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (matrix_why(backend, op, &words[i].f) == NULL)
			return words[i].word;
	return "no";
}

/* "| `op` | cell | request |": the cells of a row, trimmed. */
static bool
take_row(struct str line, struct str cell[3])
{
	struct str rest, none;

	if (!str_cut(line, '|', &none, &rest) || none.n > 0)
		return false;
	for (int i = 0; i < 3; i++) {
		if (!str_cut(rest, '|', &cell[i], &rest))
			return false;
		cell[i] = str_trim(cell[i]);
	}
	return str_starts(cell[0], S("`"));
}

static void
hold_page(struct arena *a, const char *name)
{
	struct str rest = read_page(a, name), line, cell[3], backend;
	bool kind = false;
	int n = 0;

	backend = str_of(name);
	assert_true(str_starts(rest, str_fmt(a, "# %s\n", name)));
	while (str_cut(rest, '\n', &line, &rest)) {
		if (str_starts(line, S("Thread ids: "))) {
			kind = true;
			rows_same(line,
			    str_fmt(a, "Thread ids: `%s`",
				matrix_id_kind(backend)));
		}
		if (!take_row(line, cell))
			continue;
		assert_true(n < ROLE_OPS);
		rows_same(cell[0], str_fmt(a, "`%s`", role_op_name(n)));
		rows_same(cell[1], str_of(cell_of(backend, n)));
		/* An unsupported operation has no request. */
		assert_int_equal(cell[2].n == 0, str_eq(cell[1], S("no")));
		n++;
	}
	assert_int_equal(n, ROLE_OPS);
	assert_true(kind);
}

/* The row of what can be changed of mail that stays. */
static struct str
changes_of(struct arena *a, const struct backend *be)
{
	const bool cell[] = { (be->flags & FLAG_READ) != 0,
		(be->flags & FLAG_ANSWERED) != 0,
		(be->flags & FLAG_FLAGGED) != 0,
		(be->flags & FLAG_ARCHIVED) != 0, (be->caps & CAP_LABEL) != 0,
		(be->caps & CAP_MOVE) != 0 };
	struct str row = str_fmt(a, "| %s |", be->name);

	for (size_t i = 0; i < sizeof(cell); i++)
		row =
		    str_fmt(a, "%.*s %s |", STR_ARG(row), cell[i] ? "Y" : "N");
	return str_fmt(a, "\n%.*s\n", STR_ARG(row));
}

static void
changes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str all = read_page(a, "README");
	const struct backend *be;

	(void)state;
	for (size_t i = 0; (be = backend_at(i)) != NULL; i++) {
		if (!(be->caps & CAP_READ))
			continue;
		if (str_find(all, changes_of(a, be)) < 0)
			fail_msg("the README lacks this row:%s",
			    str_c(a, changes_of(a, be)));
	}
}

static void
pages(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str all = read_page(a, "README");
	const struct backend *be;

	(void)state;
	for (size_t i = 0; (be = backend_at(i)) != NULL; i++) {
		if (!(be->caps & CAP_READ))
			continue;
		hold_page(a, be->name);
		assert_true(
		    str_find(all,
			str_fmt(a, "| [%s](%s.md) |", be->name, be->name)) > 0);
	}
	for (enum role_op op = 0; op < ROLE_OPS; op++)
		assert_true(str_find(all,
				str_fmt(a, "| `%s` |", role_op_name(op))) > 0);
}

int
main(void)
{
	rows_add("each backend's page has the matrix in it", pages, NULL);
	rows_add("the README tells what each backend changes", changes, NULL);
	return cmocka_run_group_tests_name("source/matrix_pages", rows_tests,
	    NULL, NULL);
}
