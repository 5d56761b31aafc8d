/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_WATCH_H
#define BACKEND_WATCH_H

/*
 * Waiting for a change: the method `watch` of struct backend, with CAP_WATCH.
 *
 * A store says that something may have changed, and not what: whoever waits
 * looks for it.  Nothing is missed by a caller that looks in each `ready`, or
 * after it: what changed before is found, and what changes later ends the wait.
 *
 * JMAP waits on an event stream (RFC 8620 section 7.3).  IMAP's IDLE (RFC 2177)
 * is ready at the server's "+", begins again every 29 minutes within one wait,
 * and ends with EXISTS, EXPUNGE or FETCH; inotify(7) is ready with its watches:
 * on `new` and `cur` of a Maildir, and on the databases of an agent's mailbox.
 *
 * A connection that waits does nothing else: whoever looks in `ready` does it
 * by another.  With CAP_UIDS a wait also ends with what changed since the last
 * read by its own connection, so that such a caller looks by that one, after
 * the wait, and needs no other.  Of a twin (wired/wired.h) it does not before
 * its first wait: by that it gets the connection of a process that only waits.
 *
 * The method returns 0: *changed, or until_ms has come.  ERR_UNSUPPORTED: this
 * server tells of no changes, and the caller looks from time to time.
 * ERR_NETWORK and others: there was no wait, or it broke off and a change may
 * have been missed; the caller looks, and pauses before it waits again.
 */
#include "backend/backend.h"

struct backend_watch {
	struct str folder; /* a hint: a store may tell of others, too */
	/*
	 * When the wait ends without a change, on clock_mono_ms().  Until
	 * `ready` is called, acct->deadline_ms counts.
	 */
	int64_t until_ms;
	/*
	 * Called once, when every later change ends the wait; or NULL.  Not 0:
	 * the wait ends, as if its time had come.
	 */
	int (*ready)(void *ctx);
	void *ctx;
};

#endif
