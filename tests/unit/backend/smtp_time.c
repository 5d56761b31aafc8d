/* SPDX-License-Identifier: Apache-2.0 */
/* The time in a greeting: some servers send it, and it is never invented. */
#include "../rows.h"

#include "backend/smtp/internal.h"

#define T 1782036000 /* 2026-06-21T10:00:00Z */

static struct sample {
	const char *why, *greeting;
	bool told;
	int64_t unix_s;
} rows[] = {
	{ "sendmail",
	    "mx.example ESMTP Sendmail 8.17.1/8.17.1; Sun, 21 Jun 2026 "
	    "10:00:00 GMT",
	    true, T },
	{ "Exchange",
	    "mx.example Microsoft ESMTP MAIL Service ready at Sun, 21 Jun "
	    "2026 12:00:00 +0200",
	    true, T },
	{ "Postfix tells none", "mx.example ESMTP Postfix (Debian/GNU)", false,
	    0 },
	{ "a day alone", "Sun", false, 0 },
	{ "a day and a comma", "closed on Sun,", false, 0 },
	{ "a date that is none", "mx Mon, 99 Foo 2026 25:61:61 +0000", false,
	    0 },
	{ "nothing", "", false, 0 },
};

static void
row(void **state)
{
	const struct sample *r = *state;
	int64_t got = 0;

	assert_int_equal(smtp_probe_time(str_of(r->greeting), &got), r->told);
	if (r->told)
		assert_int_equal(got, r->unix_s);
}

int
main(void)
{
	ROWS(rows, row);
	return cmocka_run_group_tests_name("backend/smtp_time", rows_tests,
	    NULL, NULL);
}
