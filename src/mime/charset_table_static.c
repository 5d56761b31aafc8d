/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charsets in which the bytes of a character say all.  Invalid bytes are
 * skipped one by one, each as U+FFFD; a character that is cut off at the end is
 * one.
 */
#include <string.h>

#include "mime/charset_table.h"

#define REPLACEMENT 0xFFFD

static uint32_t
charset_table_cell(const struct charset_row *r, unsigned char c)
{
	const uint16_t *cells = charset_tables_cells + r->at;
	unsigned i = (unsigned)(c - r->first), n;

	if (c < r->first || c > r->last)
		return CHARSET_NONE;
	n = (unsigned)(r->last - r->first) + 1;
	if (r->high && (cells[n + i / 16] >> i % 16 & 1) != 0)
		return 0x20000U + cells[i];
	return cells[i];
}

/* The last run that begins at or before it. */
static uint32_t
charset_table_four(uint32_t at)
{
	size_t lo = 0, hi = charset_tables_run_n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (charset_tables_runs[mid].at <= at)
			lo = mid;
		else
			hi = mid;
	}
	if (charset_tables_runs[lo].first == 0)
		return 0;
	return charset_tables_runs[lo].first + at - charset_tables_runs[lo].at;
}

static int
charset_table_take_four(struct str s, uint32_t *out)
{
	const unsigned char *p = (const unsigned char *)s.p;

	if (s.n < 4)
		return 0;
	if (p[2] < 0x81 || p[2] > 0xFE || p[3] < 0x30 || p[3] > 0x39)
		return -1;
	*out = charset_table_four(
	    (((uint32_t)(p[0] - 0x81) * 10 + p[1] - 0x30) * 126 + p[2] - 0x81) *
		10 +
	    p[3] - 0x30);
	return *out != 0 ? 4 : -1;
}

int
charset_table_next(const struct charset_set *s, struct str bytes,
    uint32_t out[2], unsigned *n)
{
	const struct charset_row *r = charset_tables_rows + s->first;
	uint32_t cell;

	*n = 1;
	for (size_t i = 0; i < bytes.n; i++) {
		unsigned char c = (unsigned char)bytes.p[i];

		cell = i == 0 && c < 0x80 && s->ascii
		    ? c
		    : charset_table_cell(r, c);
		if (cell == CHARSET_NONE)
			return -1;
		if (cell == CHARSET_FOUR)
			return charset_table_take_four(bytes, &out[0]);
		if (cell >= CHARSET_PAIR && cell < CHARSET_FOUR) {
			memcpy(out, charset_tables_pairs[cell - CHARSET_PAIR],
			    2 * sizeof(out[0]));
			*n = 2;
			return (int)i + 1;
		}
		if (cell < CHARSET_DOWN || cell > CHARSET_FOUR) {
			out[0] = cell;
			return (int)i + 1;
		}
		r = charset_tables_rows + s->row + (cell - CHARSET_DOWN);
	}
	return 0;
}

/* What is known of a letter, and of a mark that follows; NULL: nothing. */
static const struct charset_join *
charset_table_join(const struct charset_set *s, uint32_t letter, uint32_t mark)
{
	const struct charset_join *j = charset_tables_joins + s->join;
	uint32_t want = letter << 16 | mark;
	size_t lo = 0, hi = s->join_n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		uint32_t there = (uint32_t)j[mid].letter << 16 | j[mid].mark;

		if (there == want)
			return &j[mid];
		if (there < want)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* The character, or what it makes of the letter that was held; 0: none is. */
static uint32_t
charset_table_hold(struct buf *b, const struct charset_set *s, uint32_t held,
    uint32_t cp)
{
	const struct charset_join *j =
	    held != 0 && cp != 0 ? charset_table_join(s, held, cp) : NULL;

	if (j != NULL) {
		cp = j->both;
	} else {
		if (held != 0)
			buf_utf8(b, held);
		j = charset_table_join(s, cp, 0);
	}
	if (j != NULL && j->held)
		return cp;
	buf_utf8(b, cp);
	return 0;
}

static void
charset_table_put(struct buf *b, const struct charset_set *s, struct str bytes)
{
	uint32_t cp[2], held = 0;
	unsigned n;
	int used;

	while (bytes.n > 0 && !b->over) {
		used = charset_table_next(s, bytes, cp, &n);
		if (used <= 0) {
			buf_utf8(b, REPLACEMENT);
			bytes = str_from(bytes, used < 0 ? 1 : bytes.n);
			continue;
		}
		bytes = str_from(bytes, (size_t)used);
		if (s->join_n > 0) {
			held = charset_table_hold(b, s, held, cp[0]);
			continue;
		}
		for (unsigned i = 0; i < n; i++)
			buf_utf8(b, cp[i]);
	}
	if (held != 0)
		buf_utf8(b, held);
}

bool
charset_table_text(struct buf *b, const char *name, struct str bytes)
{
	const struct charset_set *s = charset_tables_sets;

	while (s->name != NULL && strcmp(s->name, name) != 0)
		s++;
	if (s->name != NULL)
		charset_table_put(b, s, bytes);
	return s->name != NULL;
}
