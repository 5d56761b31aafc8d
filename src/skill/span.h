/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_SPAN_H
#define SKILL_SPAN_H

/*
 * Reads JSON in place.  A value is the run of bytes that represents it; nothing
 * is copied until a text is needed.  A transcript of a megabyte is mostly text
 * that emcli does not need, and must be returned byte for byte: a tree would be
 * slower and less useful.
 *
 * Call span_check() first.  All other functions rely on it, assume valid values
 * and return false for a value of another type.  No recursion.
 */
#include "base/err.h"
#include "base/str.h"

/* The maximum nesting of a request. */
#define SPAN_DEPTH 256

/*
 * Is it one JSON object (RFC 8259), strict UTF-8, with nothing after it?  A
 * name that emcli looks up must not be twice in one object: two parsers would
 * take different values.  ERR_USAGE, ERR_LIMIT.
 */
int span_check(struct str text, struct err *e);
bool span_is_object(struct str v);
bool span_is_array(struct str v);
bool span_is_null(struct str v);
bool span_is_text(struct str v);
/* The index after the white space that begins at byte i. */
size_t span_space(struct str s, size_t i);
/* The text without white space around it. */
struct str span_root(struct str text);
bool span_member(struct str object, const char *key, struct str *value);
/* Several members in one pass; a missing one stays empty. */
struct span_want {
	struct str key; /* a literal */
	struct str value;
};
void span_members(struct str object, struct span_want *v, size_t n);
/* The elements of an array one after another; *at begins at 0. */
bool span_next(struct str array, size_t *at, struct str *element);
/* A text, copied to the arena if it has escapes. */
bool span_text(struct arena *a, struct str v, struct str *out);
/* Decodes a text, at most v.n - 2 bytes; returns the number. */
size_t span_plain(char *to, struct str v);
/* Is it the text `want`, a literal without escapes? */
bool span_says(struct str v, struct str want);

#endif
