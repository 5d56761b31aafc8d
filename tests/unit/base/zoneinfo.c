/* SPDX-License-Identifier: Apache-2.0 */
/* Names of zones from strangers, and the files they may open. */
#include "../rows.h"

#include "base/zoneinfo.h"

static const struct row {
	const char *why;
	struct str name;
} rows[] = {
	{ "nothing", SI("") },
	{ "a path up", SI("../../../etc/passwd") },
	{ "a path up within", SI("Europe/../../../../etc/passwd") },
	{ "a path from the root", SI("/etc/passwd") },
	{ "dots", SI("Europe/Berlin.") },
	{ "an empty word", SI("Europe//Berlin") },
	{ "a slash at the end", SI("Europe/") },
	{ "a NUL", SI("Europe/Berlin\0") },
	{ "a space", SI("Europe/Ber lin") },
	{ "the zone of this machine", SI("localtime") },
	{ "another form of all zones, which counts leap seconds",
	    SI("right/Europe/Berlin") },
	{ "a folder", SI("Europe") },
	{ "a zone that is not there", SI("Europe/Atlantis") },
	{ "a long one",
	    SI("Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	       "aaaaaaaaa") },
};

static void
refused(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str got;

	assert_false(zoneinfo_read(a, r->name, &got));
}

static void
found(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str got;

	(void)state;
	assert_true(zoneinfo_read(a, S("Europe/Berlin"), &got));
	assert_true(str_starts(got, S("TZif")));
	assert_true(zoneinfo_read(a, S("Etc/GMT+5"), &got));
}

int
main(void)
{
	ROWS(rows, refused);
	if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK) == 0)
		rows_add("a zone of the database", found, NULL);
	return cmocka_run_group_tests_name("base/zoneinfo", rows_tests, NULL,
	    NULL);
}
