/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Misplaced tags: each row has a page, the text that a browser shows of it, and
 * whether words are left out with a warning.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/limits.h"
#include "html/html.h"

struct row {
	const char *why;
	const char *html;
	const char *want;
	bool warned;
};

static const struct row rows[] = {
	/* HTML 13.2.5.4 to 31: text without tags. */
	{ "a script within a script's comment hides its end",
	    "a<script><!--<script></script>HIDDEN--></script>b", "ab\n",
	    false },
	{ "until the comment ends", "<script><!--<script>--></script>a", "a\n",
	    false },
	{ "or the inner script does", "<script><!--<script></script></script>a",
	    "a\n", false },
	{ "an inner name that goes on is none",
	    "<script><!--<scripts></script>a", "a\n", false },
	{ "a comment may end as it begins", "<script><!--><script></script>a",
	    "a\n", false },
	{ "a comment hides no end by itself", "<script><!-- </script>a", "a\n",
	    false },
	{ "an end tag's name ends where the name does",
	    "<style></styles>x</style >a", "a\n", false },
	{ "a text area holds references, and no tags",
	    "<textarea>\n&lt;b>x</b></textarea>", "<b>x</b>\n", false },
	{ "an <xmp> holds neither", "<xmp>&lt;<b></xmp>&lt;", "&lt;<b>\n\n<\n",
	    false },
	{ "plain text has no end", "a<plaintext>&amp;</plaintext><b>",
	    "a\n&amp;</plaintext><b>\n", false },
	{ "an <iframe> for old browsers is hidden", "a<iframe><p>x</iframe>b",
	    "ab\n", true },
	/* 13.2.6.5: SVG and MathML. */
	{ "a title of SVG ends with it", "<svg><title></svg>foo", "foo\n",
	    false },
	{ "and holds tags", "a<svg><title><b>x</b></title></svg>b", "ab\n",
	    true },
	{ "a style of SVG holds tags, which end it",
	    "<svg><style><p>a</style>b", "ab\n", false },
	{ "and it is a sheet",
	    "<svg><style>.x&#123;display:none}</style></svg><b class=x>n</b>a",
	    "a\n", true },
	{ "a script of SVG holds tags", "<svg><script></svg>a", "a\n", false },
	{ "what is of HTML ends SVG", "<svg><g><p>a</svg>b", "ab\n", false },
	{ "a font ends it when it looks like one",
	    "<svg><font>x</font></svg><svg><font color=red>a", "a\n", true },
	{ "an element that ends itself is empty", "<svg><g/><title/></svg>a",
	    "a\n", false },
	{ "which one of HTML is not", "<svg/><div hidden/>x", "", true },
	{ "CDATA is text in SVG alone", "<svg><![CDATA[<p>]]></svg>a", "a\n",
	    true },
	{ "a text of MathML lets HTML in", "<math><mi><p>x</p></mi></math>a",
	    "a\n", true },
	{ "an end tag of a paragraph ends SVG", "<svg><g></p>a", "a\n", false },
	{ "what SVG holds is not seen", "<svg><text>x</text></svg>a", "a\n",
	    true },
	{ "names of the two do not meet",
	    "<svg><desc><svg><a></desc>x</svg></svg>a", "a\n", true },
	/* 13.2.6.4.22: templates. */
	{ "a table in a template ends with it",
	    "<template><table></template><p>Foo", "Foo\n", false },
	{ "a template holds parts of tables", "<template><tr><td>x</template>a",
	    "a\n", true },
	{ "a template that does not end hides the rest", "a<template><table>b",
	    "a\n", true },
	{ "a template in a table stays there",
	    "<table><template><p>x</template><tr><td>a</table>", "a\n", true },
	/* 13.2.6.4.7: attributes of later tags. */
	{ "a second body gives its attributes to the first",
	    "<body>a<body id=x><style>#x b{display:none}</style><b>HID</b>",
	    "a\n", true },
	{ "and hides what stood before it", "a<body hidden>b", "", true },
	{ "the first of two counts",
	    "<body id=y>a<body id=x><style>#x b{display:none}</style><b>b",
	    "ab\n", false },
	{ "even where it is without a value",
	    "<body id=><body class=x><style>.x b{display:none}</style>a<b>b",
	    "a\n", true },
	{ "so does a second html",
	    "a<html class=x><style>.x b{display:none}</style><b>HID</b>", "a\n",
	    true },
	{ "but none within a template", "a<template><body hidden></template>b",
	    "ab\n", false },
	/* 13.2.6.1: foster parenting. */
	{ "words in a table stand before it",
	    "<table><tr><td>a</td></tr>b</table>c", "b\na\nc\n", false },
	{ "in their order", "<table>a<tr>b<td>1</td>c</tr><b>d</b></table>",
	    "abcd\n1\n", false },
	{ "and in that of their tables",
	    "<table><td>1<table>a<td>2</table></table>", "1a\n2\n", false },
	{ "white space stays", "a<table> <tr> <td>b</table>", "a\nb\n", false },
	{ "also by reference", "a<table>&#32;&#x9;<tr><td>b</table>", "a\nb\n",
	    false },
	{ "a list in a table stands before it",
	    "<table><tr><td>1<tr><ul><li>a</ul></table>", "- a\n\n1\n", false },
	{ "a hidden field in a table stays",
	    "<table><input type=hidden><tr><td>a</table>", "a\n", false },
	{ "a second table in a table ends the first",
	    "<table><tr><td>a</td><table><tr><td>b</table>", "a\nb\n", false },
	/* The adoption agency, and formatting that waits for words. */
	{ "what ends out of order goes on where it stands",
	    "<i style=display:none>x<p>y</i>a</p>", "a\n", true },
	{ "what was hidden around a block hides in it alone",
	    "<b hidden><div>x</b>a</div>b", "a\nb\n", true },
	{ "formatting that did not end goes on",
	    "<p><b style=display:none>x<p>y</b>a", "a\n", true },
	{ "a cell keeps what it holds", "<table><td><b hidden>x<td>a</table>b",
	    "a\nb\n", true },
	{ "a paragraph ends before a table where there is a doctype",
	    "<!doctype html><p hidden><table><td>a</table>", "a\n", false },
	{ "and not where there is none", "<p hidden><table><td>a</table></p>b",
	    "b\n", true },
	{ "a heading ends another's", "<h1>a</h2>b<h3>c", "a\n\nb\n\nc\n",
	    false },
	{ "a form ends alone", "<form><div>a</form>b</div>c", "ab\nc\n",
	    false },
	{ "an end of no paragraph is one", "a</p>b", "a\n\nb\n", false },
	{ "a legend ends no paragraph", "<p hidden>x<legend>y</legend>z", "",
	    true },
	{ "an item ends the one before, through a div",
	    "<ul><li hidden>x<div>y<li>a</ul>", "- a\n", true },
	{ "but not through a section", "<ul><li hidden>x<section>y<li>z</ul>a",
	    "a\n", true },
	{ "a button ends a button", "<button hidden>x<button>a", "a\n", true },
	{ "a link over paragraphs says its target once",
	    "<p><a href=http://x.example>a<p>b</a>",
	    "a <http://x.example>\n\nb\n", false },
	{ "a base cannot end a target early either",
	    "<base href='http://x.example> <b/'><a href=y>z</a>",
	    "z <http://x.example%3E%20%3Cb/y>\n", false },
	/* Frames. */
	{ "a frameset shows nothing else", "<frameset><p>x</frameset>y", "",
	    true },
	{ "behind words there is none", "a<frameset>b", "ab\n", false },
	/* Every omission is reported. */
	{ "an empty text is empty for a reason", "<noframes>x</noframes>", "",
	    true },
	{ "also an icon's title", "<svg><title>pay now", "", true },
	{ "a title that does not end takes the rest", "a<title>b<p>c", "a\n",
	    true },
	{ "so does a script", "a<script>b<p>c", "a\n", true },
	{ "an icon's title is short",
	    "a<svg><title>This is the rest of a mail that nobody would read if "
	    "a title of an icon could take it along without a word",
	    "a\n", true },
	{ "and then it is nothing", "a<svg><title>Home</title></svg>b", "ab\n",
	    false },
	{ "a title of a page is no text that is missing",
	    "<title>x</title><img src=y>", "", false },
};

static void
shows(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct html_found found = { 0 };
	struct str got = html_text(a, str_of(r->html), 10000, &found);
	size_t hidden = 0;

	assert_string_equal(str_c(a, got), r->want);
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		hidden += found.hidden[i];
	assert_int_equal(hidden > 0, r->warned);
	assert_false(found.over);
}

/* Too many nodes: the first are shown, and the omission is reported. */
static void
a_page_has_so_many_nodes(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct html_found found = { 0 };
	struct str got;
	struct buf b;

	(void)state;
	buf_init(&b, a, 16 << 20);
	buf_text(&b, "first ");
	for (size_t i = 0; i < LIMIT_HTML_NODES; i++)
		buf_text(&b, "<br>");
	buf_text(&b, "last");
	got = html_text(a, buf_view(&b), 1 << 20, &found);
	assert_string_equal(str_c(a, got), "first\n");
	assert_true(found.hidden[HTML_HIDDEN_UNKNOWN] > 0);
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 1] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = shows;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	tests[ROWS] =
	    (struct CMUnitTest)cmocka_unit_test(a_page_has_so_many_nodes);
	return cmocka_run_group_tests_name("html/tree", tests, NULL, NULL);
}
