/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SIGNED_H
#define STORE_SIGNED_H

/*
 * Accounts, policy, agents and settings are the operator's: each transaction of
 * a store that was opened with the admin key also writes a signed copy of them.
 * What differs from the copy was changed without that key.  The admin key's own
 * slot records that a copy exists, so removing it is detected too.
 *
 * All functions need a store opened as the operator.
 */
#include "store/store.h"

/* One change made without emcli. */
struct store_edit {
	struct str where; /* "account work", "whitelist out of work: x@y" */
	struct str what;  /* "mode was RO and is RW", "was added" */
};

struct store_signed {
	struct store_edit *v;
	size_t n;      /* at most LIMIT_EDITS */
	bool more;     /* there are more */
	struct str ts; /* when the copy was signed; empty: there is no copy */
};

/* Lists what differs from the copy.  A difference is not an error. */
int store_signed_check(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e);
/* The same, plus the schema and the file itself: reads everything. */
int store_signed_verify(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e);
/* Signs everything as it is now. */
int store_signed_accept(struct store *s, struct err *e);

/*
 * How a store older than such copies was converted when it was opened; false:
 * it was not older.  An audit row records it: principal "operator", action
 * "database".
 */
struct store_taken {
	int64_t accounts, entries, agents;
};

bool store_signed_taken(const struct store *s, struct store_taken *out);

#endif
