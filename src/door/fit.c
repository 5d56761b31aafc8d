/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and sentences within the available width. */
#include "door/fit.h"

#include <sys/ioctl.h>

#include "base/utf8.h"

enum {
	GAP = 2,
	COLUMN_MIN = 8, /* narrower columns are useless */
	LINE_MIN = 16
};

size_t
fit_width(void)
{
	struct winsize w;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0)
		return 0;
	return w.ws_col;
}

/* The first n characters. */
static struct str
fit_first(struct str s, size_t n)
{
	size_t i = 0;

	while (i < s.n && (n > 0 || ((unsigned char)s.p[i] & 0xc0) == 0x80)) {
		n -= ((unsigned char)s.p[i] & 0xc0) != 0x80;
		i++;
	}
	return str_first(s, i);
}

/* Shrinks the widest column until all fit, or none can shrink. */
static void
fit_narrow(size_t *wide, size_t n, size_t all, size_t width)
{
	while (width > 0 && all > width) {
		size_t most = 0;

		for (size_t c = 1; c < n; c++)
			if (wide[c] > wide[most])
				most = c;
		if (wide[most] <= COLUMN_MIN)
			return;
		wide[most]--;
		all--;
	}
}

static void
fit_put_cell(struct buf *b, struct str cell, size_t wide, bool last)
{
	size_t n = utf8_count(cell);

	if (n > wide) {
		buf_str(b, fit_first(cell, wide - 3));
		buf_text(b, "...");
		n = wide;
	} else {
		buf_str(b, cell);
	}
	/* No blanks at the end of a line. */
	for (; !last && n < wide + GAP; n++)
		buf_char(b, ' ');
}

/* The width of each column; returns that of all. */
static size_t
fit_measure(const struct out_row *rows, size_t count, size_t n, size_t *wide)
{
	size_t all = (n - 1) * GAP;

	for (size_t c = 0; c < n; c++) {
		wide[c] = 0;
		for (size_t r = 0; r < count; r++)
			if (utf8_count(rows[r].cell[c]) > wide[c])
				wide[c] = utf8_count(rows[r].cell[c]);
		all += wide[c];
	}
	return all;
}

size_t
fit_needs(struct arena *a, const struct out_row *rows, size_t count, size_t n)
{
	return fit_measure(rows, count, n, arena_array(a, n, sizeof(size_t)));
}

void
fit_table(struct buf *b, const struct out_row *rows, size_t count, size_t n,
    size_t width)
{
	size_t *wide = arena_array(b->a, n, sizeof(*wide));

	fit_narrow(wide, n, fit_measure(rows, count, n, wide), width);
	for (size_t r = 0; r < count; r++) {
		for (size_t c = 0; c < n; c++)
			fit_put_cell(b, rows[r].cell[c], wide[c], c + 1 == n);
		buf_char(b, '\n');
	}
}

void
fit_wrap(struct buf *b, struct str text, size_t at, size_t indent, size_t width)
{
	struct str word;
	bool begun = false;

	if (width < indent + LINE_MIN) {
		buf_str(b, text);
		return;
	}
	while (text.n > 0) {
		size_t n;

		(void)str_cut(text, ' ', &word, &text);
		n = utf8_count(word);
		if (begun && at + 1 + n > width) {
			buf_char(b, '\n');
			for (at = 0; at < indent; at++)
				buf_char(b, ' ');
		} else if (begun) {
			buf_char(b, ' ');
			at++;
		}
		buf_str(b, word);
		at += n;
		begun = true;
	}
}
