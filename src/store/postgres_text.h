/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_TEXT_H
#define STORE_POSTGRES_TEXT_H

/*
 * Texts of the store as PostgreSQL can hold them.  The store keeps what mail
 * and servers call things, in any bytes; PostgreSQL takes valid UTF-8 without
 * NUL alone.  What is plain text stays as it is; the rest is written in
 * characters that no text has:
 *
 *   NUL and U+0001              U+0001 with U+0001 or U+0002 after it
 *   a byte 0x80..0xFF that is   U+10FF80..U+10FFFF, and so is each byte of
 *   part of no character        one of these characters
 *
 * Two texts are equal if and only if they are so as written.  Their order is
 * that of their bytes, except where one has bytes that are no characters.
 */
#include <stdbool.h>

#include "base/buf.h"

/* Would it be written as it is? */
bool postgres_text_plain(struct str s);
/* As PostgreSQL is to hold it; it may become four times as long. */
void postgres_text_put(struct buf *b, struct str s);
/*
 * Back, in place: returns its length, which is no longer.  What nobody has
 * written this way is left as it is.
 */
size_t postgres_text_back(char *p, size_t n);

#endif
