/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes, and text with its references resolved. */
#include "source/xml.h"

#include "../rows.h"

static const struct row {
	const char *why, *in, *want; /* NULL: refused */
} rows[] = {
	{ "text as it stands", "mail.example", "mail.example" },
	{ "space at the ends is dropped", " \n a b\t", "a b" },
	{ "the five", "&lt;&gt;&amp;&quot;&apos;", "<>&\"'" },
	{ "a number", "&#65;&#x42;&#x63;", "ABc" },
	{ "a number beyond ASCII", "&#xe9;", "\xc3\xa9" },
	{ "an entity is read once", "&amp;lt;", "&lt;" },
	{ "no text", "", "" },
	{ "an unknown one", "&nbsp;", NULL },
	{ "one in other letters", "&AMP;", NULL },
	{ "one without an end", "a & b", NULL },
	{ "one without a name", "&;", NULL },
	{ "a number of nothing", "&#;", NULL },
	{ "a hex number of nothing", "&#x;", NULL },
	{ "no number", "&#6a;", NULL },
	{ "a NUL", "&#0;", NULL },
	{ "a line end", "&#10;", NULL },
	{ "half a pair", "&#xd800;", NULL },
	{ "more than there is", "&#x110000;", NULL },
	{ "a number too long", "&#000000065;", NULL },
};

static void
plain(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str out = { 0 };
	struct err e = { 0 };
	int got = xml_plain(a, str_of(r->in), &out, &e);

	assert_int_equal(got, r->want == NULL ? -1 : 0);
	if (got == 0)
		assert_true(str_eq(out, str_of(r->want)));
}

ROWS_MAIN("source/xml_plain", rows, plain)
