/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as text that PostgreSQL can hold. */
#include "store/postgres_text.h"

#include <string.h>

#include "base/utf8.h"

enum {
	MARK = 0x01,     /* before a NUL or itself: */
	MARK_NUL = 0x01, /* in the order of what they mean */
	MARK_SELF = 0x02,
	BYTES = 0x10FF00, /* and the byte, which has its high bit */
	BYTES_FIRST = 0x10FF80,
};

static bool
is_byte_character(uint32_t cp)
{
	return cp >= BYTES_FIRST;
}

bool
postgres_text_plain(struct str s)
{
	size_t i = 0;
	bool ok;

	while (i < s.n) {
		uint32_t cp = (unsigned char)s.p[i];

		if (cp <= MARK)
			return false;
		if (cp < 0x80) {
			i++;
			continue;
		}
		cp = utf8_next(s, &i, &ok);
		if (!ok || is_byte_character(cp))
			return false;
	}
	return true;
}

static void
put_bytes(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		buf_utf8(b, BYTES + (unsigned char)s.p[i]);
}

void
postgres_text_put(struct buf *b, struct str s)
{
	size_t i = 0;
	bool ok;

	while (i < s.n) {
		size_t from = i;
		uint32_t cp = utf8_next(s, &i, &ok);
		struct str one = { s.p + from, i - from };

		if (!ok || is_byte_character(cp)) {
			put_bytes(b, one);
		} else if (cp <= MARK) {
			buf_char(b, MARK);
			buf_char(b, cp == 0 ? MARK_NUL : MARK_SELF);
		} else {
			buf_str(b, one);
		}
	}
}

size_t
postgres_text_back(char *p, size_t n)
{
	struct str s = { p, n };
	size_t i = 0, out = 0;
	bool ok;

	if (postgres_text_plain(s))
		return n;
	while (i < n) {
		size_t from = i;
		uint32_t cp = utf8_next(s, &i, &ok);

		if (ok && cp == MARK && i < n &&
		    (p[i] == MARK_NUL || p[i] == MARK_SELF)) {
			p[out++] = p[i++] == MARK_NUL ? 0 : MARK;
		} else if (ok && is_byte_character(cp)) {
			p[out++] = (char)(cp - BYTES);
		} else {
			memmove(p + out, p + from, i - from);
			out += i - from;
		}
	}
	return out;
}
