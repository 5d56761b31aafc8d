/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/utf8.h"

void
buf_init(struct buf *b, struct arena *a, size_t max)
{
	*b = (struct buf){
		.a = a,
		.p = arena_alloc(a, 1),
		.room = 1,
		.max = max < SIZE_MAX / 4 ? max : SIZE_MAX / 4,
	};
}

bool
buf_reserve(struct buf *b, size_t n)
{
	size_t room, need;

	if (b->over)
		return false;
	if (n > b->max - b->n) {
		/* The content stays a true prefix: nothing may follow. */
		b->over = true;
		return false;
	}
	need = b->n + n + 1;
	if (need <= b->room)
		return true;
	room = b->room * 2 < 64 ? 64 : b->room * 2;
	if (room > b->max + 1)
		room = b->max + 1;
	if (room < need)
		room = need;
	b->p = arena_grow(b->a, b->p, b->room, room);
	b->room = room;
	return true;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	if (n == 0 || !buf_reserve(b, n))
		return;
	memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void
buf_str(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.n);
}

void
buf_text(struct buf *b, const char *c)
{
	buf_add(b, c, strlen(c));
}

void
buf_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		err_bug("buf_fmt: %s", fmt);
	if (!buf_reserve(b, (size_t)n))
		return;
	va_start(ap, fmt);
	(void)vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void
buf_utf8(struct buf *b, unsigned long cp)
{
	char c[4];
	size_t n = utf8_put(c, cp > 0x10FFFF ? 0xFFFD : (uint32_t)cp);

	buf_add(b, c, n);
}

void
buf_percent(struct buf *b, struct str s, const char *also)
{
	for (size_t i = 0; i < s.n; i++) {
		char c[3];

		if (str_has_char(str_of(also), s.p[i]))
			buf_char(b, s.p[i]);
		else
			buf_add(b, c, str_hex_percent(c, s.p[i]));
	}
}

void
buf_shell(struct buf *b, struct str s)
{
	buf_char(b, '\'');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\'')
			buf_text(b, "'\\''");
		else
			buf_char(b, s.p[i]);
	}
	buf_char(b, '\'');
}

struct str
buf_view(const struct buf *b)
{
	return (struct str){ b->p, b->n };
}

void
buf_reset(struct buf *b)
{
	b->n = 0;
	b->p[0] = '\0';
	b->over = false;
}
