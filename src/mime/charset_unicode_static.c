/* SPDX-License-Identifier: Apache-2.0 */
/*
 * UTF-7 (RFC 2152), UTF-16 and UTF-32.  As from iconv(3), an invalid character
 * is U+FFFD for its first byte, and reading goes on with the next byte.
 */
#include <string.h>

#include "mime/charset_table.h"

#define REPLACEMENT 0xFFFD

struct unicode {
	const char *name;
	unsigned width; /* 2 or 4 bytes */
	bool big;       /* the first byte counts most */
	bool marked;    /* a mark at the beginning says the order */
};

static bool
charset_unicode_lead(uint32_t u)
{
	return u >= 0xD800 && u < 0xDC00;
}

static bool
charset_unicode_trail(uint32_t u)
{
	return u >= 0xDC00 && u < 0xE000;
}

static uint32_t
charset_unicode_both(uint32_t lead, uint32_t trail)
{
	return 0x10000U + ((lead - 0xD800) << 10) + (trail - 0xDC00);
}

static uint32_t
charset_unicode_unit(const struct unicode *u, const char *p)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < u->width; i++)
		v = v << 8 | (unsigned char)p[u->big ? i : u->width - 1 - i];
	return v;
}

/* As charset_table_next(). */
static int
charset_unicode_next(const struct unicode *u, struct str s, uint32_t *cp)
{
	uint32_t low;

	if (s.n < u->width)
		return 0;
	*cp = charset_unicode_unit(u, s.p);
	if (charset_unicode_trail(*cp) || *cp > 0x10FFFF)
		return -1;
	if (!charset_unicode_lead(*cp))
		return (int)u->width;
	if (u->width == 4)
		return -1;
	if (s.n < 4)
		return 0;
	low = charset_unicode_unit(u, s.p + 2);
	if (!charset_unicode_trail(low))
		return -1;
	*cp = charset_unicode_both(*cp, low);
	return 4;
}

static void
charset_unicode_wide(struct buf *b, const struct unicode *u, struct str s)
{
	struct unicode way = *u;
	uint32_t cp;

	if (u->marked &&
	    (str_starts(s, S("\0\0\xFE\xFF")) ||
		str_starts(s, S("\xFF\xFE\0\0")))) {
		way.big = s.p[0] == '\0';
		s = str_from(s, 4);
	}
	while (s.n > 0 && !b->over) {
		int used = charset_unicode_next(&way, s, &cp);

		buf_utf8(b, used > 0 ? cp : REPLACEMENT);
		s = str_from(s, used > 0 ? (size_t)used : used < 0 ? 1 : s.n);
	}
}

/* -- UTF-7 ------------------------------------------------------------------
 */

/* Bits of base64 that are not yet a character. */
struct seven {
	bool on; /* between "+" and "-" */
	uint64_t bits;
	unsigned n;
	uint32_t lead;
};

static int
charset_unicode_sixth(unsigned char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Direct characters, those that may be, and what ends a line. */
static bool
charset_unicode_direct(unsigned char c)
{
	return c == '\t' || c == '\n' || c == '\r' ||
	    (c >= ' ' && c <= '}' && c != '+' && c != '\\');
}

/* False: half of a character is missing. */
static bool
charset_unicode_put_unit(struct buf *b, struct seven *x, uint32_t unit)
{
	if (x->lead != 0 && !charset_unicode_trail(unit))
		return false;
	if (x->lead != 0)
		buf_utf8(b, charset_unicode_both(x->lead, unit));
	else if (!charset_unicode_lead(unit))
		buf_utf8(b, unit);
	x->lead = x->lead == 0 && charset_unicode_lead(unit) ? unit : 0;
	return true;
}

/* Ends base64, if no bit of a character is left over. */
static int
charset_unicode_end(struct seven *x, unsigned char c)
{
	if (x->lead != 0 || x->n >= 6 || (x->bits & ((1U << x->n) - 1)) != 0)
		return -1;
	*x = (struct seven){ 0 };
	return c == '-' ? 1 : 0;
}

/* One byte of base64: as charset_table_next().  What is invalid changes
 * nothing, as in iconv(3), which reads on in base64. */
static int
charset_unicode_encoded(struct buf *b, struct seven *x, unsigned char c)
{
	int six = charset_unicode_sixth(c);
	struct seven more = *x;

	if (six < 0)
		return charset_unicode_end(x, c);
	more.bits = (x->bits << 6 | (unsigned)six) & 0x3FFFFF;
	more.n += 6;
	if (more.n >= 16) {
		more.n -= 16;
		if (!charset_unicode_put_unit(b, &more,
			more.bits >> more.n & 0xFFFF))
			return -1;
	}
	*x = more;
	return 1;
}

static void
charset_unicode_seven(struct buf *b, struct str s)
{
	struct seven x = { 0 };

	while (s.n > 0 && !b->over) {
		unsigned char c = (unsigned char)s.p[0];
		int used = -1;

		if (x.on) {
			used = charset_unicode_encoded(b, &x, c);
		} else if (c == '+' && s.n > 1) {
			x.on = s.p[1] != '-';
			if (!x.on)
				buf_char(b, '+');
			used = x.on ? 1 : 2;
		} else if (charset_unicode_direct(c)) {
			buf_char(b, (char)c);
			used = 1;
		}
		if (used < 0)
			buf_utf8(b, REPLACEMENT);
		s = str_from(s, used < 0 ? 1 : (size_t)used);
	}
}

bool
charset_unicode_text(struct buf *b, const char *name, struct str bytes)
{
	static const struct unicode all[] = {
		{ "UTF-16LE", 2, false, false },
		{ "UTF-16BE", 2, true, false },
		{ "UTF-32", 4, false, true },
		{ "UTF-32LE", 4, false, false },
		{ "UTF-32BE", 4, true, false },
	};

	if (strcmp(name, "UTF-7") == 0) {
		charset_unicode_seven(b, bytes);
		return true;
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(name, all[i].name) == 0) {
			charset_unicode_wide(b, &all[i], bytes);
			return true;
		}
	return false;
}
