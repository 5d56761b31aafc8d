/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_NOTIFIER_WATCH_H
#define DOOR_HTTP_NOTIFIER_WATCH_H

/*
 * What inotify(7) tells the notifier.  A mailbox may be a link to a
 * folder elsewhere.  Where there is no inotify, nothing is ever seen, and a
 * wait is short.
 */
#include "runtime/runtime.h"

enum notifier_watch_seen {
	NOTIFIER_WATCH_MAIL = 1 << 0,     /* a file is new in the inbox */
	NOTIFIER_WATCH_COMMIT = 1 << 1,   /* the mailbox's database was written
					   */
	NOTIFIER_WATCH_ACTIVITY = 1 << 2, /* a hook said what the agent does */
	NOTIFIER_WATCH_SETTINGS = 1 << 3, /* settings or manifest are others */
	NOTIFIER_WATCH_BESIDE = 1 << 4,   /* `beside` can be read */
};

struct notifier_watch {
	int fd;                           /* -1: there is no inotify */
	int session, gateway, box, inbox; /* watches, or -1 */
	int beside; /* another descriptor to wait for, or -1 */
};

void notifier_watch_open(struct notifier_watch *w);
/* The folder of new messages; empty: the mailbox is on a server. */
struct str notifier_watch_inbox(const struct binding *b, struct arena *a);
/* Watches that session and that inbox, which may be as before, or new; an empty
 * inbox is none. */
void notifier_watch_session(struct notifier_watch *w, struct str session,
    struct arena *a);
void notifier_watch_mail(struct notifier_watch *w, struct str inbox,
    struct arena *a);
/*
 * Waits until something is seen, at most timeout_ms (-1: for ever), and without
 * inotify at most blind_ms.  What is seen: enum notifier_watch_seen, or-ed.
 * After an overflow it is all that inotify tells.
 */
unsigned notifier_watch_wait(struct notifier_watch *w, int timeout_ms,
    int blind_ms);

#endif
