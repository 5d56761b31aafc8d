/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

/*
 * Classes of ASCII characters, independent of the locale; a byte above 0x7f is
 * in none.
 */
#include <stdbool.h>

static inline bool
ascii_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
ascii_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static inline bool
ascii_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool
ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char
ascii_lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

#endif
