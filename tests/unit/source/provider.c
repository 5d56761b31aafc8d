/* SPDX-License-Identifier: Apache-2.0 */
/* The table of providers: look-ups, and the completeness of each row. */
#include "source/provider.h"

#include "../rows.h"
#include "base/clock.h"

enum how {
	DOMAIN,
	MX,
	NAME
};

static const struct row {
	const char *why;
	enum how how;
	const char *in, *want; /* NULL: none */
} rows[] = {
	{ "a domain", DOMAIN, "gmail.com", "gmail" },
	{ "another of the same", DOMAIN, "googlemail.com", "gmail" },
	{ "a country's", DOMAIN, "hotmail.de", "outlook" },
	{ "a country's of two labels", DOMAIN, "hotmail.co.uk", "outlook" },
	{ "com is a country here", DOMAIN, "outlook.com", "outlook" },
	{ "a stranger's domain below the stem", DOMAIN, "hotmail.evil.example",
	    NULL },
	{ "a stem is no end", DOMAIN, "xhotmail.de", NULL },
	{ "a stem alone", DOMAIN, "hotmail.", NULL },
	{ "a domain below", DOMAIN, "mail.gmail.com", NULL },
	{ "a domain nobody knows", DOMAIN, "example.org", NULL },
	{ "no domain", DOMAIN, "", NULL },
	{ "mail goes to Google", MX, "aspmx.l.google.com", "google" },
	{ "mail goes to Microsoft", MX, "b-example.mail.protection.outlook.com",
	    "microsoft" },
	{ "an end of a name is no domain", MX, "mx.notgoogle.com", NULL },
	{ "mail goes to a stranger", MX, "mx.example.org", NULL },
	{ "a name", NAME, "gmx", "gmx" },
	{ "a name in other letters", NAME, "Gmail", "gmail" },
	{ "a beginning of a name", NAME, "gma", NULL },
	{ "no name", NAME, "", NULL },
};

static void
find(void **state)
{
	const struct row *r = *state;
	struct str in = str_of(r->in);
	const struct provider *p = r->how == DOMAIN ? provider_of_domain(in)
	    : r->how == MX                          ? provider_of_mx(in)
						    : provider_find(in);

	if (r->want == NULL)
		assert_null(p);
	else
		assert_string_equal(p != NULL ? p->name : "-", r->want);
}

static void
every_row(void **state)
{
	(void)state;
	for (const struct provider *p = provider_table; p->name != NULL; p++) {
		int64_t when;

		assert_ptr_equal(provider_find(str_of(p->name)), p);
		assert_non_null(p->title);
		assert_true(clock_parse(str_of(p->checked), &when));
		assert_true(p->imap_port != 0 && p->smtp_port != 0);
		assert_non_null(p->imap_host);
		assert_non_null(p->smtp_host);
		assert_true(p->login != 0);
		assert_true(((p->login & PROVIDER_OAUTH2) != 0) ==
		    (p->consent != NULL));
	}
}

int
main(void)
{
	ROWS(rows, find);
	rows_add("every row is whole", every_row, NULL);
	return cmocka_run_group_tests_name("source/provider", rows_tests, NULL,
	    NULL);
}
