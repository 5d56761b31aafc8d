/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simple disguises of a text: Base64 and hexadecimal at any offset,
 * quoted-printable and percent signs, Unicode tags, letters separated by
 * invisible characters.  Each form is decoded in one pass over the text.
 */
#include "base/buf.h"
#include "base/utf8.h"
#include "gate/internal.h"
#include "gate/outbox_secret.h"

enum {
	RUN_MIN = 12, /* shorter ones contain no canary */
	TAGS = 0xE0000
};

/* Code points that are invisible or blank. */
static const struct {
	uint32_t from, to;
} empty[] = {
	{ 0x80, 0xA0 },
	{ 0xAD, 0xAD },
	{ 0x300, 0x36F },
	{ 0x61C, 0x61C },
	{ 0x115F, 0x1160 },
	{ 0x1680, 0x1680 },
	{ 0x17B4, 0x17B5 },
	{ 0x180B, 0x180F },
	{ 0x2000, 0x200F },
	{ 0x2028, 0x202F },
	{ 0x205F, 0x206F },
	{ 0x20D0, 0x20FF },
	{ 0x3000, 0x3000 },
	{ 0x3164, 0x3164 },
	{ 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF },
	{ 0xFFA0, 0xFFA0 },
	{ 0xFFF0, 0xFFFB },
	{ TAGS, 0xE0FFF },
};

static bool
outbox_secret_view_is_empty(uint32_t cp)
{
	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		if (cp >= empty[i].from && cp <= empty[i].to)
			return true;
	return false;
}

/* No decoded form is longer than its input: allocated once. */
static void
outbox_secret_view_put(struct buf *out, char c)
{
	if (out->n < out->room)
		out->p[out->n++] = c;
}

static void
outbox_secret_view_put_byte(struct buf *out, unsigned char c, bool fold)
{
	if (fold && c >= 'A' && c <= 'Z')
		c = (unsigned char)(c + 'a' - 'A');
	if (c > ' ' && c != 0x7f)
		outbox_secret_view_put(out, (char)c);
}

void
outbox_secret_view_squeeze(struct str in, bool fold, struct buf *out)
{
	(void)buf_reserve(out, in.n);
	for (size_t i = 0; i < in.n;) {
		unsigned char c = (unsigned char)in.p[i];
		size_t at = i;
		uint32_t cp;
		bool ok;

		if (c < 0x80) {
			outbox_secret_view_put_byte(out, c, fold);
			i++;
			continue;
		}
		cp = utf8_next(in, &i, &ok);
		if (!ok)
			outbox_secret_view_put(out, (char)c);
		else if (cp >= 0xFF01 && cp <= 0xFF5E) /* full width */
			outbox_secret_view_put_byte(out,
			    (unsigned char)(cp - 0xFF01 + '!'), fold);
		else if (!outbox_secret_view_is_empty(cp))
			for (; at < i; at++)
				outbox_secret_view_put(out, in.p[at]);
	}
}

void
outbox_secret_view_reverse(struct str in, struct buf *out)
{
	(void)buf_reserve(out, in.n);
	for (size_t i = in.n; i > 0; i--)
		outbox_secret_view_put(out, in.p[i - 1]);
}

/* Base64 and base64url; 0: neither, else the value plus one. */
static const uint8_t sextets[256] = {
	['A'] = 1,
	2,
	3,
	4,
	5,
	6,
	7,
	8,
	9,
	10,
	11,
	12,
	13,
	14,
	15,
	16,
	17,
	18,
	19,
	20,
	21,
	22,
	23,
	24,
	25,
	26,
	['a'] = 27,
	28,
	29,
	30,
	31,
	32,
	33,
	34,
	35,
	36,
	37,
	38,
	39,
	40,
	41,
	42,
	43,
	44,
	45,
	46,
	47,
	48,
	49,
	50,
	51,
	52,
	['0'] = 53,
	54,
	55,
	56,
	57,
	58,
	59,
	60,
	61,
	62,
	['+'] = 63,
	['-'] = 63,
	['/'] = 64,
	['_'] = 64,
};

/* One run from an offset on: the start of an encoding is unknown. */
static void
outbox_secret_view_base64_run(const unsigned char *p, size_t n, struct buf *out)
{
	uint32_t bits = 0;
	unsigned have = 0;

	for (size_t i = 0; i < n; i++) {
		bits = bits << 6 | (uint32_t)(sextets[p[i]] - 1);
		have += 6;
		if (have < 8)
			continue;
		have -= 8;
		outbox_secret_view_put(out, (char)(bits >> have & 0xff));
	}
	outbox_secret_view_put(out, '\n');
}

static void
outbox_secret_view_base64(struct str in, unsigned phase, struct buf *out)
{
	const unsigned char *p = (const unsigned char *)in.p;
	size_t i = 0;

	while (i < in.n) {
		size_t from = i;

		while (i < in.n && sextets[p[i]] != 0)
			i++;
		if (i - from >= RUN_MIN)
			outbox_secret_view_base64_run(p + from + phase,
			    i - from - phase, out);
		if (i == from)
			i++;
	}
}

/* "41:42", "\x41\x42" and "0x41, 0x42" are runs like "4142". */
static bool
outbox_secret_view_between_hex(struct str in, size_t i)
{
	if (in.p[i] == '0' && i + 1 < in.n &&
	    (in.p[i + 1] == 'x' || in.p[i + 1] == 'X'))
		return true;
	return str_has_char(S(":,-\\xX"), in.p[i]);
}

static void
view_hex(struct str in, unsigned phase, struct buf *out)
{
	bool skip = phase > 0, half = false;
	int high = 0;

	for (size_t i = 0; i < in.n; i++) {
		int v = str_hex(in.p[i]);

		if (outbox_secret_view_between_hex(in, i))
			continue;
		if (v < 0) {
			if (out->n > 0 && out->p[out->n - 1] != '\n')
				outbox_secret_view_put(out, '\n');
			half = false;
			skip = phase > 0;
		} else if (skip) {
			skip = false;
		} else if (half) {
			outbox_secret_view_put(out, (char)(high << 4 | v));
			half = false;
		} else {
			high = v;
			half = true;
		}
	}
}

/* Decodes RFC 2045 section 6.7 and RFC 3986 section 2.1 together. */
static void
view_escaped(struct str in, struct buf *out)
{
	for (size_t i = 0; i < in.n; i++) {
		char c = in.p[i];
		int byte = c == '=' || c == '%' ? str_hex_pair(in, i + 1) : -1;

		if (byte >= 0) {
			outbox_secret_view_put(out, (char)byte);
			i += 2;
		} else if (c == '=' && i + 1 < in.n &&
		    (in.p[i + 1] == '\n' || in.p[i + 1] == '\r')) {
			i += in.p[i + 1] == '\r' && i + 2 < in.n &&
				in.p[i + 2] == '\n'
			    ? 2
			    : 1;
		} else {
			outbox_secret_view_put(out, c);
		}
	}
}

/* Tags U+E0020 to U+E007E are invisible ASCII. */
static void
view_tags(struct str in, struct buf *out)
{
	for (size_t i = 0; i + 3 < in.n; i++) {
		const unsigned char *p = (const unsigned char *)in.p + i;

		if (p[0] == 0xF3 && p[1] == 0xA0 &&
		    (p[2] == 0x80 || p[2] == 0x81)) {
			outbox_secret_view_put(out,
			    (char)((p[2] & 1) << 6 | (p[3] & 0x3f)));
			i += 3;
		}
	}
}

bool
outbox_secret_view_get(struct str text, struct str squeezed, int nth,
    struct buf *out)
{
	(void)buf_reserve(out, text.n);
	switch (nth) {
	case 0:
	case 1:
	case 2:
	case 3:
		outbox_secret_view_base64(squeezed, (unsigned)nth, out);
		return true;
	case 4:
	case 5:
		view_hex(squeezed, (unsigned)nth - 4, out);
		return true;
	case 6:
		view_escaped(text, out);
		return true;
	case 7:
		view_tags(text, out);
		return true;
	default:
		return false;
	}
}
