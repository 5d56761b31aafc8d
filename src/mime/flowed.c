/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format=flowed, RFC 3676: lines that end in a space continue in the next line
 * with the same quote depth.  Each paragraph becomes one line after its quote
 * marks ("> " for each level; the writer's ">>" has one space after it).
 */
#include "base/buf.h"
#include "mime/internal.h"

struct para {
	struct buf *out;
	size_t depth;
	bool open; /* the line before was flowed */
};

/* Ends the current paragraph, and begins one with this depth. */
static void
flowed_begin(struct para *q, struct str marks)
{
	if (q->open)
		buf_char(q->out, '\n');
	q->open = false;
	q->depth = marks.n;
	buf_str(q->out, marks);
}

static void
flowed_line(struct para *q, struct str s, bool delsp, bool ended)
{
	size_t depth = 0;
	struct str marks;
	bool sign, flowed;

	while (depth < s.n && s.p[depth] == '>')
		depth++;
	marks = str_first(s, depth);
	s = str_from(s, depth);
	if (s.n > 0 && s.p[0] == ' ')
		s = str_from(s, 1); /* space-stuffing, section 4.4 */
	/* The line before a signature is always fixed (4.3). */
	sign = str_eq(s, S("-- "));
	flowed = s.n > 0 && s.p[s.n - 1] == ' ' && !sign;

	if (!q->open || sign || depth != q->depth) {
		flowed_begin(q, marks);
		if (depth > 0 && s.n > 0)
			buf_char(q->out, ' ');
	}
	if (flowed && delsp)
		s.n--;
	buf_str(q->out, s);
	q->open = flowed && ended;
	if (!flowed && ended)
		buf_char(q->out, '\n');
}

struct str
flowed_join(struct arena *a, struct str text, bool delsp)
{
	struct para q = { 0 };
	struct str head;
	struct buf b;

	/* A quoted line may grow by the one space after its marks. */
	buf_init(&b, a, 2 * text.n + 1);
	(void)buf_reserve(&b, text.n);
	q.out = &b;
	while (text.n > 0) {
		bool ended = str_cut(text, '\n', &head, &text);

		flowed_line(&q, head, delsp, ended);
	}
	if (q.open)
		buf_char(&b, '\n');
	return buf_view(&b);
}
