/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text as format=flowed, RFC 3676, and the quoting of a message (section 4.5).
 * A paragraph that is too long is broken after a space, and that space says
 * that it continues; a line that would read as something else begins with one
 * more space.
 */
#include "mime/quote.h"

#include "base/limits.h"
#include "base/utf8.h"

enum {
	WIDTH = 72, /* of a line, with its marks; section 4.2 allows 78 */
	DEPTH = 20  /* marks beyond it are text */
};

/* One paragraph on its way out. */
struct quote_line {
	struct buf *out;
	size_t depth;
};

size_t
quote_take_marks(struct str *line)
{
	size_t depth = 0, i = 0;

	while (depth < DEPTH && i < line->n && line->p[i] == '>') {
		depth++;
		i++;
		if (i + 1 < line->n && line->p[i] == ' ' &&
		    line->p[i + 1] == '>')
			i++;
	}
	if (depth > 0 && i < line->n && line->p[i] == ' ')
		i++;
	*line = str_from(*line, i);
	return depth;
}

/* Spaces at the end would continue it, except in the line of a signature. */
static struct str
quote_line_end(struct str s)
{
	if (str_eq(s, S("-- ")))
		return s;
	while (s.n > 0 && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

/* How much of it fits; what is longer than a line is not broken. */
static size_t
quote_line_fits(struct str s, size_t width)
{
	size_t n;

	if (s.n <= width)
		return s.n;
	for (n = width; n > 0 && s.p[n - 1] != ' '; n--)
		continue;
	for (n = n > 0 ? n : width; n < s.n && s.p[n - 1] != ' '; n++)
		continue;
	/* It would begin a signature. */
	return str_eq(str_first(s, n), S("-- ")) ? s.n : n;
}

static void
quote_line_put(const struct quote_line *q, struct str s)
{
	for (size_t i = 0; i < q->depth; i++)
		buf_char(q->out, '>');
	if ((q->depth > 0 && s.n > 0) || str_starts(s, S(" ")) ||
	    str_starts(s, S(">")) || str_starts(s, S("From ")))
		buf_char(q->out, ' ');
	buf_str(q->out, s);
	buf_char(q->out, '\n');
}

void
quote_flow(struct buf *out, struct str text, size_t deeper)
{
	while (text.n > 0 && !out->over) {
		struct quote_line q = { .out = out };
		struct str line;

		(void)str_cut(text, '\n', &line, &text);
		if (line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		q.depth = quote_take_marks(&line) + deeper;
		line = quote_line_end(line);
		do {
			size_t n = quote_line_fits(line, WIDTH - 1 - q.depth);

			quote_line_put(&q, str_first(line, n));
			line = str_from(line, n);
		} while (line.n > 0);
	}
}

void
quote_put_date(struct buf *out, struct str date)
{
	/* RFC 3339, of date_rfc3339(). */
	if (date.n > 19)
		buf_fmt(out, "%.*s %.*s %.*s", STR_ARG(str_first(date, 10)),
		    STR_ARG(str_first(str_from(date, 11), 5)),
		    STR_ARG(str_from(date, 19)));
}

/* "On 2026-06-21 12:00 +02:00, ann@us.example wrote:" */
static void
quote_put_attribution(struct buf *out, struct str date, struct str who)
{
	if (date.n > 0) {
		buf_text(out, "On ");
		quote_put_date(out, date);
		buf_text(out, ", ");
	}
	buf_fmt(out, "%.*s wrote:\n",
	    STR_ARG(who.n > 0 ? who : S("the sender")));
}

struct str
quote_block(struct arena *a, const struct quote *q)
{
	struct str text = utf8_first(q->text, LIMIT_QUOTE);
	struct buf b;

	text = str_trim_end(text, S(" \t\n"));
	buf_init(&b, a, LIMIT_OUTGOING);
	quote_put_attribution(&b, q->date, q->who);
	quote_flow(&b, text, 1);
	if (q->text.n > LIMIT_QUOTE)
		buf_text(&b, "> [...]\n");
	return buf_view(&b);
}

struct str
quote_above(struct arena *a, struct str own, struct str below)
{
	struct buf b;

	buf_init(&b, a, LIMIT_OUTGOING);
	quote_flow(&b, own, 0);
	if (b.n > 0)
		buf_char(&b, '\n');
	buf_str(&b, below);
	return buf_view(&b);
}
