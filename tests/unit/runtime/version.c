/* SPDX-License-Identifier: Apache-2.0 */
#include "../rows.h"

#include "runtime/runtime.h"

#define NOW INT64_C(1775643072123456) /* 2026-04-08T10:11:12.123456Z */

static struct row {
	const char *why;
	int64_t now;
	struct str last;
	const char *want; /* NULL: refused */
} rows[] = {
	{ "the first one", NOW, SI(""), "2026-04-08T10:11:12.123456Z" },
	{ "zeros are written", INT64_C(1775643072000007), SI(""),
	    "2026-04-08T10:11:12.000007Z" },
	{ "the clock has moved", NOW, SI("2026-04-08T10:11:12.123455Z"),
	    "2026-04-08T10:11:12.123456Z" },
	{ "the clock has not moved", NOW, SI("2026-04-08T10:11:12.123456Z"),
	    "2026-04-08T10:11:12.123457Z" },
	{ "the clock went back", NOW, SI("2026-04-08T11:11:12.999999Z"),
	    "2026-04-08T11:11:13.000000Z" },
	{ "over the end of a year", NOW, SI("2026-12-31T23:59:59.999999Z"),
	    "2027-01-01T00:00:00.000000Z" },
	{ "the last one is no time", NOW, SI("v7"),
	    "2026-04-08T10:11:12.123456Z" },
	{ "the last one has no microseconds", NOW, SI("2027-04-08T10:11:12Z"),
	    "2026-04-08T10:11:12.123456Z" },
	{ "the last one is no date", NOW, SI("2027-99-08T10:11:12.000000Z"),
	    "2026-04-08T10:11:12.123456Z" },
	{ "the last time there is", NOW, SI("9999-12-31T23:59:59.999998Z"),
	    "9999-12-31T23:59:59.999999Z" },
	{ "nothing follows it", NOW, SI("9999-12-31T23:59:59.999999Z"), NULL },
	{ "a clock before 1970", -1, SI(""), NULL },
};

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct row *r = *state;
	struct str got = { 0 };
	struct err e = { 0 };

	assert_int_equal(version_next(a, r->now, r->last, &got, &e),
	    r->want != NULL ? 0 : -1);
	if (r->want != NULL)
		rows_same(got, str_of(r->want));
	else
		assert_int_equal(e.kind, ERR_CONFIG);
}

ROWS_MAIN("runtime/version", rows, row)
