/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_OWN_H
#define STORE_OWN_H

/*
 * The secrets of our own that an account must not send: its credentials, and
 * emcli's keys.  A process without the data key asks the keeper about texts;
 * it collects them, and few messages travel.
 */
#include "base/buf.h"
#include "store/store.h"

struct store_own {
	struct secret *v[16];
	size_t n;
	/* In a store that is served. */
	struct store *s; /* NULL: the secrets are in v */
	int64_t account;
	struct buf *asked; /* texts whose answers are assumed to be no */
	bool each;         /* every text is asked about at once */
	bool found;        /* an answer was yes */
	struct err failed;
};

/* Everything is borrowed; *a must last as long. */
int store_own_open(struct store *s, const struct store_keys *k, int64_t account,
    struct arena *a, struct store_own *out, struct err *e);
/*
 * Does the text contain one of them, byte by byte?  In a served store the
 * answer is not sure until store_own_settle().
 */
bool store_own_within(struct store_own *w, struct str text);
/* Can there be any? */
bool store_own_any(const struct store_own *w);
/*
 * After a search: 0, and the answers were right; 1: they were not, so search
 * again, and settle again; -1: the keeper did not answer.
 */
int store_own_settle(struct store_own *w, struct err *e);
void store_own_close(struct store_own *w);

#endif
