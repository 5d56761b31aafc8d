#ifndef STORE_FREEZE_H
#define STORE_FREEZE_H

/*
 * What is stopped.  A freeze is one row, which needs no key: whoever is in a
 * hurry has none at hand.  It holds from the moment it is committed, in every
 * process: each call asks, and a send asks once more in the very transaction
 * that writes down what leaves.  Only the operator lifts it.
 */
#include "store/store.h"

struct store_freeze {
	struct str agent;   /* empty: all of them */
	struct str account; /* its name; empty: all of them */
	struct str why;
	int64_t at_s;
};

struct store_freezes {
	struct store_freeze *v;
	size_t n;   /* at most LIMIT_FREEZES */
	size_t all; /* how many there are */
};

/*
 * Freezes, with or without keys, and leaves its rows in the audit log: as the
 * operator's where the admin key is there and fits, else as "unknown".  What is
 * frozen so already stays as it is.  ERR_NOT_FOUND: no such account; ERR_CONFIG
 * without a database; ERR_USAGE: a text of control characters, or too long;
 * ERR_LIMIT without the admin key.  store/freeze_put.c
 */
int store_freeze_put(const char *path, const struct store_keys *k,
    const struct store_freeze *f, struct err *e);
/* One agent, by its own call, which is recorded by who made it. */
int store_freeze_self(struct store *s, struct str agent, struct str why,
    struct err *e);
/*
 * The operator's: takes away the freeze of that agent and account.  What was
 * held meanwhile has as long to be approved as it had before.  ERR_NOT_FOUND.
 */
int store_freeze_lift(struct store *s, struct str agent, struct str account,
    struct err *e);
/* The same of every row, in one transaction; *n counts them. */
int store_freeze_lift_all(struct store *s, size_t *n, struct err *e);
/* What is in force, of all or for that agent; those of all agents first. */
int store_freeze_list(struct store *s, struct arena *a, struct str agent,
    struct store_freezes *out, struct err *e);
/* Is that agent stopped, on that account (0: on all)?  1, 0, -1. */
int store_freeze_has(struct store *s, struct str agent, int64_t account,
    struct err *e);
/* The same as an error: 0, or ERR_POLICY with the reason "frozen". */
int store_freeze_refuse(struct store *s, struct str agent, int64_t account,
    struct err *e);

#endif
