#ifndef BASE_UTF8_H
#define BASE_UTF8_H

/* UTF-8 as RFC 3629 has it: shortest forms, no surrogates, to U+10FFFF. */
#include "base/str.h"

/*
 * Reads the code point at s.p[*i] and moves *i after it; *i is below s.n.  A
 * byte that begins none gives U+FFFD and *ok = false, and moves on by one.
 * *ok is set at every call and tells of this one alone.
 */
uint32_t utf8_next(struct str s, size_t *i, bool *ok);
bool utf8_valid(struct str s);
bool utf8_ascii(struct str s);
/* Writes 1 to 4 bytes; what is no scalar value is written as U+FFFD. */
size_t utf8_put(char out[4], uint32_t cp);
/* The longest beginning of s of at most n bytes that ends on a character. */
struct str utf8_first(struct str s, size_t n);
/* How many characters begin in it, whether it is valid or not. */
size_t utf8_count(struct str s);

#endif
