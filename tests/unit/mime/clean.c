/* Text without what nobody sees. */
#include "../rows.h"

#include "mime/message.h"

static const struct row {
	const char *why;
	struct str in, out;
	size_t removed;
} rows[] = {
	{ "plain text stays", SI("a b\tc\n"), SI("a b\tc\n"), 0 },
	{ "letters of every script stay", SI("\xC3\xA9\xE6\x97\xA5\xD7\x90"),
	    SI("\xC3\xA9\xE6\x97\xA5\xD7\x90"), 0 },
	{ "terminal controls go", SI("a\033[2Jb\r\x7F\xC2\x9B"), SI("a[2Jb"),
	    4 },
	{ "words in Unicode tags go", SI("a\xF3\xA0\x81\x81\xF3\xA0\x81\x82z"),
	    SI("az"), 2 },
	{ "zero widths go",
	    SI("a\xE2\x80\x8B\xEF\xBB\xBF\xC2\xAD"
	       "b"),
	    SI("ab"), 3 },
	{ "direction marks go", SI("a\xE2\x80\xAEgpj.exe\xE2\x81\xA9"),
	    SI("agpj.exe"), 2 },
	{ "an emoji of several keeps its joiner",
	    SI("\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5"),
	    SI("\xE2\x9D\xA4\xEF\xB8\x8F\xE2\x80\x8D\xF0\x9F\x94\xA5"), 0 },
	{ "joiners behind ASCII go",
	    SI("a\xE2\x80\x8C\xE2\x80\x8D"
	       "b"),
	    SI("ab"), 2 },
	{ "of a run of joiners one stays",
	    SI("\xE6\x97\xA5\xE2\x80\x8C\xE2\x80\x8C\xE2\x80\x8D"),
	    SI("\xE6\x97\xA5\xE2\x80\x8C"), 2 },
	{ "nothing stays nothing", SI("\xE2\x80\x8B"), SI(""), 1 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	size_t removed = 0;

	rows_same(mime_clean(a, r->in, &removed), r->out);
	assert_int_equal(removed, r->removed);
	assert_true(str_eq(mime_clean(a, r->in, NULL), r->out));
}

int
main(void)
{
	ROWS(rows, row);
	return cmocka_run_group_tests_name("mime/clean", rows_tests, NULL,
	    NULL);
}
