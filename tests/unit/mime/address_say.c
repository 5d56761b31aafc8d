/* SPDX-License-Identifier: Apache-2.0 */
/* The description of a text that should have been an address. */
#include "../rows.h"

#include "base/err.h"
#include "mime/address.h"

static const struct say_row {
	const char *why, *in;
	bool entry;
	const char *say;
} says[] = {
	{ "which", "bob@@x.org", false,
	    "\"bob@@x.org\" is not a mail address: write one such as "
	    "bob@x.example" },
	{ "a name with an address", "Bob <bob@x.org>", true,
	    "\"Bob <bob@x.org>\" is more than an address: write only "
	    "bob@x.org" },
	{ "an address with a name, for a recipient", "<bob@x.org>", false,
	    "\"<bob@x.org>\" is more than an address: write only bob@x.org" },
	{ "a link", "mailto:bob@x.org", false,
	    "\"mailto:bob@x.org\" is more than an address: write only "
	    "bob@x.org" },
	{ "a bare domain", "x.org", true,
	    "x.org is not a mail address: for a whole domain write @x.org" },
	{ "which is nobody to write to", "x.org", false,
	    "\"x.org\" is not a mail address: it has no @domain" },
	{ "a name", "bob", true,
	    "\"bob\" is not a mail address: it has no @domain" },
	{ "a pattern", "*@x.org", true,
	    "*@x.org: patterns are not supported: for a whole domain write "
	    "@x.org" },
	{ "a pattern of sub-domains", "@*.x.org", true,
	    "@*.x.org: patterns are not supported: write each address, or "
	    "@domain for each domain and sub-domain" },
	{ "a pattern of names", "bob*@x.org", true,
	    "bob*@x.org: patterns are not supported: write each address, or "
	    "@domain for each domain and sub-domain" },
	{ "a domain where somebody is wanted", "@x.org", false,
	    "@x.org is a whole domain: name one mail address" },
	{ "no domain", "@x..org", true, "@x..org is not a valid domain" },
	{ "two at once", "bob@x.org,al@x.org", true,
	    "\"bob@x.org,al@x.org\" is not a mail address: give each address "
	    "separately" },
	{ "nothing", " ", true,
	    "a mail address is empty: write one such as bob@x.example" },
	{ "what drives a terminal is not shown", "bob\033[2J\xe2\x80\xae@@x",
	    false,
	    "\"bob\xef\xbf\xbd[2J\xef\xbf\xbd@@x\" is not a mail address: "
	    "write one such as bob@x.example" },
};

static void
said(void **state)
{
	struct arena *a = arena_open(1 << 20);
	const struct say_row *r = *state;
	struct err e = { 0 };

	assert_int_equal(address_say(a, str_of(r->in), r->entry, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	rows_same(str_of(e.say), str_of(r->say));
	arena_close(&a);
}

ROWS_MAIN("mime/address_say", says, said)
