/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words far below all others, after nothing, and options that are not chosen.
 * In each row a person sees IN and not OUT; the pages have a doctype.
 */
#include "../rows.h"
#include "html/html.h"

struct row {
	const char *why;
	const char *before, *unit; /* the unit is repeated so many times */
	size_t times;
	const char *after;
	enum html_hidden hidden; /* HTML_HIDDENS: nothing is hidden */
};

#define FAR HTML_HIDDEN_POSITION
#define NEAR HTML_HIDDENS

static const struct row rows[] = {
	{ "a high box pushes words away", "IN<div style='height:5000vh'></div>",
	    "", 0, "<p>OUT <p>OUT", FAR },
	{ "a box of some screens does not",
	    "IN<div style='height:1500vh'></div>", "", 0, "<p>IN", NEAR },
	{ "as a sheet, a column of boxes says it",
	    "IN<style>.w{display:flex;flex-direction:column;height:10000vh}"
	    ".b{height:470500px}</style>",
	    "<div class=w><div></div><div class=b></div></div>", 1, "<p>OUT",
	    FAR },
	{ "boxes add up", "IN", "<div style='height:300px'></div>", 70, "OUT",
	    FAR },
	{ "but words end the count", "IN",
	    "<div style='height:12000px'></div>IN", 9, "IN", NEAR },
	{ "the least height counts", "IN<p style='min-height:30000px'></p>", "",
	    0, "OUT", FAR },
	{ "beside a smaller one, too",
	    "IN<p style='height:9px;min-height:30000px'></p>", "", 0, "OUT",
	    FAR },
	{ "the most ends it",
	    "IN<p style='height:30000px;max-height:90px'></p>", "", 0, "IN",
	    NEAR },
	{ "also of a box around it",
	    "IN<div style='max-height:90px'>"
	    "<p style='height:30000px'></p></div>",
	    "", 0, "IN", NEAR },
	{ "a part of something unknown is no height",
	    "IN<p style='height:90000%'></p>", "", 0, "IN", NEAR },
	{ "a number is none", "IN<p style='height:90000'></p>", "", 0, "IN",
	    NEAR },
	{ "a box that is not there takes no room",
	    "IN<p style='display:none;height:30000px'></p>", "", 0, "IN",
	    NEAR },
	{ "one that is not seen does",
	    "IN<p style='visibility:hidden;height:30000px'></p>", "", 0, "OUT",
	    FAR },
	{ "an inline element has no height",
	    "IN<span style='height:30000px'></span>", "", 0, "<p>IN", NEAR },
	{ "a high box in a line has the line's words at its end",
	    "IN<span style='display:inline-block;height:30000px'></span>", "",
	    0, "<p>IN", NEAR },
	{ "alone in a block it pushes",
	    "IN<div><span "
	    "style='display:inline-block;height:30000px'></span></div>",
	    "", 0, "OUT", FAR },
	{ "what floats pushes nothing",
	    "IN<p style='float:left;height:30000px'></p>", "", 0, "IN", NEAR },
	{ "nor what is placed",
	    "IN<p style='position:absolute;height:30000px'>"
	    "</p>",
	    "", 0, "IN", NEAR },
	{ "what is placed may be at the top",
	    "IN<p style='height:30000px'></p>"
	    "<p style='position:absolute;top:0'>IN</p>",
	    "", 0, "OUT", FAR },
	{ "cells stand side by side",
	    "<table><tr><td>IN<td height=30000><td>IN</tr></table>", "", 0,
	    "IN", NEAR },
	{ "words in one may be anywhere in the row",
	    "<table><tr><td>IN<td height=30000></tr><tr><td>IN</table>", "", 0,
	    "", NEAR },
	{ "and do not add up", "<table><tr><td>IN<tr>", "<td height=5000></td>",
	    9, "<tr><td>IN</table>", NEAR },
	{ "rows do", "<table><tr><td>IN", "<tr><td height=5000>", 9,
	    "<tr><td>OUT</table>", FAR },
	{ "words in a high box are at its begin",
	    "IN<div style='height:90000px'>IN</div>", "", 0, "OUT", FAR },
	{ "many words fill it", "<div style='height:30000px'>", "IN is in. ",
	    900, "</div>IN", NEAR },
	{ "a scaled box is as high as it looks",
	    "IN<div style='zoom:.1'><p style='height:30000px'></div>", "", 0,
	    "IN", NEAR },
	{ "pictures are seen", "IN",
	    "<div style='height:3000px'><img src=x width=600></div>", 20, "IN",
	    NEAR },
	{ "a line that is drawn high is none",
	    "IN<p><img src=x width=1 height=30000>", "", 0, "<p>OUT", FAR },
	{ "but holds its words at its end",
	    "IN<b><img src=x width=1 height=30000></b>", "", 0, "<p>IN", NEAR },
	{ "empty lines add up", "IN", "<br>", 2000, "OUT", FAR },
	{ "some hundreds are let pass", "IN", "<br>", 500, "IN", NEAR },
	{ "links far away are none", "IN<p style='height:30000px'></p>", "", 0,
	    "<a href='https://x.example/'>OUT</a>", FAR },
	{ "an option that nobody chose", "<select><option>IN<option>OUT", "", 0,
	    "</select>", HTML_HIDDEN_DISPLAY },
	{ "the one that is", "<select><option>OUT<option selected>IN", "", 0,
	    "</select>", HTML_HIDDEN_DISPLAY },
	{ "a list shows several",
	    "<select size=3><option>IN<option>IN<option>IN", "", 0, "</select>",
	    NEAR },
};

static void
shows(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct row *r = *state;
	struct html_found found = { 0 };
	struct str got, page, left;
	size_t want = 0, seen = 0;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	buf_text(&b, "<!doctype html>");
	buf_text(&b, r->before);
	buf_str(&b, rows_repeat(a, str_of(r->unit), r->times));
	buf_text(&b, r->after);
	page = buf_view(&b);
	got = html_text(a, page, 1 << 20, &found);
	for (left = page; str_find(left, S("IN")) >= 0; want++)
		left = str_from(left, (size_t)str_find(left, S("IN")) + 2);
	for (left = got; str_find(left, S("IN")) >= 0; seen++)
		left = str_from(left, (size_t)str_find(left, S("IN")) + 2);
	assert_int_equal(seen, want);
	assert_true(str_find(got, S("OUT")) < 0);
	assert_int_equal(found.links, 0);
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		assert_int_equal(found.hidden[i], i == r->hidden);
}

ROWS_MAIN("html/fall", rows, shows)
