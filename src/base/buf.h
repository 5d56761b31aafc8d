/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

/*
 * A growing run of bytes in an arena, with a cap of its own.  What would exceed
 * the cap is not added and sets `over`; after that nothing is added any more.
 * So write everything, then check `over` once.  A NUL that does not count
 * always follows the bytes.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct buf {
	struct arena *a;
	char *p;
	size_t n;    /* bytes held */
	size_t room; /* bytes allocated */
	size_t max;  /* the cap on n */
	bool over;   /* something did not fit */
};

void buf_init(struct buf *b, struct arena *a, size_t max);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, struct str s);
void buf_text(struct buf *b, const char *c);
void buf_char(struct buf *b, char c);
void buf_fmt(struct buf *b, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* One code point as UTF-8; U+FFFD if it is not a scalar value. */
void buf_utf8(struct buf *b, unsigned long cp);
/*
 * A part of a URL, RFC 3986 section 2.1: everything is escaped except
 * unreserved characters and those in `also`.
 */
void buf_percent(struct buf *b, struct str s, const char *also);
/* A word for a shell, whatever is in it: in single quotes. */
void buf_shell(struct buf *b, struct str s);
/* Makes room for n more bytes at once; false when the cap forbids it. */
bool buf_reserve(struct buf *b, size_t n);
/* A view, valid until the next call that adds. */
struct str buf_view(const struct buf *b);
void buf_reset(struct buf *b);

#endif
