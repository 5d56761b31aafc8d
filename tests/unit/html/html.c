/* SPDX-License-Identifier: Apache-2.0 */
/* HTML to text: each row has a page and what a person would read of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "html/html.h"

struct row {
	const char *why;
	const char *html;
	const char *want;
};

static const struct row rows[] = {
	{ "text stays", "hello", "hello\n" },
	{ "what is hidden is left out, with all within",
	    "a<div style=\"DISPLAY : none\">x<b>y</b><div>z</div></div>b",
	    "ab\n" },
	{ "so is what has the attribute", "a<span hidden>x</span>b", "ab\n" },
	{ "and what has no size or is transparent",
	    "a<i style='font-size:0px'>x</i><i style=opacity:0>y</i>"
	    "<i style='color:red;visibility:hidden'>z</i>b",
	    "ab\n" },
	{ "what is small is not hidden",
	    "<i style='font-size:0.8em;opacity:0.5;display:block'>x</i>",
	    "x\n" },
	{ "what is hidden may be unknown to us",
	    "a<font style=display:none>x<font>y</font></font>b", "ab\n" },
	{ "a hidden paragraph ends with the next block",
	    "<div><p style=display:none>x<p>a</div>b", "a\n\nb\n" },
	{ "or with what it stands in", "<div><p hidden>x</div>b", "b\n" },
	{ "a hidden cell ends with the next",
	    "<table><tr><td hidden>x<td>a</table>b", "a\nb\n" },
	{ "a group of columns ends the cell, what is behind it stands before "
	  "the table, and outside a table it is none",
	    "<table><tr><td>a<colgroup>b</table><colgroup hidden>c",
	    "b\na\nc\n" },
	{ "a div that ends ends what is hidden within",
	    "<div>a<span hidden>x<div>y</div></div>b", "a\nb\n" },
	{ "a hidden image hides nothing else", "<img hidden alt=x>b", "b\n" },
	{ "a script in what is hidden ends where it ends",
	    "a<div hidden><script></div>\"</script></div>b", "ab\n" },
	{ "nothing is nothing", "", "" },
	{ "tags alone are nothing", "<p><br></p>", "" },
	{ "white space collapses", " a\t\r\n  b ", "a b\n" },
	{ "no-break spaces are white space", "a&nbsp;&nbsp;\xC2\xA0 b",
	    "a b\n" },
	{ "tags within a word do not split it", "w<b>o</b>rd", "word\n" },
	{ "nor does what is placed elsewhere and shows nothing",
	    "w<b style='visibility:hidden;position:absolute'>x</b>or"
	    "<i style='float:left'></i>d",
	    "word\n" },
	{ "what it shows is words of its own",
	    "w<b style='position:absolute'>x</b>ord", "w\nx\nord\n" },
	{ "br ends a line", "a<br>b<BR/>c", "a\nb\nc\n" },
	{ "at most one empty line", "a<br><br><br><br>b", "a\n\nb\n" },
	{ "paragraphs stand apart", "<p>a</p><p>b</p>", "a\n\nb\n" },
	{ "divs are lines", "<div>a</div><div><div>b</div></div>c",
	    "a\nb\nc\n" },
	{ "an empty div with a br is an empty line",
	    "<div>a</div><div><br></div><div>b</div>", "a\n\nb\n" },
	{ "headings stand apart", "a<h1>T</h1>b", "a\n\nT\n\nb\n" },
	{ "lists have bullets", "x<ul><li>a<li>b</ul>y",
	    "x\n\n- a\n- b\n\ny\n" },
	{ "lists within lists are indented",
	    "<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c\n" },
	{ "a paragraph within an item stays behind its bullet",
	    "<ul><li><p>a</p><li><p>b</p></ul>", "- a\n\n- b\n" },
	{ "an empty item has no bullet", "<ul><li></li><li>a</ul>", "- a\n" },
	{ "rows are lines, cells have tabs between",
	    "<table><tr><td>a<td>b</tr><tr><td>c</td><td>d</td></tr></table>",
	    "a\tb\nc\td\n" },
	{ "paragraphs in cells stand in the row, as Outlook writes them",
	    "<table><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td>c</td>"
	    "<td><p>d</p></td></tr></table>",
	    "a\tb\nc\td\n" },
	{ "a cell of several lines ends the row's line",
	    "<table><tr><td>a<br>b</td><td>c</td></tr></table>", "a\nb\nc\n" },
	{ "under headings an empty cell keeps its place",
	    "<table><tr><th>x<th>y<th>z</tr><tr><td>a<td><td>c</tr></table>",
	    "x\ty\tz\na\t\tc\n" },
	{ "tables within tables are lines",
	    "<table><tr><td><table><tr><td>a<td>b</tr><tr><td>c</table><td>d"
	    "</table>",
	    "a\tb\nc\nd\n" },
	{ "text between cells stands before the table",
	    "<div style=color:#fff><table style=color:#000>x<tr><td>y</table>",
	    "y\n" },
	{ "display decides what is a line",
	    "<span style=display:block>a</span><span style='display: block'>b"
	    "</span><div style=display:inline>c</div>d",
	    "a\nb\ncd\n" },
	{ "empty cells leave no mark",
	    "<table><tr><td></td><td>a</td><td></td></tr></table>", "a\n" },
	{ "pre keeps its lines and spaces", "<pre>\n a\n\n\n  b</pre>c",
	    " a\n\n\n  b\n\nc\n" },
	{ "quotes are marked", "a<blockquote>b<br>c</blockquote>d",
	    "a\n\n> b\n> c\n\nd\n" },
	{ "a link shows its target", "<a href=\"http://x.example/\">y</a>.",
	    "y <http://x.example/>.\n" },
	{ "a link that says its target shows it once",
	    "<a href='http://x.example/'>http://x.example</a> "
	    "<a href=mailto:a@b.example>a@b.example</a>",
	    "http://x.example a@b.example\n" },
	{ "a link that says another target shows both",
	    "<a href=http://evil.example>http://x.example</a>",
	    "http://x.example <http://evil.example>\n" },
	{ "https is not http", "<a href=http://x.example>https://x.example</a>",
	    "https://x.example <http://x.example>\n" },
	{ "a script target is not shown",
	    "<a href='java&#10;script:x'>y</a><a href=data:x>z</a>", "yz\n" },
	{ "a target within the page is not shown", "<a href=#x>y</a>", "y\n" },
	{ "a target cannot end early", "<a href='http://x/> <b'>y</a>",
	    "y <http://x/%3E%20%3Cb>\n" },
	{ "a target's references are decoded",
	    "<a href='http://x/?a=1&amp;b=2&copy=3'>y</a>",
	    "y <http://x/?a=1&b=2&copy=3>\n" },
	{ "an unclosed link ends with the next",
	    "<a href=http://x>a<a href=http://y>b",
	    "a <http://x>b <http://y>\n" },
	{ "a link nobody sees is not shown", "a<a href=http://x></a>b",
	    "ab\n" },
	{ "an image's link is shown", "<a href=http://x><img src=y></a>",
	    "<http://x>\n" },
	{ "an image's name is not seen", "a <img alt='a cat' src=x> b",
	    "a b\n" },
	{ "an image without a name is nothing", "a<img alt=''><img>b", "ab\n" },
	{ "style and script are no text",
	    "a<style>b{}</style><SCRIPT>if (a<b) '</b>'</script>c", "ac\n" },
	{ "an unclosed script hides the rest, as in a browser",
	    "a<script>b</p>", "a\n" },
	{ "the head's title is no text",
	    "<html><head><title>t</title><meta x=y></head><body>a", "a\n" },
	{ "an unclosed head does not hide the page", "<head><p>a", "a\n" },
	{ "a template is left out, noscript is shown: mail runs no scripts",
	    "a<template>b<template>c</template>d</template>"
	    "<noscript>e</noscript>f",
	    "aef\n" },
	{ "comments are no text", "a<!-- <b>x</b> -- > -->b<!-->c<!--->d",
	    "abcd\n" },
	{ "a comment may end in a bang", "a<!--x--!>b", "ab\n" },
	{ "doctype, CDATA and instructions are no text",
	    "<!doctype html><?xml x?>a<![CDATA[x]]>b", "ab\n" },
	{ "conditional comments are comments",
	    "a<!--[if mso]>x<![endif]--><![if !mso]>b<![endif]>", "ab\n" },
	{ "a lone less-than is text", "1 < 2 <3 a<", "1 < 2 <3 a<\n" },
	{ "an unclosed tag is no text", "a<b c", "a\n" },
	{ "a greater-than in quotes ends no tag", "<p title='>'>a", "a\n" },
	{ "an end tag of nothing is nothing", "a</>b</ x>c", "abc\n" },
	{ "stray end tags do no harm",
	    "</ul></blockquote></pre></a></template>a", "a\n" },
	{ "references by name", "&lt;&amp;&gt;&quot;&apos;&eacute;&hearts;",
	    "<&>\"'\xC3\xA9\xE2\x99\xA5\n" },
	{ "references without a semicolon", "&ltp&gt &eacutex &notit;",
	    "<p> \xC3\xA9x \xC2\xACit;\n" },
	{ "an unknown reference stays", "&nosuch; & &; &#; &#x;",
	    "&nosuch; & &; &#; &#x;\n" },
	{ "references by number", "&#65;&#x42;&#X43&#8364;",
	    "ABC\xE2\x82\xAC\n" },
	{ "128 to 159 are windows-1252", "&#128;&#150;&#x99;",
	    "\xE2\x82\xAC\xE2\x80\x93\xE2\x84\xA2\n" },
	{ "numbers beyond Unicode are replaced",
	    "&#0;&#xD800;&#x110000;&#99999999999999999999;",
	    "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\n" },
	{ "control characters go", "a&#27;\x1B&#7;b", "ab\n" },
	{ "an element nobody knows passes its content on",
	    "<x-y-zzzzzzzzzzzzzzzzzzzz>a</x>", "a\n" },
	{ "the first of two attributes counts",
	    "<a href=http://x href=http://y>z</a>", "z <http://x>\n" },
};

static void
reads(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct html_found found = { 0 };
	struct str got = html_text(a, str_of(r->html), 10000, &found);

	assert_string_equal(str_c(a, got), r->want);
	assert_false(found.over);
}

static void
text_is_cut_on_a_character(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct html_found found = { 0 };
	struct str got;

	(void)state;
	got = html_text(a, S("abc\xC3\xA4\xC3\xA4"), 6, &found);
	assert_true(found.over);
	assert_string_equal(str_c(a, got), "abc\xC3\xA4\n");
	got = html_text(a, S("abcdef"), 6, &found);
	assert_false(found.over);
	assert_string_equal(str_c(a, got), "abcdef");
}

/*
 * A quadratic step would take minutes for these, and the time limit of every
 * test program would end it.  No other bound is checked here, because a busy
 * machine is slow.
 */
static void
hostile_pages_are_linear(void **state)
{
	static const char *const unit[] = { "<div>", "<div a=b ", "&", "<",
		"<a href=x>", "<!--", "<ul><li>x", "<blockquote>x", "</",
		"<table><tr><td>x", "<script>", "<x ", "a='", "&#", "&aaaa",
		"<pre>x\n", "-->", "<template>", "<p>x<br>", "<table>x",
		"<table><b>x", "<b><p>x</b>", "<i><b><u><p>x</i></b>",
		"<svg><title>", "<svg><p>x", "<svg><g>", "<math><mi><b>x",
		"<select><option>x", "<template><td>x", "<body a=b>",
		"<a href=x><div>x", "<p><font size=1><td>", "<table><td>x</b>",
		"<form><div></form>", "<ruby><rt>x", "<frameset>",
		"<script><!--", "<x-y></z>", "&nosuchname", "<nobr>x",
		"<table><tr><td></table>x", "<button><p>x" };
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 30);

	(void)state;
	for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
		struct buf b;
		struct html_found found;

		buf_init(&b, a, 4 << 20);
		for (int k = 0; k < 100000; k++)
			buf_text(&b, unit[i]);
		(void)html_text(a, buf_view(&b), 64 << 20, &found);
	}
}

/* The arena aborts if the page takes more memory than allowed. */
static void
many_sheets_take_little_memory(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(16 << 20);
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	for (int k = 0; k < 20000; k++)
		buf_text(&b, "<style>a{top:0}</style>");
	buf_text(&b, "x");
	assert_string_equal(str_c(a, html_text(a, buf_view(&b), 1 << 20, NULL)),
	    "x\n");
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 3] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = reads;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	tests[ROWS] =
	    (struct CMUnitTest)cmocka_unit_test(text_is_cut_on_a_character);
	tests[ROWS + 1] =
	    (struct CMUnitTest)cmocka_unit_test(hostile_pages_are_linear);
	tests[ROWS + 2] =
	    (struct CMUnitTest)cmocka_unit_test(many_sheets_take_little_memory);
	return cmocka_run_group_tests_name("html/html", tests, NULL, NULL);
}
