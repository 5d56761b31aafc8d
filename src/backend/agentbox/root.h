/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_ROOT_H
#define BACKEND_AGENTBOX_ROOT_H

/*
 * A mailbox root on disk, of protocol 1: opening, creating, checking.  Nothing
 * in it is trusted: names are checked before they become paths, no link is
 * followed except that of a registered private folder, and no path from a
 * database is ever opened.  Another program may use the same root; a writer
 * holds its lock.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct agentbox_root;

/* Borrowed from the caller while the root is open. */
struct agentbox_use {
	/* On clock_mono_ms(): the limit for waiting on locks and databases. */
	int64_t deadline_ms;
	/*
	 * HMAC-SHA-256 of the bytes with a key that this room never sees.
	 * NULL: nothing is signed, and no sender is authenticated.
	 */
	int (*mac)(void *ctx, struct str bytes, unsigned char out[32],
	    struct err *e);
	/*
	 * Is it that of the bytes?  1, 0, -1.  It also knows those that `mac`
	 * refuses to make.  NULL: compare with what `mac` makes.
	 */
	int (*fits)(void *ctx, struct str bytes, const unsigned char mac[32],
	    struct err *e);
	void *mac_ctx;
};

/*
 * Opens an existing root.  First finishes or undoes what a dead process left.
 * The path must be a folder of ours and not a link.
 * ERR_NOT_FOUND: there is none.  ERR_CONFIG with a reason: "root_stale" (an
 * earlier layout, an unreadable index, entries that are not mailboxes),
 * "root_protocol" (another version; import it), "root_link", "root_owner".
 * ERR_DB with reason "locked": it is in use; try again later.
 */
int agentbox_root_open(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e);
/*
 * The same, but creates a missing root first: folders of mode 0700, databases,
 * the rules for people, the registration of the operator.  An unfinished root
 * is completed.
 */
int agentbox_root_make(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e);
/*
 * Are the bytes what `mac` is asked to sign for a message from that address?
 * Case is ignored.  load.c
 */
bool agentbox_load_is_of(struct arena *a, struct str bytes, struct str address);
/* NULL-safe; releases every lock. */
void agentbox_root_close(struct agentbox_root **r);

/* The absolute path, without links. */
struct str agentbox_root_path(const struct agentbox_root *r);
/*
 * Notes on this opening for the operator, one sentence each: a dead process's
 * lock removed, messages delivered late, files adopted.
 */
const struct strs *agentbox_root_notes(const struct agentbox_root *r);

#endif
