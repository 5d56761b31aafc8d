/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_FREEZE_H
#define STORE_FREEZE_H

/*
 * Agents and accounts that are stopped.  A freeze is one row and needs no key,
 * because in an emergency none is at hand.  It applies in every process as soon
 * as it is committed: each call checks it, and a send checks it again in the
 * transaction that records the message.  Only the operator lifts it.
 */
#include "store/store.h"

struct store_freeze {
	struct str agent;   /* empty: all agents */
	struct str account; /* its name; empty: all accounts */
	struct str why;
	int64_t at_s;
};

struct store_freezes {
	struct store_freeze *v;
	size_t n;   /* at most LIMIT_FREEZES */
	size_t all; /* how many there are in total */
};

/*
 * Freezes, with or without keys, and writes rows to the audit log: as the
 * operator if the admin key is given and right, otherwise as "unknown".
 * Existing freezes do not change.  ERR_NOT_FOUND: no such account; ERR_CONFIG:
 * no database; ERR_USAGE: the text has control characters or is too long;
 * ERR_LIMIT without the admin key.  store/freeze_put.c
 */
int store_freeze_put(const char *path, const struct store_keys *k,
    const struct store_freeze *f, struct err *e);
/* Freezes an agent at its own request; the caller records the call. */
int store_freeze_self(struct store *s, struct str agent, struct str why,
    struct err *e);
/*
 * For the operator: removes the freeze of that agent and account.  Held
 * messages get back the time for approval that passed meanwhile.
 * ERR_NOT_FOUND.
 */
int store_freeze_lift(struct store *s, struct str agent, struct str account,
    struct err *e);
/* The same for every row, in one transaction; *n counts them. */
int store_freeze_lift_all(struct store *s, size_t *n, struct err *e);
/* The freezes of all agents, then those of that agent. */
int store_freeze_list(struct store *s, struct arena *a, struct str agent,
    struct store_freezes *out, struct err *e);
/* Is that agent frozen, on that account (0: on all)?  1, 0, -1. */
int store_freeze_has(struct store *s, struct str agent, int64_t account,
    struct err *e);
/* The same check as an error: 0, or ERR_POLICY with the reason "frozen". */
int store_freeze_refuse(struct store *s, struct str agent, int64_t account,
    struct err *e);

#endif
