/* SPDX-License-Identifier: Apache-2.0 */
#include "base/base64.h"

#include <stdint.h>

static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

#define NO 0x80 /* not in the alphabet */
#define NO8 NO, NO, NO, NO, NO, NO, NO, NO
#define NO64 NO8, NO8, NO8, NO8, NO8, NO8, NO8, NO8

/* clang-format off */
static const uint8_t value[256] = {
	NO8, NO8, NO8, NO8, NO8,
	NO, NO, NO, 62, NO, NO, NO, 63,
	52, 53, 54, 55, 56, 57, 58, 59,
	60, 61, NO, NO, NO, NO, NO, NO,
	NO,  0,  1,  2,  3,  4,  5,  6,
	 7,  8,  9, 10, 11, 12, 13, 14,
	15, 16, 17, 18, 19, 20, 21, 22,
	23, 24, 25, NO, NO, NO, NO, NO,
	NO, 26, 27, 28, 29, 30, 31, 32,
	33, 34, 35, 36, 37, 38, 39, 40,
	41, 42, 43, 44, 45, 46, 47, 48,
	49, 50, 51, NO, NO, NO, NO, NO,
	NO64, NO64,
};
/* clang-format on */

size_t
base64_size(size_t n)
{
	return (n / 3 + (n % 3 != 0)) * 4;
}

size_t
base64_encode(char *out, const void *p, size_t n)
{
	const uint8_t *b = p;
	char *o = out;
	uint32_t w;

	for (; n >= 3; n -= 3, b += 3, o += 4) {
		w = (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
		o[0] = alphabet[w >> 18];
		o[1] = alphabet[w >> 12 & 63];
		o[2] = alphabet[w >> 6 & 63];
		o[3] = alphabet[w & 63];
	}
	if (n > 0) {
		w = (uint32_t)b[0] << 16 | (n > 1 ? (uint32_t)b[1] << 8 : 0);
		o[0] = alphabet[w >> 18];
		o[1] = alphabet[w >> 12 & 63];
		o[2] = '=';
		if (n > 1)
			o[2] = alphabet[w >> 6 & 63];
		o[3] = '=';
		o += 4;
	}
	return (size_t)(o - out);
}

void
base64_put(struct buf *b, struct str raw)
{
	size_t n = base64_size(raw.n);

	if (n == 0 || !buf_reserve(b, n))
		return;
	(void)base64_encode(b->p + b->n, raw.p, raw.n);
	b->n += n;
	b->p[b->n] = '\0';
}

/*
 * Four characters to three bytes; false, and no change, if one is not in the
 * alphabet.
 */
static inline bool
base64_group(uint8_t *o, const uint8_t *p)
{
	uint32_t a = value[p[0]], b = value[p[1]];
	uint32_t c = value[p[2]], d = value[p[3]];
	uint32_t w = a << 18 | b << 12 | c << 6 | d;

	if ((a | b | c | d) & NO)
		return false;
	o[0] = (uint8_t)(w >> 16);
	o[1] = (uint8_t)(w >> 8);
	o[2] = (uint8_t)w;
	return true;
}

ptrdiff_t
base64_decode(void *out, struct str text)
{
	const uint8_t *p = (const uint8_t *)text.p;
	uint8_t *o = out, last[3];
	size_t n = text.n, pad = 0;

	if (n == 0)
		return 0;
	if (n % 4 != 0)
		return -1;
	for (; n > 4; n -= 4, p += 4, o += 3)
		if (!base64_group(o, p))
			return -1;
	if (p[3] == '=')
		pad = p[2] == '=' ? 2 : 1;
	if (!base64_group(last,
		(const uint8_t[]){ p[0], p[1], pad > 1 ? 'A' : p[2],
		    pad > 0 ? 'A' : p[3] }))
		return -1;
	/*
	 * The bits that padding leaves unused are zero, RFC 4648 section 3.5.
	 */
	for (size_t i = 0; i < 3; i++) {
		if (i < 3 - pad)
			*o++ = last[i];
		else if (last[i] != 0)
			return -1;
	}
	return o - (uint8_t *)out;
}

ptrdiff_t
base64_decode_url(void *out, struct str text)
{
	char group[4] = { 'A', 'A', '=', '=' }, *o = out;
	ptrdiff_t n, all = 0;

	for (size_t i = 0; i < text.n; i += 4) {
		size_t left = text.n - i < 4 ? text.n - i : 4;

		if (left == 1)
			return -1;
		group[2] = group[3] = '=';
		for (size_t k = 0; k < left; k++) {
			char c = text.p[i + k];

			if (c == '+' || c == '/' || c == '=')
				return -1;
			if (c == '-')
				c = '+';
			else if (c == '_')
				c = '/';
			group[k] = c;
		}
		n = base64_decode(o + all, (struct str){ group, 4 });
		if (n < 0)
			return -1;
		all += n;
	}
	return all;
}

static bool
base64_is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t
base64_decode_lax(void *out, struct str text, bool *bad)
{
	const uint8_t *p = (const uint8_t *)text.p;
	uint32_t w = 0, have = 0; /* characters of the current group */
	uint8_t *o = out;
	size_t i = 0;

	*bad = false;
	while (i < text.n) {
		if (have == 0 && text.n - i >= 4 && base64_group(o, p + i)) {
			i += 4;
			o += 3;
			continue;
		}
		if (p[i] == '=')
			break;
		if (value[p[i]] & NO) {
			if (!base64_is_space(p[i]))
				*bad = true;
			i++;
			continue;
		}
		w = w << 6 | value[p[i++]];
		if (++have == 4) {
			*o++ = (uint8_t)(w >> 16);
			*o++ = (uint8_t)(w >> 8);
			*o++ = (uint8_t)w;
			w = have = 0;
		}
	}
	if (have >= 2)
		*o++ = (uint8_t)(w >> (have == 2 ? 4 : 10));
	if (have == 3)
		*o++ = (uint8_t)(w >> 2);
	return (size_t)(o - (uint8_t *)out);
}
