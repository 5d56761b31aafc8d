#ifndef STORE_GRANT_H
#define STORE_GRANT_H

/*
 * Grants as rows.  Whether one is good for a call is the gate's to say; what
 * must not happen twice (making, using up, ending) happens here, under a lock.
 */
#include "store/store.h"

struct store_grant {
	int64_t id;
	struct str principal, conversation, turn;
	struct str skill, digest;
	struct str accounts, ops; /* " 1 3 ", " list get " */
	int64_t issued_ms, expires_ms, idle_ms, used_ms;
	int64_t uses_left; /* -1: any number */
	struct str ended;  /* why; empty: not yet */
	struct str lease;  /* its handle, from store_grant_load() */
	bool fresh;        /* likewise: just made */
};

/* Is there room in a set such as " 1 3 " for that member? */
bool store_grant_member(struct str set, struct str word);
/*
 * Why it is good for nothing any more ("expired", "idle", "spent", or what
 * ended it); NULL: it is live.  A clock that was put back gives no more time.
 */
const char *store_grant_over(const struct store_grant *g, int64_t now_ms);
/*
 * One for this principal, conversation and turn: the one that is live, if it
 * is for the same in every way, or else a new one in its place.  ERR_LIMIT
 * when LIMIT_GRANTS are live.
 */
int store_grant_load(struct store *s, struct arena *a,
    const struct store_grant *want, struct store_grant *out, struct err *e);
/* By its handle, live or not: 1, 0, -1. */
int store_grant_by_lease(struct store *s, struct arena *a, struct str lease,
    struct store_grant *out, struct err *e);
/* Those of a principal, conversation and turn that were not ended, oldest
 * first. */
int store_grant_list(struct store *s, struct arena *a, struct str principal,
    struct str conversation, struct str turn, struct store_grant **out,
    size_t *n, struct err *e);
/* Counts one use: 1; 0 when it is over by now. */
int store_grant_use(struct store *s, int64_t id, int64_t now_ms, struct err *e);
/* Ends it: 1; 0 when somebody else did. */
int store_grant_end(struct store *s, int64_t id, const char *why,
    int64_t now_ms, struct err *e);
/*
 * Ends what ran out of a principal, and gives it with why: each is given to
 * one caller, once.  Forgets what ended long ago.
 */
int store_grant_lapse(struct store *s, struct arena *a, struct str principal,
    int64_t now_ms, struct store_grant **out, size_t *n, struct err *e);

#endif
