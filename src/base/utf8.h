/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

/* UTF-8 of RFC 3629: shortest forms, no surrogates, up to U+10FFFF. */
#include "base/str.h"

/*
 * Reads the code point at s.p[*i] and moves *i after it; *i is below s.n. A
 * byte that begins no character gives U+FFFD and *ok = false, and *i moves by
 * one.  Every call sets *ok, for this call only.
 */
uint32_t utf8_next(struct str s, size_t *i, bool *ok);
bool utf8_valid(struct str s);
bool utf8_ascii(struct str s);
/* Writes 1 to 4 bytes; U+FFFD if cp is not a scalar value. */
size_t utf8_put(char out[4], uint32_t cp);
/* The longest prefix of s of at most n bytes that ends on a character. */
struct str utf8_first(struct str s, size_t n);
/* The number of characters that begin in it, valid or not. */
size_t utf8_count(struct str s);

#endif
