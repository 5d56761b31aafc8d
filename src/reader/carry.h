/* SPDX-License-Identifier: Apache-2.0 */
#ifndef READER_CARRY_H
#define READER_CARRY_H

/*
 * A struct as bytes, and back.  Each is described once, by a function that
 * either puts its fields or takes them.  What is taken may be anybody's: every
 * number has a range, every text and list a cap, and once something does not
 * fit, all that follows is zero and `bad` is set.
 */
#include "base/buf.h"
#include "base/str.h"

struct carry {
	struct buf *to;    /* it is put there; NULL: it is taken */
	struct str rest;   /* what has not been taken yet */
	struct str source; /* views into it travel as such */
	/*
	 * Where a long text is put, uncopied, to go behind all others; NULL: it
	 * is copied.
	 */
	struct str *last;
	struct arena *a;
	bool bad;
};

void carry_u64(struct carry *c, uint64_t *n, uint64_t max);
void carry_size(struct carry *c, size_t *n, size_t max);
void carry_bool(struct carry *c, bool *b);
void carry_i64(struct carry *c, int64_t *n, int64_t min, int64_t max);
void carry_int(struct carry *c, int *n, int min, int max);
/* Bytes; taken, a view of what came, or of the source. */
void carry_text(struct carry *c, struct str *s, size_t max);
/* The same if the text is UTF-8, as it has to be. */
void carry_utf8(struct carry *c, struct str *s, size_t max);
/*
 * The number of a list's items.  Taken, the result is a new array, else NULL,
 * and the items are carried next.
 */
void *carry_list(struct carry *c, size_t *n, size_t max, size_t item);
void carry_strs(struct carry *c, struct strs *v, size_t most, size_t max);

#endif
