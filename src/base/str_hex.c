/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

int
str_hex_pair(struct str s, size_t i)
{
	int high = i < s.n ? str_hex(s.p[i]) : -1;
	int low = high >= 0 && i + 1 < s.n ? str_hex(s.p[i + 1]) : -1;

	return low >= 0 ? high * 16 + low : -1;
}

ptrdiff_t
str_hex_plain(char *out, size_t room, struct str s, bool plus)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		int c = (unsigned char)s.p[i];

		if (c == '+' && plus) {
			c = ' ';
		} else if (c == '%') {
			c = str_hex_pair(s, i + 1);
			i += 2;
		}
		if (c <= 0 || n + 1 >= room)
			return -1;
		out[n++] = (char)c;
	}
	out[n] = '\0';
	return (ptrdiff_t)n;
}

void
str_hex_put(char *out, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *in = p;

	for (size_t i = 0; i < n; i++) {
		out[2 * i] = digits[in[i] >> 4];
		out[2 * i + 1] = digits[in[i] & 15];
	}
}

struct str
str_hex_dup(struct arena *a, const void *p, size_t n)
{
	char *out = arena_alloc(a, 2 * n + 1);

	str_hex_put(out, p, n);
	return (struct str){ out, 2 * n };
}

void
str_hex_escape(char out[3], char mark, char c)
{
	static const char digits[] = "0123456789ABCDEF";

	out[0] = mark;
	out[1] = digits[(unsigned char)c >> 4];
	out[2] = digits[(unsigned char)c & 15];
}

static bool
is_unreserved(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
	    c == '~';
}

size_t
str_hex_percent(char out[3], char c)
{
	if (is_unreserved(c)) {
		out[0] = c;
		return 1;
	}
	str_hex_escape(out, '%', c);
	return 3;
}
