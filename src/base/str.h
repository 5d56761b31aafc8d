/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_STR_H
#define BASE_STR_H

/*
 * A run of bytes that others own.  Mail contains NUL and 8-bit bytes, so a
 * length travels with the pointer; p may be NULL only if n is 0.  Case always
 * means ASCII case.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct str {
	const char *p;
	size_t n;
};

struct strs {
	struct str *v;
	size_t n;
};

/* A literal as a struct str: S("INBOX"); SI() in static tables. */
#define S(lit) ((struct str){ (lit), sizeof(lit) - 1 })
#define SI(lit)                                                                \
	{                                                                      \
		(lit), sizeof(lit) - 1                                         \
	}
/* For printf: "%.*s" with STR_ARG(s). */
#define STR_ARG(s) (int)(s).n, (s).p

/* A view of a NUL-terminated text; NULL gives the empty string. */
struct str str_of(const char *c);
struct str str_dup(struct arena *a, struct str s);
/* A NUL-terminated copy in the arena. */
char *str_c(struct arena *a, struct str s);
/* printf into the arena; a NUL follows that does not count. */
struct str str_fmt(struct arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
struct str str_fmt_list(struct arena *a, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));

bool str_eq(struct str x, struct str y);
bool str_eq_case(struct str x, struct str y);
/* Less than, equal, greater than zero, by bytes then length. */
int str_cmp(struct str x, struct str y);
bool str_starts(struct str s, struct str prefix);
bool str_starts_case(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
bool str_ends_case(struct str s, struct str suffix);
bool str_has_char(struct str s, char c);
/* Where needle begins in s, or -1. */
ptrdiff_t str_find(struct str s, struct str needle);
ptrdiff_t str_find_case(struct str s, struct str needle);

/* The text without white space (space, tab, CR, LF) at either end. */
struct str str_trim(struct str s);
/* Without those of these bytes that it ends with. */
struct str str_trim_end(struct str s, struct str bytes);
/* From byte i to the end; past the end gives the empty string. */
struct str str_from(struct str s, size_t i);
struct str str_first(struct str s, size_t n);
/*
 * Cuts s at the first c: *head is before it, *tail after it.  Without a c,
 * *head is all of s, *tail is empty, and the answer is false.
 */
bool str_cut(struct str s, char c, struct str *head, struct str *tail);
struct str str_lower(struct arena *a, struct str s);

/*
 * Reads all of s as a decimal number of at most `max`: digits only, no sign,
 * no space, not empty.  False leaves *out alone.
 */
bool str_to_u32(struct str s, uint32_t max, uint32_t *out);
bool str_to_u64(struct str s, uint64_t max, uint64_t *out);

/* The value of a hexadecimal digit of either case, or -1. */
int str_hex(char c);
/* The byte whose two digits begin at s.p[i], or -1. */
int str_hex_pair(struct str s, size_t i);
/*
 * Decodes "%" and two digits, and "+" as a space if `plus`; puts a NUL after
 * it. -1 if the text is malformed, contains a NUL, or does not fit.
 */
ptrdiff_t str_hex_plain(char *out, size_t room, struct str s, bool plus);
/* Two lower-case digits for each byte, without a NUL after them.  str_hex.c */
void str_hex_put(char *out, const void *p, size_t n);
/* The same in the arena, with a NUL that does not count. */
struct str str_hex_dup(struct arena *a, const void *p, size_t n);
/* The mark, "%" or "=", and two upper-case digits. */
void str_hex_escape(char out[3], char mark, char c);
/*
 * A byte as a part of a URL, RFC 3986 section 2.1: an unreserved byte is
 * itself, any other is escaped.  Returns the number of bytes put.
 */
size_t str_hex_percent(char out[3], char c);

/*
 * Adds to a list in the arena.  The list began empty and is changed only by
 * this.
 */
void str_push(struct arena *a, struct strs *l, struct str s);
/* A copy of the list and of all its texts. */
struct strs str_dup_all(struct arena *a, const struct strs *l);
/* Is it one of them? */
bool str_among(const struct strs *l, struct str s);
bool str_among_case(const struct strs *l, struct str s);

/*
 * FNV-1a, continued from `sum`, which begins as STR_HASH.  Whoever chooses the
 * bytes can make two of them collide.
 */
#define STR_HASH UINT64_C(0xcbf29ce484222325)
uint64_t str_hash(uint64_t sum, struct str s);

#endif
