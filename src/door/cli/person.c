/* SPDX-License-Identifier: Apache-2.0 */
/* Text for a person instead of JSON: a mark, aligned cells, a next step. */
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "door/cli/look.h"
#include "door/fit.h"
#include "door/out.h"

enum {
	CELLS = 4, /* the last one takes the remaining width */
	MARK = 4,  /* the column of marks */
	NEXT = 9,  /* where a next step begins */
	SAY_MIN = 30
};

static const struct look {
	const char *word, *colour;
} looks[] = {
	[GATE_PLAIN] = { "", NULL },
	[GATE_GOOD] = { "ok", "\033[32m" },
	[GATE_BAD] = { "BAD", LOOK_BAD },
	[GATE_NOTE] = { "note", LOOK_NOTE },
	[GATE_NEXT] = { "", NULL },
	[GATE_TEXT] = { "", NULL },
	[GATE_ABOVE] = { "", NULL },
	[GATE_PAIR] = { "", NULL },
	[GATE_RAW] = { "", NULL },
};

static bool
is_row(const struct gate_line *l)
{
	return l->mark == GATE_GOOD || l->mark == GATE_BAD ||
	    l->mark == GATE_NOTE;
}

static void
person_pad(struct buf *b, struct str s, size_t to)
{
	size_t n = utf8_count(s);

	buf_str(b, s);
	for (; n < to; n++)
		buf_char(b, ' ');
}

/* Takes away the blanks of cells that are empty. */
static void
person_trim(struct buf *b)
{
	while (b->n > 0 && b->p[b->n - 1] == ' ')
		b->p[--b->n] = '\0';
}

static void
person_cut(struct arena *a, struct str text, struct str cell[CELLS])
{
	for (int i = 0; i < CELLS - 1; i++) {
		(void)str_cut(text, '\t', &cell[i], &text);
		cell[i] = out_line(a, cell[i]);
	}
	cell[CELLS - 1] = out_line(a, text);
}

static void
person_put_row(struct buf *b, const struct look *look,
    const struct str cell[CELLS], const size_t wide[CELLS], bool colour,
    size_t width)
{
	size_t at = MARK;

	if (colour)
		buf_text(b, look->colour);
	person_pad(b, str_of(look->word), MARK);
	if (colour)
		buf_text(b, LOOK_END);
	for (int i = 0; i < CELLS - 1; i++) {
		buf_text(b, "  ");
		person_pad(b, cell[i], wide[i]);
		at += 2 + wide[i];
	}
	if (cell[CELLS - 1].n == 0) {
		person_trim(b);
		buf_char(b, '\n');
		return;
	}
	buf_text(b, "  ");
	at += 2;
	/* The text continues in its own column, or where there is room. */
	fit_wrap(b, cell[CELLS - 1], at, at + SAY_MIN <= width ? at : NEXT,
	    width);
	buf_char(b, '\n');
}

/*
 * A line outside a table.  A stranger's text is not wrapped: a word of it at
 * the beginning of a line could pass for a line of ours.
 */
static void
person_put_line(struct buf *b, const struct gate_line *l, size_t width)
{
	size_t at = l->mark == GATE_NEXT ? NEXT : 0;
	struct str text = out_line(b->a, l->text);

	if (l->mark == GATE_NEXT)
		buf_text(b, "      -> ");
	if (l->mark == GATE_TEXT || l->mark == GATE_ABOVE)
		buf_str(b, text);
	else
		fit_wrap(b, text, at, at, width);
	buf_char(b, '\n');
}

/* Prints consecutive names and values as a table; returns their number. */
static size_t
person_put_pairs(struct buf *b, const struct gate_line *l, size_t n)
{
	struct out_row *rows = arena_array(b->a, n, sizeof(*rows));
	size_t count = 0;

	for (; count < n && l[count].mark == GATE_PAIR; count++) {
		struct str *cell = arena_array(b->a, 2, sizeof(*cell));

		(void)str_cut(l[count].text, '\t', &cell[0], &cell[1]);
		cell[1] = out_line(b->a, cell[1]);
		rows[count].cell = cell;
	}
	/* Never cut: most values are paths and names, to be typed again. */
	fit_table(b, rows, count, 2, 0);
	return count;
}

void
person_put(struct buf *b, const struct gate_lines *lines, bool colour)
{
	size_t width = fit_width();
	size_t wide[CELLS] = { 0 };
	struct str cell[CELLS];
	struct arena *a = b->a;

	for (size_t i = 0; i < lines->n; i++) {
		if (!is_row(&lines->v[i]))
			continue;
		person_cut(a, lines->v[i].text, cell);
		for (int k = 0; k < CELLS; k++)
			if (utf8_count(cell[k]) > wide[k])
				wide[k] = utf8_count(cell[k]);
	}
	for (size_t i = 0; i < lines->n; i++) {
		const struct gate_line *l = &lines->v[i];

		if (is_row(l)) {
			person_cut(a, l->text, cell);
			person_put_row(b, &looks[l->mark], cell, wide, colour,
			    width);
			continue;
		}
		if (l->mark == GATE_RAW) {
			buf_str(b, l->text);
			continue;
		}
		if (l->mark == GATE_PAIR) {
			i += person_put_pairs(b, l, lines->n - i) - 1;
			continue;
		}
		person_put_line(b, l, width);
	}
}

int
person_write(struct arena *a, int fd, const struct gate_lines *lines,
    bool coloured)
{
	struct buf b;

	buf_init(&b, a, LIMIT_MESSAGE);
	person_put(&b, lines, coloured);
	return out_write(fd, buf_view(&b));
}
