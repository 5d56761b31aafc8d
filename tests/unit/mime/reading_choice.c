/* SPDX-License-Identifier: Apache-2.0 */
/* The alternative that is read, and the report on the others. */
#include "../rows.h"

#include "mime/message.h"

#define MULTI "Content-Type: multipart/alternative; boundary=b\n\n"
#define PLAIN(text) "--b\nContent-Type: text/plain\n\n" text "\n"
#define HTML(text) "--b\nContent-Type: text/html\n\n" text "\n"
#define END "--b--\n"

static const struct row {
	const char *why;
	const char *raw;
	const char *text, *plain, *html; /* auto, and on request */
	const char *other;
	bool divergent;
} rows[] = {
	{ "the same in both is read in plain text",
	    MULTI PLAIN("one") HTML("<b>One</b>") END, "one", "one", "One\n",
	    "", false },
	{ "different things are read as a person sees them",
	    MULTI PLAIN("Send the money") HTML("<p>Happy birthday") END,
	    "Happy birthday\n", "Send the money", "Happy birthday\n",
	    "Send the money", true },
	{ "whichever comes first",
	    MULTI HTML("<p>Happy birthday") PLAIN("Send the money") END,
	    "Happy birthday\n", "Send the money", "Happy birthday\n",
	    "Send the money", true },
	{ "HTML that is one picture gives way, and that is told",
	    MULTI PLAIN("Wire the money today") HTML("<img src=x>") END,
	    "Wire the money today", "Wire the money today",
	    "Wire the money today", "", true },
	{ "so does HTML of which all is hidden",
	    MULTI PLAIN("Wire the money today")
		HTML("<p style=display:none>Happy birthday") END,
	    "Wire the money today", "Wire the money today",
	    "Wire the money today", "", true },
	{ "and empty HTML", MULTI PLAIN("Wire the money today") HTML("") END,
	    "Wire the money today", "Wire the money today",
	    "Wire the money today", "", true },
	{ "a text that speaks of HTML alone says nothing that is not seen",
	    MULTI PLAIN("View this newsletter in your browser")
		HTML("<img src=x>") END,
	    "View this newsletter in your browser",
	    "View this newsletter in your browser",
	    "View this newsletter in your browser", "", false },
	{ "plain text without words gives way",
	    MULTI PLAIN(" \n") HTML("<p>two") END, "two\n", "two\n", "two\n",
	    "", false },
	{ "of two pages the last is shown, and the other told of",
	    MULTI HTML("<p>Send the money") HTML("<p>Happy birthday") END,
	    "Happy birthday\n", "Happy birthday\n", "Happy birthday\n", "",
	    true },
	{ "of two plain texts too",
	    MULTI PLAIN("Send the money") PLAIN("Happy birthday") END,
	    "Happy birthday", "Happy birthday", "Happy birthday", "", true },
	{ "a second plain text is held to the page",
	    MULTI PLAIN("Send the money") PLAIN("Happy birthday")
		HTML("<p>Happy birthday") END,
	    "Happy birthday", "Happy birthday", "Happy birthday\n", "", true },
	{ "more alternatives than are compared are told of",
	    MULTI HTML("x") HTML("x") HTML("x") HTML("x") HTML("x") HTML("x")
		END,
	    "x\n", "x\n", "x\n", "", true },
};

static struct str
text_as(struct arena *a, const struct mime_message *m,
    enum mime_part_choice want, bool divergent)
{
	struct mime_reading got;

	mime_reading_as(a, m, want, &got);
	assert_int_equal(got.divergent, divergent);
	return got.text;
}

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct mime_message m;
	struct mime_reading got;

	mime_message_parse(a, str_of(r->raw), &m);
	mime_reading_make(a, &m, &got);
	rows_same(got.text, str_of(r->text));
	rows_same(got.other, str_of(r->other));
	assert_int_equal(got.divergent, r->divergent);
	rows_same(text_as(a, &m, MIME_PART_PLAIN, r->divergent),
	    str_of(r->plain));
	rows_same(text_as(a, &m, MIME_PART_HTML, r->divergent),
	    str_of(r->html));
}

/* Comparing again at every level once multiplied the time by the levels. */
static void
nesting_costs_no_more(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_message m;
	struct mime_reading got;
	struct buf b;

	(void)state;
	buf_init(&b, a, 64 << 20);
	for (int i = 0; i < 60; i++)
		buf_fmt(&b,
		    "Content-Type: multipart/alternative; boundary=b%dx\n\n"
		    "--b%dx\nContent-Type: text/plain\n\n%d\n--b%dx\n",
		    i, i, i, i);
	buf_text(&b, "Content-Type: text/html\n\n");
	buf_str(&b, rows_repeat(a, S("one two "), 1 << 18));
	mime_message_parse(a, buf_view(&b), &m);
	mime_reading_make(a, &m, &got);
	assert_true(got.divergent);
	assert_true(str_starts(got.text, S("one two")));
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("nesting costs no more", nesting_costs_no_more, NULL);
	return cmocka_run_group_tests_name("mime/reading_choice", rows_tests,
	    NULL, NULL);
}
