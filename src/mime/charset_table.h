/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MIME_CHARSET_TABLE_H
#define MIME_CHARSET_TABLE_H

/*
 * Charsets as tables, for the static program: a static C library has iconv(3)
 * for Unicode alone.  tools/charsets makes the tables from the iconv(3) of the
 * machine that builds, so that both programs read the same.
 */
#include "base/buf.h"

/* A cell is a character, or one of these; no character is a surrogate. */
enum {
	CHARSET_DOWN = 0xD800, /* the next byte has this row of the set */
	CHARSET_PAIR = 0xDF00, /* two characters */
	CHARSET_FOUR = 0xDFFF, /* GB18030's four bytes */
	CHARSET_NONE = 0xFFFF, /* invalid */
};

/* The cells of a byte from first to last; of all others there are none. */
struct charset_row {
	uint8_t first, last;
	uint8_t high; /* after the cells, a bit for each: it is U+2xxxx */
	uint32_t at;
};

struct charset_set {
	const char *name; /* iconv's; of an escape sequence its charset's */
	uint16_t row;     /* its rows begin there */
	uint16_t first;   /* the row of the first byte */
	uint16_t join, join_n; /* marks that are joined to the letter before */
	bool ascii;            /* below 0x80 */
};

/*
 * Without a mark: the letter is held back, since one may follow.  A set's are
 * sorted by letter and mark.
 */
struct charset_join {
	uint16_t letter, mark, both;
	bool held; /* so is what both are */
};

/* Of GB18030's four bytes, counted: from `at` on, characters in order. */
struct charset_run {
	uint32_t at, first; /* 0: they are invalid */
};

/* gen/mime/charset_tables.c */
extern const uint16_t charset_tables_cells[];
extern const struct charset_row charset_tables_rows[];
extern const uint32_t charset_tables_pairs[][2];
extern const struct charset_join charset_tables_joins[];
extern const struct charset_run charset_tables_runs[];
extern const size_t charset_tables_run_n;
extern const struct charset_set charset_tables_sets[]; /* {NULL} ends it */
/* The sets of charset_escape_table, in its order. */
extern const struct charset_set charset_tables_escapes[];

/* An escape sequence of ISO 2022: what it makes of bytes. */
struct charset_escape {
	const char *charset;
	const char *bytes; /* after ESC */
	unsigned slot; /* 0: from here on; 1: after SO; 2, 3: after ESC N, O */
	bool begins;   /* it is so at the beginning, too */
};

/* charset_escape_table_static.c; {NULL} ends it. */
extern const struct charset_escape charset_escape_table[];

/*
 * charset_table_static.c: one character of these bytes.  How many bytes it has;
 * 0: they are too few; -1: invalid.  *n: 1 or 2 characters.
 */
int charset_table_next(const struct charset_set *s, struct str bytes,
    uint32_t out[2], unsigned *n);
/* The whole text; false: there is no table of that name. */
bool charset_table_text(struct buf *b, const char *name, struct str bytes);

/* The same in a charset of another kind; false: it is none of them. */
bool charset_escape_text(struct buf *b, const char *name, struct str bytes);
bool charset_unicode_text(struct buf *b, const char *name, struct str bytes);

#endif
