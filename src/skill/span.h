#ifndef SKILL_SPAN_H
#define SKILL_SPAN_H

/*
 * JSON read where it stands.  A value is the run of bytes it is written in;
 * nothing is copied until a text is asked for.  A transcript of a megabyte is
 * mostly text nobody here has to look at, and it must be given back byte for
 * byte: a tree of it would be slower and of less use.
 *
 * span_check() comes first.  All else relies on it, takes values for valid and
 * says false when one is of another type.  No recursion.
 */
#include "base/err.h"
#include "base/str.h"

/* How deep a request may nest. */
#define SPAN_DEPTH 256

/*
 * Is it one JSON object (RFC 8259), strict UTF-8, with nothing after it?  A
 * name that anything here looks for must not be twice in one object: two
 * readers would take two values.  ERR_USAGE, ERR_LIMIT.
 */
int span_check(struct str text, struct err *e);
bool span_is_object(struct str v);
bool span_is_array(struct str v);
bool span_is_null(struct str v);
bool span_is_text(struct str v);
/* Behind the white space that begins at byte i. */
size_t span_space(struct str s, size_t i);
/* The text without white space around it. */
struct str span_root(struct str text);
bool span_member(struct str object, const char *key, struct str *value);
/* Several at one pass; what is not there is left as it was, which is empty. */
struct span_want {
	struct str key; /* a literal */
	struct str value;
};
void span_members(struct str object, struct span_want *v, size_t n);
/* The elements of an array one after another; *at begins at 0. */
bool span_next(struct str array, size_t *at, struct str *element);
/* A text, in the arena when it is written with escapes. */
bool span_text(struct arena *a, struct str v, struct str *out);
/* Writes what a text says, v.n - 2 bytes at most; how many it is. */
size_t span_plain(char *to, struct str v);
/* Is it the text `want`, a literal with nothing in it to escape? */
bool span_says(struct str v, struct str want);

#endif
