/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_LOCK_H
#define STORE_POSTGRES_LOCK_H

/*
 * Locks that a process holds while it does something elsewhere: talks to a
 * provider, sends a message.  Each is held by a connection of its own, so it is
 * gone with the process, and works behind a pool.
 */
#include "store/internal.h"

enum postgres_lock_kind {
	POSTGRES_LOCK_ACCOUNT, /* id 0: of all accounts */
	POSTGRES_LOCK_OUTBOX,  /* id 0, if it is asked: of any row */
	POSTGRES_LOCK_JOURNAL, /* as of the outbox */
};

struct postgres_lock;

/*
 * Connects, which may take POSTGRES_CONNECT_MS.  It holds no lock yet, and is
 * dropped before s is closed.
 */
struct postgres_lock *postgres_lock_open(struct store *s, struct err *e);
/*
 * Waits until the deadline, on clock_mono_ms().  ERR_DB; the caller drops it
 * then as well.
 */
int postgres_lock_wait(struct store *s, struct postgres_lock *l,
    enum postgres_lock_kind kind, int64_t id, int64_t deadline_ms,
    struct err *e);
/* Both: the time to connect counts too. */
int postgres_lock_take(struct store *s, enum postgres_lock_kind kind,
    int64_t id, int64_t deadline_ms, struct postgres_lock **out, struct err *e);
/* Asks the server whether it is held still.  ERR_DB if not. */
int postgres_lock_still(struct store *s, struct postgres_lock *l,
    struct err *e);
void postgres_lock_drop(struct postgres_lock **l);
/* Does anybody hold it?  1, 0, -1. */
int postgres_lock_held(struct store *s, enum postgres_lock_kind kind,
    int64_t id, struct err *e);

#endif
