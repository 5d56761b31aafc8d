/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_GRANT_H
#define STORE_GRANT_H

/*
 * Grants as rows.  The gate decides whether one is good for a call.  What must
 * not happen twice (making, using up, ending) happens here, under a lock.
 */
#include "store/store.h"

struct store_grant {
	int64_t id;
	struct str principal, conversation, turn;
	struct str skill, digest;
	struct str accounts, ops; /* " 1 3 ", " list get " */
	int64_t issued_ms, expires_ms, idle_ms, used_ms;
	int64_t uses_left; /* -1: no limit */
	struct str ended;  /* why it ended; empty: it has not */
	struct str lease;  /* its handle, from store_grant_load() */
	bool fresh;        /* from store_grant_load(): it was just made */
};

/* Can a set such as " 1 3 " take one more member? */
bool store_grant_member(struct str set, struct str word);
/*
 * Why it is over ("expired", "idle", "spent", or what ended it); NULL: it is
 * live.  A clock that was set back gives no more time.
 */
const char *store_grant_over(const struct store_grant *g, int64_t now_ms);
/*
 * A grant for this principal, conversation and turn: the live one if it is the
 * same in every way, otherwise a new one in its place.  ERR_LIMIT if
 * LIMIT_GRANTS are live.
 */
int store_grant_load(struct store *s, struct arena *a,
    const struct store_grant *want, struct store_grant *out, struct err *e);
/* By its handle, live or not: 1, 0, -1. */
int store_grant_by_lease(struct store *s, struct arena *a, struct str lease,
    struct store_grant *out, struct err *e);
/*
 * The grants of a principal, conversation and turn that were not ended, oldest
 * first.
 */
int store_grant_list(struct store *s, struct arena *a, struct str principal,
    struct str conversation, struct str turn, struct store_grant **out,
    size_t *n, struct err *e);
/* Counts one use: 1; 0 if the grant is over. */
int store_grant_use(struct store *s, int64_t id, int64_t now_ms, struct err *e);
/* Ends it: 1; 0 if another process did. */
int store_grant_end(struct store *s, int64_t id, const char *why,
    int64_t now_ms, struct err *e);
/*
 * Ends the expired grants of a principal and returns them with the reason; each
 * is returned to one caller, once.  Deletes grants that ended long ago.
 */
int store_grant_lapse(struct store *s, struct arena *a, struct str principal,
    int64_t now_ms, struct store_grant **out, size_t *n, struct err *e);

#endif
