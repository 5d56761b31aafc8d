/* SPDX-License-Identifier: Apache-2.0 */
/* Profile nova: the attachments that may be requested. */
#include "../rows.h"

#include "door/skills/nova.h"

#define TWO "{\"attachments\":[{\"name\":\"a\"},{\"name\":\"b\"}]}"

static const struct row {
	const char *why, *data;
	struct str ids[3];
	enum err_kind kind;
} rows[] = {
	{ "both", TWO, { SI("1"), SI("2") }, ERR_NONE },
	{ "both, the last first", TWO, { SI("2"), SI("1") }, ERR_NONE },
	{ "one of them twice", TWO, { SI("1"), SI("2"), SI("1") }, ERR_NONE },
	{ "one", TWO, { SI("2") }, ERR_UNSUPPORTED },
	{ "one, twice", TWO, { SI("2"), SI("2") }, ERR_UNSUPPORTED },
	{ "one too many", TWO, { SI("1"), SI("2"), SI("3") }, ERR_USAGE },
	{ "the place before the first", TWO, { SI("0"), SI("1"), SI("2") },
	    ERR_USAGE },
	{ "a part's path", TWO, { SI("1.2"), SI("1"), SI("2") }, ERR_USAGE },
	{ "less than none", TWO, { SI("-1"), SI("1"), SI("2") }, ERR_USAGE },
	{ "a number without end", TWO, { SI("99999999999999999999") },
	    ERR_USAGE },
	{ "nothing is there", "{\"attachments\":[]}", { SI("1") }, ERR_USAGE },
	{ "nothing was told", "{}", { SI("1") }, ERR_USAGE },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct strs ids = { 0 };
	struct err e = { 0 };

	for (size_t i = 0; i < 3 && r->ids[i].n > 0; i++)
		str_push(a, &ids, r->ids[i]);
	assert_int_equal(nova_files_all(&ids, str_of(r->data), &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
}

int
main(void)
{
	ROWS(rows, row);
	return cmocka_run_group_tests_name("skills_nova_files", rows_tests,
	    NULL, NULL);
}
