/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error for a text that is not an address: it quotes the text, and says how
 * to write the address if that is known.
 */
#include "base/clean.h"
#include "base/idna.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/address.h"
#include "mime/internal.h"

enum {
	SHOWN_MAX = 60 /* bytes of the text that an error quotes */
};

static struct str
address_say_shown(struct arena *a, struct str s)
{
	return clean_address(a, utf8_first(s, SHOWN_MAX), NULL);
}

/* The one address in "Bob <bob@x.example>" or "mailto:bob@x.example". */
static bool
address_say_find_inner(struct arena *a, struct str whole, struct str *out)
{
	struct address_spec spec;
	struct str head, tail, in = whole;
	struct addresses l;
	size_t i = 0;

	if (str_cut(in, ':', &head, &tail) && str_eq_case(head, S("mailto")))
		in = tail;
	address_list(a, in, &l);
	if (l.n != 1 || str_eq(l.v[0].addr, whole) || l.v[0].addr.n > SHOWN_MAX)
		return false;
	*out = l.v[0].addr;
	return address_spec_read(a, *out, &i, &spec) && i == out->n &&
	    address_spec_canonical(a, &spec, &head);
}

/* "*@x.example", "@*.x.example", "*": meant as a pattern. */
static int
say_pattern(struct arena *a, struct str in, struct err *e)
{
	struct str local, domain, ascii;

	if (str_cut(in, '@', &local, &domain) && str_eq(local, S("*")) &&
	    idna_ascii(a, domain, &ascii))
		return err_set(e, ERR_USAGE,
		    "%.*s: patterns are not supported: for a whole domain "
		    "write @%.*s",
		    STR_ARG(address_say_shown(a, in)),
		    STR_ARG(address_say_shown(a, domain)));
	return err_set(e, ERR_USAGE,
	    "%.*s: patterns are not supported: write each address, or @domain "
	    "for each domain and sub-domain",
	    STR_ARG(address_say_shown(a, in)));
}

/* Without an "@" it may be the name of a domain. */
static int
say_bare(struct arena *a, struct str in, bool entry, struct err *e)
{
	struct str ascii;

	if (entry && str_has_char(in, '.') && idna_ascii(a, in, &ascii))
		return err_set(e, ERR_USAGE,
		    "%.*s is not a mail address: for a whole domain write "
		    "@%.*s",
		    STR_ARG(address_say_shown(a, in)),
		    STR_ARG(address_say_shown(a, in)));
	return err_set(e, ERR_USAGE,
	    "\"%.*s\" is not a mail address: it has no @domain",
	    STR_ARG(address_say_shown(a, in)));
}

int
address_say(struct arena *a, struct str in, bool entry, struct err *e)
{
	struct str inner;

	in = str_trim(in);
	if (in.n == 0)
		return err_set(e, ERR_USAGE,
		    "a mail address is empty: write one such as bob@x.example");
	if (in.n > LIMIT_ADDRESS)
		return err_set(e, ERR_USAGE,
		    "a mail address has at most %d bytes", LIMIT_ADDRESS);
	if (entry && str_has_char(in, '*'))
		return say_pattern(a, in, e);
	if (address_say_find_inner(a, in, &inner))
		return err_set(e, ERR_USAGE,
		    "\"%.*s\" is more than an address: write only %.*s",
		    STR_ARG(address_say_shown(a, in)), STR_ARG(inner));
	if (in.p[0] == '@')
		return err_set(e, ERR_USAGE,
		    entry ? "%.*s is not a valid domain"
			  : "%.*s is a whole domain: name one mail address",
		    STR_ARG(address_say_shown(a, in)));
	if (str_has_char(in, ',') || str_has_char(in, ';'))
		return err_set(e, ERR_USAGE,
		    "\"%.*s\" is not a mail address: give each address "
		    "separately",
		    STR_ARG(address_say_shown(a, in)));
	if (!str_has_char(in, '@'))
		return say_bare(a, in, entry, e);
	return err_set(e, ERR_USAGE,
	    "\"%.*s\" is not a mail address: write one such as bob@x.example",
	    STR_ARG(address_say_shown(a, in)));
}
