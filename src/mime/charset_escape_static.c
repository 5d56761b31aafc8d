/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ISO 2022: escape sequences say what the bytes after them mean, up to the
 * next (RFC 1468, 1554, 1557, 1922).
 */
#include <string.h>

#include "mime/charset_table.h"

#define REPLACEMENT 0xFFFD
#define ESC 0x1b
#define SHIFT_OUT 0x0e
#define SHIFT_IN 0x0f

/* A text being read: the table's rows of its charset, and what was chosen. */
struct escape {
	const struct charset_escape *first;
	size_t n;
	const struct charset_set *slot[4]; /* NULL: ASCII, or nothing yet */
	bool shifts, shifted;
	unsigned char plain; /* what is below means the same everywhere */
	unsigned char least; /* this byte and what is above are invalid */
};

static bool
charset_escape_find(struct escape *x, const char *name)
{
	const struct charset_escape *t = charset_escape_table;

	while (t->charset != NULL && strcmp(t->charset, name) != 0)
		t++;
	*x = (struct escape){ .first = t };
	for (; t->charset != NULL && strcmp(t->charset, name) == 0; t++) {
		x->shifts = x->shifts || t->slot == 1;
		if (t->begins)
			x->slot[t->slot] =
			    &charset_tables_escapes[t - charset_escape_table];
		x->n++;
	}
	x->plain = 0x21;
	if (x->shifts)
		x->plain = strcmp(name, "ISO-2022-CN-EXT") == 0 ? 0x20 : 0;
	x->least = strcmp(name, "ISO-2022-CN") == 0 ? 0x7f : 0x80;
	return x->n > 0;
}

/* Does the text go on with these?  0: as far as it goes, -1: no. */
static int
charset_escape_is(struct str s, const char *bytes)
{
	size_t n = strlen(bytes);

	if (s.n >= n)
		return memcmp(s.p, bytes, n) == 0 ? 1 : -1;
	return memcmp(s.p, bytes, s.n) == 0 ? 0 : -1;
}

/* ESC and what follows: as charset_table_next(), without a character. */
static int
charset_escape_choose(struct escape *x, struct str s)
{
	int is = charset_escape_is(s, "(B"), more = is;

	if (s.n < 2 && !x->shifts)
		return 0;
	if (is > 0 && x->first->slot == 0) {
		x->slot[0] = NULL;
		return 3;
	}
	if (x->first->slot != 0)
		more = -1;
	for (size_t i = 0; i < x->n; i++) {
		is = charset_escape_is(s, x->first[i].bytes);
		if (is == 0)
			more = 0;
		if (is <= 0)
			continue;
		x->slot[x->first[i].slot] = &charset_tables_escapes[x->first +
		    i - charset_escape_table];
		return 1 + (int)strlen(x->first[i].bytes);
	}
	return more;
}

/* Has the charset sequences for what is after ESC N, or O? */
static bool
charset_escape_has(const struct escape *x, unsigned slot)
{
	for (size_t i = 0; i < x->n; i++)
		if (x->first[i].slot == slot)
			return true;
	return false;
}

/* ESC N and ESC O are for one character.  -2: it is neither. */
static int
charset_escape_single(const struct escape *x, struct str s, uint32_t cp[2],
    unsigned *n)
{
	unsigned slot = s.n > 1 && s.p[1] == 'N' ? 2 : 3;
	int used;

	if (s.n > 1 && (s.p[1] == 'N' || s.p[1] == 'O') &&
	    charset_escape_has(x, slot)) {
		if (x->slot[slot] == NULL)
			return -1;
		used = charset_table_next(x->slot[slot], str_from(s, 2), cp, n);
		return used > 0 ? used + 2 : used;
	}
	return -2;
}

/* One step: how many bytes, and *n characters of them, which may be none. */
static int
charset_escape_step(struct escape *x, struct str s, uint32_t cp[2], unsigned *n)
{
	unsigned char c = (unsigned char)s.p[0];
	const struct charset_set *set = x->slot[x->shifted ? 1 : 0];
	int used;

	*n = 0;
	if (c == ESC) {
		used = charset_escape_choose(x, str_from(s, 1));
		if (used < 0)
			used = charset_escape_single(x, s, cp, n);
		if (used != -2)
			return used;
	}
	if (c == SHIFT_OUT && x->shifts) {
		if (x->slot[1] == NULL)
			return -1;
		x->shifted = true;
		return 1;
	}
	if (c == SHIFT_IN && x->shifts) {
		x->shifted = false;
		return 1;
	}
	if (c >= x->least)
		return -1;
	if (set != NULL && c >= x->plain)
		return charset_table_next(set, s, cp, n);
	cp[0] = c;
	*n = 1;
	return 1;
}

bool
charset_escape_text(struct buf *b, const char *name, struct str bytes)
{
	struct escape x;
	uint32_t cp[2];
	unsigned n;

	if (!charset_escape_find(&x, name))
		return false;
	while (bytes.n > 0 && !b->over) {
		int used = charset_escape_step(&x, bytes, cp, &n);

		if (used <= 0) {
			buf_utf8(b, REPLACEMENT);
			bytes = str_from(bytes, used < 0 ? 1 : bytes.n);
			continue;
		}
		bytes = str_from(bytes, (size_t)used);
		for (unsigned i = 0; i < n; i++)
			buf_utf8(b, cp[i]);
	}
	return true;
}
