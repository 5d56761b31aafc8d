/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <string.h>

static bool
is_tail(unsigned char c)
{
	return (c & 0xC0) == 0x80;
}

/*
 * The length of the well-formed character at p, of which at most n bytes exist;
 * 0 if there is none (the table of RFC 3629, section 4).
 */
static size_t
utf8_length(const unsigned char *p, size_t n)
{
	unsigned char c = p[0];

	if (c < 0x80)
		return 1;
	if (c < 0xC2 || c > 0xF4 || n < 2 || !is_tail(p[1]))
		return 0;
	if (c < 0xE0)
		return 2;
	if (n < 3 || !is_tail(p[2]))
		return 0;
	if (c < 0xF0) {
		if (c == 0xE0 && p[1] < 0xA0)
			return 0;
		if (c == 0xED && p[1] > 0x9F)
			return 0;
		return 3;
	}
	if (n < 4 || !is_tail(p[3]))
		return 0;
	if (c == 0xF0 && p[1] < 0x90)
		return 0;
	if (c == 0xF4 && p[1] > 0x8F)
		return 0;
	return 4;
}

uint32_t
utf8_next(struct str s, size_t *i, bool *ok)
{
	const unsigned char *p = (const unsigned char *)s.p + *i;
	size_t n;

	*ok = true;
	if (p[0] < 0x80) {
		*i += 1;
		return p[0];
	}
	n = utf8_length(p, s.n - *i);
	*i += n > 0 ? n : 1;
	switch (n) {
	case 2:
		return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
	case 3:
		return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 |
		    (p[2] & 0x3Fu);
	case 4:
		return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 |
		    (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
	default:
		*ok = false;
		return 0xFFFD;
	}
}

/* The index of the first non-ASCII byte at or after i, or the end. */
static size_t
utf8_skip_ascii(struct str s, size_t i)
{
	uint64_t w;

	for (; s.n - i >= sizeof(w); i += sizeof(w)) {
		memcpy(&w, s.p + i, sizeof(w));
		if (w & UINT64_C(0x8080808080808080))
			break;
	}
	while (i < s.n && (unsigned char)s.p[i] < 0x80)
		i++;
	return i;
}

bool
utf8_valid(struct str s)
{
	size_t i = 0, n;

	while (i < s.n) {
		i = utf8_skip_ascii(s, i);
		if (i == s.n)
			break;
		n = utf8_length((const unsigned char *)s.p + i, s.n - i);
		if (n == 0)
			return false;
		i += n;
	}
	return true;
}

bool
utf8_ascii(struct str s)
{
	return s.n == 0 || utf8_skip_ascii(s, 0) == s.n;
}

size_t
utf8_put(char out[4], uint32_t cp)
{
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = 0xFFFD;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}

struct str
utf8_first(struct str s, size_t n)
{
	size_t cut = n, back;

	if (n >= s.n)
		return s;
	/* Goes back only if a whole character crosses the cut. */
	for (back = 0; back < 3 && cut > 0 && is_tail((unsigned char)s.p[cut]);
	     back++)
		cut--;
	if (cut < n &&
	    utf8_length((const unsigned char *)s.p + cut, s.n - cut) <= n - cut)
		cut = n;
	return str_first(s, cut);
}

size_t
utf8_count(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += !is_tail((unsigned char)s.p[i]);
	return n;
}
