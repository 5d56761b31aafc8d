/* SPDX-License-Identifier: Apache-2.0 */
/* The XML reader: events for well-formed input, an error for all else. */
#include "source/xml.h"

#include "../rows.h"
#include "base/buf.h"
#include "base/limits.h"

/* <a>: opened, [t]: text, </a>: closed, !: refused. */
static const struct row {
	const char *why, *in, *want;
} rows[] = {
	{ "an element with text", "<a>t</a>", "<a>[t]</a>" },
	{ "an empty element", "<a/>", "<a></a>" },
	{ "an empty element with attributes", "<a b='1' c=\"2\" />",
	    "<a></a>" },
	{ "a declaration, a mark and space around",
	    "\xef\xbb\xbf<?xml version='1.0'?>\n<a></a>\n", "<a></a>" },
	{ "comments anywhere", "<!--x--><a><!-- < & -->t<!----></a><!---->",
	    "<a>[t]</a>" },
	{ "elements within elements", "<a><b><c/></b>t</a>",
	    "<a><b><c></c></b>[t]</a>" },
	{ "space in an end", "<a></a\n>", "<a></a>" },
	{ "text is raw", "<a>&amp;</a>", "<a>[&amp;]</a>" },
	{ "> in a value", "<a b='>'/>", "<a></a>" },
	{ "nothing", "", "!" },
	{ "only space", " \n", "!" },
	{ "text outside the root element", "x<a/>", "!" },
	{ "text behind", "<a/>x", "<a></a>!" },
	{ "two roots", "<a/><b/>", "<a></a>!" },
	{ "a document type", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "!" },
	{ "CDATA", "<a><![CDATA[x]]></a>", "<a>!" },
	{ "a processing instruction", "<a><?b?></a>", "<a>!" },
	{ "a declaration in the middle", "<a/><?xml version='1.0'?>",
	    "<a></a>!" },
	{ "an end of another", "<a></b>", "<a>!" },
	{ "an end too early", "<a><b></a></b>", "<a><b>!" },
	{ "an end of nothing", "</a>", "!" },
	{ "no end", "<a>", "<a>!" },
	{ "cut in a tag", "<a", "!" },
	{ "cut in a name", "<", "!" },
	{ "cut in an attribute", "<a b='", "!" },
	{ "cut in a comment", "<a><!-- x", "<a>!" },
	{ "-- in a comment", "<a><!-- a -- b --></a>", "<a>!" },
	{ "an an attribute without quotes", "<a b=c/>", "!" },
	{ "an an attribute without a value", "<a b/>", "!" },
	{ "attributes run together", "<a b='1'c='2'/>", "!" },
	{ "< in a value", "<a b='<'/>", "!" },
	{ "a name that begins with a digit", "<1/>", "!" },
	{ "bytes that are not UTF-8", "<a>\xff</a>", "!" },
	{ "sixteen deep",
	    "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"
	    "</a></a></a></a></a></a></a></a></a></a></a></a></a></a></a></a>",
	    "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>"
	    "</a></a></a></a></a></a></a></a></a></a></a></a></a></a></a>"
	    "</a>" },
	{ "seventeen deep",
	    "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>",
	    "<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>!" },
};

static void
show(struct buf *b, const struct xml *x, enum xml_event event)
{
	if (event == XML_OPEN)
		buf_fmt(b, "<%.*s>", STR_ARG(x->name));
	else if (event == XML_CLOSE)
		buf_fmt(b, "</%.*s>", STR_ARG(x->name));
	else if (event == XML_TEXT)
		buf_fmt(b, "[%.*s]", STR_ARG(x->text));
}

static void
read_row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	enum xml_event event = XML_TEXT;
	struct err e = { 0 };
	struct buf b;
	struct xml x;
	int got;

	buf_init(&b, a, 4096);
	got = xml_init(&x, str_of(r->in), &e);
	while (got == 0 && event != XML_END) {
		got = xml_next(&x, &event, &e);
		if (got == 0)
			show(&b, &x, event);
	}
	if (got < 0)
		buf_char(&b, '!');
	assert_string_equal(b.n > 0 ? b.p : "", r->want);
}

ROWS_MAIN("source/xml", rows, read_row)
