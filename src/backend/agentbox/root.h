#ifndef BACKEND_AGENTBOX_ROOT_H
#define BACKEND_AGENTBOX_ROOT_H

/*
 * A mailbox root on disk, of protocol 1: opened, made, looked at.  Nothing in
 * it is trusted: names are checked before they become paths, no link is
 * followed but that of a registered private folder, and no path that a database
 * holds is ever opened.  Another program may use the same root; whoever writes
 * holds its lock for as long.
 */
#include "base/err.h"
#include "base/str.h"

struct agentbox_root;

/* What the caller lends for as long as the root is open. */
struct agentbox_use {
	/* On clock_mono_ms(): locks and databases are waited for until then. */
	int64_t deadline_ms;
	/*
	 * HMAC-SHA-256 of the bytes with a key that this room never sees.
	 * NULL: nothing is signed, and no sender is known for certain.
	 */
	int (*mac)(void *ctx, struct str bytes, unsigned char out[32],
	    struct err *e);
	void *mac_ctx;
};

/*
 * Opens a root that is there.  What a process that died left behind is done or
 * undone first.  The path must be a folder of ours and no link.
 * ERR_NOT_FOUND: there is none.  ERR_CONFIG with a reason: "root_stale" (an
 * earlier layout, an unreadable index, entries that are no mailboxes),
 * "root_protocol" (another version; import it), "root_link", "root_owner".
 * ERR_DB with reason "locked": it is in use; try again later.
 */
int agentbox_root_open(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e);
/*
 * The same, and makes the root first where there is none: folders of mode 0700,
 * databases, the rules for people, the registration of the operator.  Of an
 * unfinished one the rest is made.
 */
int agentbox_root_make(const char *path, const struct agentbox_use *use,
    struct agentbox_root **out, struct err *e);
/* NULL-safe; lets every lock go. */
void agentbox_root_close(struct agentbox_root **r);

/* The absolute path, without links. */
struct str agentbox_root_path(const struct agentbox_root *r);
/*
 * What the operator should know of this opening, a sentence each: a lock of a
 * dead process removed, messages delivered late, files adopted.
 */
const struct strs *agentbox_root_notes(const struct agentbox_root *r);

#endif
