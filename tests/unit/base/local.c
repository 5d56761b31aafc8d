/* SPDX-License-Identifier: Apache-2.0 */
/* Times for a person, by what TZ may be. */
#include <inttypes.h>

#include "../rows.h"

#include "base/local.h"

static const struct row {
	const char *why;
	const char *tz;
	int64_t unix_s;
	const char *text;
} rows[] = {
	{ "a rule", "CET-1CEST,M3.5.0,M10.5.0/3", 1782036000,
	    "2026-06-21 12:00 +0200" },
	{ "a rule in winter", "CET-1CEST,M3.5.0,M10.5.0/3", 1766314800,
	    "2025-12-21 12:00 +0100" },
	{ "west of Greenwich by half an hour", "NST3:30", 1782036000,
	    "2026-06-21 06:30 -0330" },
	{ "UTC by its name", "UTC0", 1782036000, "2026-06-21 10:00 +0000" },
	{ "nothing is UTC", "", 1782036000, "2026-06-21 10:00 +0000" },
	{ "a zone that is not there is UTC", "Europe/Atlantis", 1782036000,
	    "2026-06-21 10:00 +0000" },
	{ "a file is not read", "/etc/passwd", 1782036000,
	    "2026-06-21 10:00 +0000" },
	{ "a path up is not read", ":../../../etc/passwd", 1782036000,
	    "2026-06-21 10:00 +0000" },
	{ "before 1970", "XXX-1", -1, "1970-01-01 00:59 +0100" },
};

static const struct row zones[] = {
	{ "a zone of the database", "Europe/Berlin", 1782036000,
	    "2026-06-21 12:00 +0200" },
	{ "with a colon", ":America/New_York", 1782036000,
	    "2026-06-21 06:00 -0400" },
	{ "by the file's transitions", "Europe/Berlin", 1111885199,
	    "2005-03-27 01:59 +0100" },
	{ "a second later", "Europe/Berlin", 1111885200,
	    "2005-03-27 03:00 +0200" },
};

static void
shown(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct local l = local_open(a, r->tz);
	struct str with = local_text(&l, a, r->unix_s, true);
	struct str without = local_text(&l, a, r->unix_s, false);

	assert_string_equal(str_c(a, with), r->text);
	assert_true(str_starts(with, without));
	assert_int_equal(without.n + 6, with.n);
}

int
main(void)
{
	ROWS(rows, shown);
	if (access("/usr/share/zoneinfo/Europe/Berlin", R_OK) == 0)
		ROWS(zones, shown);
	return cmocka_run_group_tests_name("base/local", rows_tests, NULL,
	    NULL);
}
