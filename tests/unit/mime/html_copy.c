/* SPDX-License-Identifier: Apache-2.0 */
/* A plain text as a page, in which every character is text. */
#include "../rows.h"

#include "base/limits.h"
#include "mime/html_copy.h"

#define HEAD                                                                   \
	"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n"
#define TAIL "</body></html>\n"
#define Q "<blockquote type=\"cite\">\n"
#define LINK(to) "<a href=\"" to "\">" to "</a>"

static const struct copy_row {
	const char *why;
	struct str text;
	bool flowed;
	const char *want; /* between head and tail */
} rows[] = {
	{ "nothing", SI(""), false, "" },
	{ "a line is a paragraph", SI("one"), false, "<p>one</p>\n" },
	{ "lines stay lines", SI("one\r\ntwo\rthree\n"), false,
	    "<p>one<br>\ntwo<br>\nthree</p>\n" },
	{ "an empty line ends a paragraph", SI("one\n \n\ntwo\n"), false,
	    "<p>one</p>\n<p>two</p>\n" },
	{ "a flowed paragraph is one", SI("one \ntwo\nthree\n"), true,
	    "<p>one two<br>\nthree</p>\n" },
	{ "marks are text", SI("<b>&amp;'\"</b>"), false,
	    "<p>&lt;b&gt;&amp;amp;&#39;&quot;&lt;/b&gt;</p>\n" },
	{ "no script begins", SI("</p><script>alert(1)</script>"), false,
	    "<p>&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>\n" },
	{ "no comment ends", SI("--><img src=x>"), false,
	    "<p>--&gt;&lt;img src=x&gt;</p>\n" },
	{ "spaces stay", SI("  a  b\tc"), false,
	    "<p>&#160;&#160;a &#160;b&#160;&#160;&#160; c</p>\n" },
	{ "direction marks stay what they are", SI("a\342\200\256b"), false,
	    "<p>a\342\200\256b</p>\n" },
	{ "a quote", SI("yes\n> a\n> b\nno"), false,
	    "<p>yes</p>\n" Q "<p>a<br>\nb</p>\n</blockquote>\n<p>no</p>\n" },
	{ "a quote in a quote", SI("> a\n>> b\n> > c\n>\n> d"), false,
	    Q "<p>a</p>\n" Q "<p>b<br>\nc</p>\n</blockquote>\n<p>d</p>\n"
	      "</blockquote>\n" },
	{ "a flowed quote", SI(">> b \n>> c\n> d\n"), true,
	    Q Q "<p>b c</p>\n</blockquote>\n<p>d</p>\n</blockquote>\n" },
	{ "a mark is no tag", SI("> <b>"), false,
	    Q "<p>&lt;b&gt;</p>\n</blockquote>\n" },
	{ "a signature", SI("yes\n\n-- \nAnn"), false,
	    "<p>yes</p>\n<p>-- <br>\nAnn</p>\n" },
	{ "an address", SI("see https://us.example/a?b=1&c=2."), false,
	    "<p>see " LINK("https://us.example/a?b=1&amp;c=2") ".</p>\n" },
	{ "in brackets", SI("(http://us.example/a) <HTTP://us.example>"), false,
	    "<p>(" LINK("http://us.example/a") ") &lt;" LINK(
		"HTTP://us.example") "&gt;</p>\n" },
	{ "with brackets", SI("http://us.example/a_(b)!"), false,
	    "<p>" LINK("http://us.example/a_(b)") "!</p>\n" },
	{ "of mail", SI("mailto:ann@us.example?subject=x,"), false,
	    "<p>" LINK("mailto:ann@us.example?subject=x") ",</p>\n" },
	{ "a quotation mark ends it", SI("https://us.example/\"onclick=\"x()"),
	    false,
	    "<p>" LINK("https://us.example/") "&quot;onclick=&quot;x()</p>"
					      "\n" },
	{ "one of the other kind does not get out",
	    SI("https://us.example/'x'y"), false,
	    "<p>" LINK("https://us.example/&#39;x&#39;y") "</p>\n" },
	{ "other letters belong to it", SI("https://us.example/Gr\303\274n"),
	    false, "<p>" LINK("https://us.example/Gr\303\274n") "</p>\n" },
	{ "one that hides something is text",
	    SI("https://us.example/\342\200\256moc.live x"), false,
	    "<p>https://us.example/\342\200\256moc.live x</p>\n" },
	{ "no other scheme",
	    SI("javascript:alert(1) data:text/html,x ftp://x file:///x "
	       "vbscript:x"),
	    false,
	    "<p>javascript:alert(1) data:text/html,x ftp://x file:///x "
	    "vbscript:x</p>\n" },
	{ "nor within a word", SI("xhttps://us.example"), false,
	    "<p>xhttps://us.example</p>\n" },
	{ "nor without an address", SI("https:// mailto: http://."), false,
	    "<p>https:// mailto: http://.</p>\n" },
	{ "two of them", SI("http://a.example  http://b.example"), false,
	    "<p>" LINK("http://a.example") " &#160;" LINK(
		"http://b.example") "</p>\n" },
};

static void
copy(void **state)
{
	const struct copy_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(html_copy(a, r->text, r->flowed),
	    str_fmt(a, HEAD "%s" TAIL, r->want));
}

/* What grows faster than its text would not end within the test's limit. */
static void
long_ones(void **state)
{
	static const char *const of[] = { "x", " ", "&", "\n", "> ", "http://",
		"https://a.example/( ", "https://a)", "mailto:", "\342\200\256",
		"http://\342\200\256", ")", ">>>>\n>\n", "h", "\t" };

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		size_t n = (1UL << 20) / strlen(of[i]);
		struct str text = rows_repeat(a, str_of(of[i]), n);

		assert_true(html_copy(a, text, false).n > 0);
		assert_true(html_copy(a, text, true).n > 0);
	}
}

/* More than a message may be is not cut. */
static void
too_long(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	(void)state;
	assert_null(html_copy(a, rows_repeat(a, S("\""), 12UL << 20), false).p);
}

int
main(void)
{
	ROWS(rows, copy);
	rows_add("a megabyte of each", long_ones, NULL);
	rows_add("too long", too_long, NULL);
	return cmocka_run_group_tests_name("mime/html_copy", rows_tests, NULL,
	    NULL);
}
