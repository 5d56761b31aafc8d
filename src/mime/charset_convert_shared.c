/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charsets through iconv(3).  Single-byte sets use a table that is made once
 * per text, so that a text full of errors costs no more than another.
 */
#include <errno.h>
#include <iconv.h>
#include <string.h>

#include "base/utf8.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

#define REPLACEMENT 0xFFFD
#define CHARSETS 128 /* kept open; a test counts the table's */

/* The character of a single byte, as 1 to 4 bytes of UTF-8. */
struct glyph {
	char p[4];
	size_t n;
};

/*
 * Fills the table if each single byte is either a character or invalid; false
 * for a charset with multi-byte characters or states.
 */
static bool
charset_convert_single_table(iconv_t cd, struct glyph table[256])
{
	for (unsigned c = 0; c < 256; c++) {
		char byte = (char)c;
		char *in = &byte;
		char *out = table[c].p;
		size_t in_left = 1;
		size_t out_left = sizeof(table[c].p);

		table[c].n = 0;
		if (iconv(cd, &in, &in_left, &out, &out_left) == (size_t)-1) {
			if (errno != EILSEQ)
				return false;
			table[c].n = utf8_put(table[c].p, REPLACEMENT);
			continue;
		}
		/*
		 * A set with combining marks holds a character back: CP1258,
		 * TCVN.
		 */
		(void)iconv(cd, NULL, NULL, &out, &out_left);
		table[c].n = sizeof(table[c].p) - out_left;
		if (table[c].n == 0)
			return false;
	}
	return true;
}

static bool
charset_convert_is_single(const char *name)
{
	static const char *const not [] = { "BIG5", "CP932", "CP949", "CP1255",
		"CP1258", "EUC-", "GB", "ISO-2022", "JOHAB", "TCVN", "UTF-" };

	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++)
		if (strncmp(name, not [i], strlen(not [i])) == 0)
			return false;
	return true;
}

static void
charset_convert_bytes(struct buf *b, const struct glyph table[256],
    struct str bytes)
{
	for (size_t i = 0; i < bytes.n && !b->over; i++) {
		const struct glyph *g = &table[(unsigned char)bytes.p[i]];

		buf_add(b, g->p, g->n);
	}
}

static void
charset_convert_text(struct buf *b, iconv_t cd, struct str bytes)
{
	char chunk[4096];
	char *in = (char *)bytes.p; /* iconv(3) does not write there */
	size_t in_left = bytes.n;
	char *out;
	size_t out_left;

	while (in_left > 0 && !b->over) {
		size_t r;
		int why;

		out = chunk;
		out_left = sizeof(chunk);
		r = iconv(cd, &in, &in_left, &out, &out_left);
		why = errno;
		buf_add(b, chunk, sizeof(chunk) - out_left);
		if (r != (size_t)-1 || why == E2BIG)
			continue;
		buf_utf8(b, REPLACEMENT);
		/* Incomplete at the end; in ISO-2022-CN-EXT invalid there, and
		 * nothing is left of it. */
		if (why != EILSEQ || in_left == 0)
			break;
		in++;
		in_left--;
	}
	out = chunk;
	out_left = sizeof(chunk);
	(void)iconv(cd, NULL, NULL, &out, &out_left);
	buf_add(b, chunk, sizeof(chunk) - out_left);
}

/* One that was opened ahead, by its name, which is the table's. */
struct charset_kept {
	const char *name;
	iconv_t cd;
};
static struct charset_kept charset_kept[CHARSETS];
static size_t charset_n;

static iconv_t
charset_convert_kept(struct str name)
{
	for (size_t i = 0; i < charset_n; i++)
		if (str_eq(name, str_of(charset_kept[i].name)))
			return charset_kept[i].cd;
	return (iconv_t)-1;
}

static void
charset_convert_keep(const char *name)
{
	iconv_t cd;

	if (charset_n == CHARSETS ||
	    charset_convert_kept(str_of(name)) != (iconv_t)-1)
		return;
	cd = iconv_open("UTF-8", name);
	if (cd != (iconv_t)-1)
		charset_kept[charset_n++] = (struct charset_kept){ name, cd };
}

void
charset_convert_ahead(void)
{
	charset_convert_keep("UTF-16LE");
	for (size_t i = 0; i < charset_label_count; i++)
		charset_convert_keep(charset_label_table[i].name);
}

bool
charset_convert(struct buf *b, const char *name, struct str bytes)
{
	struct glyph table[256];
	iconv_t kept = charset_convert_kept(str_of(name));
	iconv_t cd = kept != (iconv_t)-1 ? kept : iconv_open("UTF-8", name);

	if (cd == (iconv_t)-1)
		return false;
	(void)iconv(cd, NULL, NULL, NULL, NULL);
	if (bytes.n > 256 && charset_convert_is_single(name) &&
	    charset_convert_single_table(cd, table)) {
		charset_convert_bytes(b, table, bytes);
	} else {
		(void)iconv(cd, NULL, NULL, NULL, NULL);
		charset_convert_text(b, cd, bytes);
	}
	if (kept == (iconv_t)-1)
		(void)iconv_close(cd);
	return true;
}
