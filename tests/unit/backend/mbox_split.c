/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning and end of messages, with reads cut anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "backend/mbox/internal.h"
#include "base/buf.h"

#define NEXT "Subject: x"

/* From_ lines of real archives, and lines of real letters. */
static const struct {
	const char *line, *next;
	bool scored, strict, loose;
} lines[] = {
	{ "From a@b.example  Wed Nov  1 06:04:52 2017", NEXT, 1, 1, 1 },
	{ "From a@b.example Wed Nov 01 06:04:52 2017", NEXT, 1, 1, 1 },
	{ "From MAILER-DAEMON Fri Jul  8 12:08:34 2011", NEXT, 1, 1, 1 },
	{ "From - ", NEXT, 1, 0, 1 },
	{ "From - Mon Jun  3 10:00:00 2002", NEXT, 1, 1, 1 },
	{ "From 1234567890123@xxx Tue Mar 31 18:38:04 +0000 2015", NEXT, 1, 1,
	    1 },
	{ "From 1234567890123@xxx", NEXT, 1, 0, 1 },
	{ "From 0123456789abcdef0123456789abcdef01234567 "
	  "Mon Sep 17 00:00:00 2001",
	    NEXT, 1, 1, 1 },
	{ "From Wed Nov  1 06:04:52 2017", NEXT, 1, 1, 1 },
	{ "From \"a b\"@c.example Wed Nov  1 06:04:52 2017", NEXT, 1, 1, 1 },
	{ "From a@b.example Wed Nov  1 06:04:52 CET 2017", NEXT, 1, 1, 1 },
	{ "From a@b.example Wed Nov  1 06:04:52 2017 +0100", NEXT, 1, 1, 1 },
	{ "From a@b.example Wed Nov  1 06:04 2017", NEXT, 1, 1, 1 },
	{ "From a@b.example Wed, 1 Nov 2017 06:04:52 +0000", NEXT, 1, 1, 1 },
	{ "From a@b.example 1 Nov 99 06:04:52 GMT", NEXT, 1, 1, 1 },
	{ "From user at host.example  Wed Nov  1 06:04:52 2017", NEXT, 1, 1,
	    1 },
	{ "From ???@??? Wed Nov 01 06:04:52 2017", NEXT, 1, 1, 1 },
	{ "From a@b.example Wed Nov  1 06:04:52 2017",
	    ">From c@d.example Wed Nov  1 06:04:52 2017", 1, 1, 1 },
	{ "From a@b.example Wed Nov  1 06:04:52 2017", "and so on", 0, 0, 1 },
	{ "From a@b.example Wed Nov  1 06:04:52 2017", "", 0, 0, 1 },
	{ "From the beginning", "Note: this is text", 0, 0, 0 },
	{ "From a@b.example I have heard", NEXT, 0, 0, 0 },
	{ "From now on", "", 0, 0, 0 },
	{ "From ", NEXT, 0, 0, 0 },
};

static void
from_lines_are_told_from_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct str line = str_of(lines[i].line);
		struct str next = str_of(lines[i].next);
		bool scored = mbox_fromline_begins(MBOX_SCORED, line, next);
		bool strict = mbox_fromline_begins(MBOX_STRICT, line, next);
		bool loose = mbox_fromline_begins(MBOX_LOOSE, line, next);

		if (scored != lines[i].scored || strict != lines[i].strict ||
		    loose != lines[i].loose)
			fail_msg("%s: %d %d %d", lines[i].line, scored, strict,
			    loose);
	}
}

static void
a_from_line_tells_the_time(void **state)
{
	static const struct {
		const char *line;
		int64_t when_s;
	} times[] = {
		{ "From a@b  Wed Nov  1 06:04:52 2017", 1509516292 },
		{ "From a@b Wed Nov 01 06:04 2017", 1509516240 },
		{ "From a@b Wed Nov  1 06:04:52 2017 +0100", 1509512692 },
		{ "From a@b Wed Nov  1 06:04:52 -0130 2017", 1509521692 },
		{ "From a@b Wed, 01 Nov 17 06:04:52 GMT", 1509516292 },
		{ "From a@b Thu Jan  1 00:00:00 1970", 0 },
		{ "From a@b Thu Jan  1 25:00:00 1970", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct mbox_fromline f;

		mbox_fromline_read(str_of(times[i].line), &f);
		assert_int_equal(f.when_s, times[i].when_s);
	}
}

#define F "From a@b.example Wed Nov  1 06:04:52 2017\n"
#define FR "From a@b.example Wed Nov  1 06:04:52 2017\r\n"

/* A file, and its messages: "[" and "]" around each. */
static const struct file_row {
	const char *why, *file, *want;
	bool by_length, fresh;
	enum mbox_split_end end;
} rows[] = {
	{ "nothing", "", "", 0, 0, MBOX_SPLIT_GOOD },
	{ "two messages", F "A: 1\n\nx\n\n" F "B: 2\n\ny\n",
	    "[A: 1\n\nx\n][B: 2\n\ny\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "empty lines before the first", "\n\n" F "A: 1\n\nx\n",
	    "[A: 1\n\nx\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "CRLF", FR "A: 1\r\n\r\nx\r\n\r\n" FR "B: 2\r\n\r\ny\r\n",
	    "[A: 1\r\n\r\nx\r\n][B: 2\r\n\r\ny\r\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "no end of the last line", F "A: 1\n\nx\n\n" F "B: 2\n\ny",
	    "[A: 1\n\nx\n][B: 2\n\ny]", 0, 0, MBOX_SPLIT_GOOD },
	{ "an empty line of the body's own", F "A: 1\n\nx\n\n\n" F "B: 2\n\n",
	    "[A: 1\n\nx\n\n][B: 2\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "headers alone", F "A: 1\n\n" F "B: 2\n\n", "[A: 1\n][B: 2\n]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "From as a body's first line",
	    F "A: 1\n\nFrom here on\nit is text\n\n" F "B: 2\n\ny\n",
	    "[A: 1\n\nFrom here on\nit is text\n][B: 2\n\ny\n]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "a From_ line within a paragraph", F "A: 1\n\nx\n" F "B: 2\n\ny\n",
	    "[A: 1\n\nx\n" F "B: 2\n\ny\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "a From_ line with text behind it",
	    F "A: 1\n\nx\n\n" F "and so\n\n" F "B: 2\n\ny\n",
	    "[A: 1\n\nx\n\n" F "and so\n][B: 2\n\ny\n]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "Eudora",
	    F "A: 1\n\nx\nFrom ???@??? Wed Nov 01 06:04:52 2017\nB: 2\n\ny\n",
	    "[A: 1\n\nx\n][B: 2\n\ny\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ ">From as the header's first line",
	    F ">From c@d.example Wed Nov  1 06:04:52 2017\nA: 1\n\nx\n",
	    "[A: 1\n\nx\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "a length without quoting",
	    F "Content-Length: 50\n\nx\n\n" F "B: 2\n\n" F
	      "Content-Length: 2\n\nx\n\n",
	    "[Content-Length: 50\n\nx\n\n" F "B: 2\n?]"
	    "[Content-Length: 2\n\nx\n]",
	    1, 0, MBOX_SPLIT_GOOD },
	{ "a length that ends on the From_ line itself",
	    F "Content-Length: 3\n\nx\n\n" F "Content-Length: 2\n\ny\n",
	    "[Content-Length: 3\n\nx\n\n][Content-Length: 2\n\ny\n]", 1, 0,
	    MBOX_SPLIT_GOOD },
	{ "a length that lies", F "Content-Length: 1\n\nx\n\n" F "B: 2\n\ny\n",
	    "", 1, 0, MBOX_SPLIT_UNCHAINED },
	{ "a length past the end", F "Content-Length: 99\n\nx\n", "", 1, 0,
	    MBOX_SPLIT_UNCHAINED },
	{ "a message without a length",
	    F "Content-Length: 2\n\nx\n\n" F "B: 2\n\ny\n",
	    "[Content-Length: 2\n\nx\n]", 1, 0, MBOX_SPLIT_UNCHAINED },
	{ "a length over several messages",
	    F "Content-Length: 147\n\nx\n\n" F "B: 2\n\n" F "C: 3\n\n" F
	      "D: 4\n\n",
	    "", 1, 0, MBOX_SPLIT_UNCHAINED },
	/*
	 * Netscape writes no empty line after a body: lengths and dates decide,
	 * "?" where they disagree.
	 */
	{ "an end by length alone",
	    F "Content-Length: 2\n\nx\n" F "Content-Length: 2\n\ny\n" F
	      "C: 3\n\nz\n",
	    "[Content-Length: 2\n\nx\n][Content-Length: 2\n\ny\n][C: 3\n\nz\n]",
	    0, 0, MBOX_SPLIT_GOOD },
	{ "lengths that are wrong",
	    F "Content-Length: 7\n\nx\n" F "Content-Length: 1\n\ny\n" F
	      "Content-Length: 2\n\nz\n" F "D: 4\n\nv\n",
	    "[Content-Length: 7\n\nx\n?][?Content-Length: 1\n\ny\n?]"
	    "[?Content-Length: 2\n\nz\n][D: 4\n\nv\n]",
	    0, 0, MBOX_SPLIT_GOOD },
	{ "no length, in a file with such ends",
	    F "Content-Length: 2\n\nx\n" F "B: 2\n\ny\n" F "C: 3\n\nz\n",
	    "[Content-Length: 2\n\nx\n][B: 2\n\ny\n?][?C: 3\n\nz\n]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "a wrong length and a line without a date",
	    F "Content-Length: 9\n\nx\nFrom a@b.example\nB: 2\n\n",
	    "[Content-Length: 9\n\nx\nFrom a@b.example\nB: 2\n]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "a length that ends at a line of text",
	    F "Content-Length: 2\n\nx\nFrom here on\nText: y\n\n",
	    "[Content-Length: 2\n\nx\nFrom here on\nText: y\n?]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "a length over a message, to the end of another",
	    F "Content-Length: 51\n\nx\n\n" F "B: 2\n\n" F "C: 3\n\n",
	    "[Content-Length: 51\n\nx\n?][?B: 2\n][C: 3\n]", 0, 0,
	    MBOX_SPLIT_GOOD },
	{ "a wrong length that ends nowhere is no witness",
	    F "Content-Length: 5\n\nx\n\n" F "B: 2\n\n",
	    "[Content-Length: 5\n\nx\n][B: 2\n]", 0, 0, MBOX_SPLIT_GOOD },
	{ "a young end without its empty line",
	    F "A: 1\n\nx\n\n" F "B: 2\n\ny\n", "[A: 1\n\nx\n][B: 2\n\ny\n]", 0,
	    1, MBOX_SPLIT_GOOD },
	{ "a young end before its length",
	    F "A: 1\n\nx\n\n" F "Content-Length: 9\n\ny\n", "[A: 1\n\nx\n]", 0,
	    1, MBOX_SPLIT_GOOD },
	{ "a young end by its length",
	    F "Content-Length: 2\n\nx\n" F "Content-Length: 2\n\ny\n",
	    "[Content-Length: 2\n\nx\n][Content-Length: 2\n\ny\n]", 1, 1,
	    MBOX_SPLIT_GOOD },
	{ "a young end that may be another's beginning",
	    F "Content-Length: 9\n\nx\nFrom a@b.example Wed", "", 0, 1,
	    MBOX_SPLIT_GOOD },
	{ "one that is being written", F "A: 1\n\nx\n\n" F "B: 2\n\ny",
	    "[A: 1\n\nx\n]", 0, 1, MBOX_SPLIT_GOOD },
	{ "a header that is being written", F "A: 1\n\nx\n\n" F "B: 2\n",
	    "[A: 1\n\nx\n]", 0, 1, MBOX_SPLIT_GOOD },
	{ "a From_ line that is being written", F "A: 1\n\nx\n\nFrom a@b",
	    "[A: 1\n\nx\n]", 0, 1, MBOX_SPLIT_GOOD },
	{ "one that is there", F "A: 1\n\nx\n\n", "[A: 1\n\nx\n]", 0, 1,
	    MBOX_SPLIT_GOOD },
	{ "no mbox", "A: 1\n\nx\n", "", 0, 0, MBOX_SPLIT_ALIEN },
};

struct run {
	struct str file;
	struct buf out;
};

static int
found(void *ctx, const struct mbox_part *p, struct err *e)
{
	struct run *r = ctx;

	(void)e;
	assert_true(p->at + p->from_n + p->size <= r->file.n);
	buf_text(&r->out, p->doubt_begin ? "[?" : "[");
	buf_add(&r->out, r->file.p + p->at + p->from_n, p->size);
	buf_text(&r->out, p->doubt_end ? "?]" : "]");
	return 0;
}

static int
lands(void *ctx, uint64_t at)
{
	struct run *r = ctx;
	struct str s;

	if (at >= r->file.n)
		return at == r->file.n ? 1 : -1;
	s = str_from(r->file, at);
	if (str_starts(s, S("\n")))
		s = str_from(s, 1);
	return s.n == 0 || str_starts(s, S("From "));
}

/* Reads `step` bytes at a time, and no line longer than `room`. */
static void
split(const struct file_row *row, size_t step, size_t room)
{
	struct arena *a = arena_open(1 << 20);
	struct run r = { .file = str_of(row->file) };
	struct buf head;
	struct mbox_split s = { .by_length = row->by_length,
		.found = found,
		.lands = lands,
		.ctx = &r,
		.head = &head };
	struct err e = { 0 };
	size_t at = 0, held = 0, used;
	bool left;

	buf_init(&head, a, 4096);
	buf_init(&r.out, a, 4096);
	while (at + held < r.file.n && s.end == MBOX_SPLIT_GOOD) {
		size_t more = r.file.n - at - held;

		more = more < step ? more : step;
		more = more < room - held ? more : room - held;
		held += more;
		assert_int_equal(mbox_split_feed(&s,
				     str_first(str_from(r.file, at), held),
				     held == room, &used, &e),
		    0);
		at += used;
		held -= used;
		assert_int_equal(s.at, at);
	}
	if (held > 0)
		(void)mbox_split_feed(&s, str_from(r.file, at), true, &used,
		    &e);
	assert_int_equal(mbox_split_finish(&s, !row->fresh, &left, &e), 0);
	if (s.end != row->end || !str_eq(buf_view(&r.out), str_of(row->want)))
		fail_msg("%s, %zu at once: %d, \"%.*s\"", row->why, step, s.end,
		    STR_ARG(buf_view(&r.out)));
	arena_close(&a);
}

static void
messages_are_found_however_they_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (size_t step = 1; step < 64; step++)
			split(&rows[i], step, 4096);
		/* A line longer than one read. */
		split(&rows[i], 4096, 50);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_lines_are_told_from_text),
		cmocka_unit_test(a_from_line_tells_the_time),
		cmocka_unit_test(messages_are_found_however_they_are_read),
	};

	return cmocka_run_group_tests_name("backend/mbox_split", tests, NULL,
	    NULL);
}
