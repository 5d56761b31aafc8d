/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_SET_H
#define BACKEND_IMAP_SET_H

/* Sets of uids. */
#include "backend/internal.h"

/* set.c: sets of uids as ranges. */

struct imap_range {
	uint32_t lo, hi;
};

struct imap_set {
	struct arena *a;
	struct imap_range *v;
	size_t n;
	bool over; /* there were more than LIMIT_IMAP_NODES ranges */
};

void imap_set_add(struct imap_set *s, uint32_t lo, uint32_t hi);
/* Reads "1:5,7"; false for anything else ("*" too). */
bool imap_set_parse(struct imap_set *s, struct str text);
/* Sorts, joins, and drops what is outside lo..hi. */
void imap_set_tidy(struct imap_set *s, uint32_t lo, uint32_t hi);
/* Has a tidy set that number? */
bool imap_set_has(const struct imap_set *s, uint32_t uid);
/* Takes the highest n numbers from a tidy set, highest first. */
size_t imap_set_take(struct imap_set *s, uint32_t *out, size_t n);
/*
 * Puts uids[*from..] (descending) as a set of at most some 8000 characters;
 * *from moves after the last one put.
 */
struct str imap_set_text(struct arena *a, const uint32_t *uids, size_t n,
    size_t *from);

#endif
