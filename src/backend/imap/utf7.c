/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modified UTF-7, RFC 3501 section 5.1.3: printable ASCII is unchanged, "&" is
 * "&-", and the rest is UTF-16 in a base64 whose last digit is ",".
 */
#include "backend/imap/internal.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"

static const char digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

/* A name can grow: one character of UTF-8 to six and two marks. */
#define UTF7_MAX (16UL * LIMIT_FOLDER_NAME)

struct bits {
	uint32_t held;
	int n; /* number of bits, below 6 between units */
};

static void
imap_utf7_put_unit(struct buf *b, struct bits *t, uint32_t unit)
{
	t->held = t->held << 16 | unit;
	t->n += 16;
	while (t->n >= 6) {
		t->n -= 6;
		buf_char(b, digits[t->held >> t->n & 63]);
	}
	t->held &= (1U << t->n) - 1;
}

static void
imap_utf7_shift_out(struct buf *b, struct bits *t)
{
	if (t->n > 0)
		buf_char(b, digits[t->held << (6 - t->n) & 63]);
	buf_char(b, '-');
	*t = (struct bits){ 0 };
}

bool
imap_utf7_encode(struct arena *a, struct str utf8, struct str *out)
{
	bool shifted = false, ok = true;
	struct bits t = { 0 };
	struct buf b;

	buf_init(&b, a, UTF7_MAX);
	for (size_t i = 0; i < utf8.n;) {
		uint32_t cp = utf8_next(utf8, &i, &ok);

		if (!ok)
			return false;
		if (cp >= 0x20 && cp <= 0x7e) {
			if (shifted)
				imap_utf7_shift_out(&b, &t);
			shifted = false;
			buf_char(&b, (char)cp);
			if (cp == '&')
				buf_char(&b, '-');
			continue;
		}
		if (!shifted)
			buf_char(&b, '&');
		shifted = true;
		if (cp >= 0x10000) {
			imap_utf7_put_unit(&b, &t,
			    0xd800 | (cp - 0x10000) >> 10);
			imap_utf7_put_unit(&b, &t,
			    0xdc00 | ((cp - 0x10000) & 0x3ff));
		} else {
			imap_utf7_put_unit(&b, &t, cp);
		}
	}
	if (shifted)
		imap_utf7_shift_out(&b, &t);
	*out = buf_view(&b);
	return !b.over;
}

static int
imap_utf7_digit(char c)
{
	const char *p = c != '\0' ? strchr(digits, c) : NULL;

	return p != NULL ? (int)(p - digits) : -1;
}

/*
 * Decodes the text between "&" and "-".  Joins surrogates; other faults (spare
 * bits, ASCII in base64) show when the name is encoded again.
 */
static bool
imap_utf7_read_shifted(struct buf *b, struct str s)
{
	uint32_t held = 0, high = 0;
	int n = 0;

	for (size_t i = 0; i < s.n; i++) {
		int d = imap_utf7_digit(s.p[i]);
		uint32_t unit;

		if (d < 0)
			return false;
		held = (held << 6 | (uint32_t)d) & 0xffffff;
		n += 6;
		if (n < 16)
			continue;
		n -= 16;
		unit = held >> n & 0xffff;
		if (high != 0) {
			if (unit < 0xdc00 || unit > 0xdfff)
				return false;
			buf_utf8(b,
			    0x10000 + ((high & 0x3ff) << 10) + (unit & 0x3ff));
			high = 0;
		} else if (unit >= 0xd800 && unit <= 0xdbff) {
			high = unit;
		} else if (unit >= 0xdc00 && unit <= 0xdfff) {
			return false;
		} else {
			buf_utf8(b, unit);
		}
	}
	return high == 0;
}

bool
imap_utf7_decode(struct arena *a, struct str name, struct str *out)
{
	struct str again, rest = name, plain, shifted;
	struct buf b;

	if (name.n > LIMIT_FOLDER_NAME)
		return false;
	buf_init(&b, a, UTF7_MAX);
	while (str_cut(rest, '&', &plain, &rest)) {
		buf_str(&b, plain);
		if (!str_cut(rest, '-', &shifted, &rest))
			return false;
		if (shifted.n == 0)
			buf_char(&b, '&');
		else if (!imap_utf7_read_shifted(&b, shifted))
			return false;
	}
	buf_str(&b, plain);
	*out = buf_view(&b);
	/* One folder, one name: only a name that encodes to the same text. */
	return !b.over && imap_utf7_encode(a, *out, &again) &&
	    str_eq(again, name);
}
