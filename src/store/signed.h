#ifndef STORE_SIGNED_H
#define STORE_SIGNED_H

/*
 * Accounts, policy, agents and settings are the operator's: each transaction of
 * a store that was opened with the admin key leaves a signed copy of them
 * behind, in the same transaction.  What differs from the copy was changed by
 * somebody who had no such key.  The admin key's own slot says that there is a
 * copy, so that taking it away is a fault too.
 *
 * All need a store that was opened as the operator.
 */
#include "store/store.h"

/* One thing that somebody else changed. */
struct store_edit {
	struct str where; /* "account work", "whitelist out of work: x@y" */
	struct str what;  /* "mode was RO and is RW", "was put in" */
};

struct store_signed {
	struct store_edit *v;
	size_t n;      /* at most LIMIT_EDITS */
	bool more;     /* and others */
	struct str ts; /* when the copy was signed; empty: it is not there */
};

/* What differs from the copy.  That is no error. */
int store_signed_check(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e);
/* The same, and the schema and the file itself: reads all of it. */
int store_signed_verify(struct store *s, struct arena *a,
    struct store_signed *out, struct err *e);
/* Signs everything as it is now. */
int store_signed_accept(struct store *s, struct err *e);

/* What a store older than such copies was taken over with when it was opened;
 * false: it was not older.  A row of the audit log says so, too: principal
 * "operator", action "database". */
struct store_taken {
	int64_t accounts, entries, agents;
};

bool store_signed_taken(const struct store *s, struct store_taken *out);

#endif
