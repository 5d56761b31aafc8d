/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waiting for a change of a mailbox: for the end of a transaction in one of the
 * two databases that say what is in it, of whatever program.
 */
#include <sys/inotify.h>

#include "backend/agentbox/contract.h"
#include "backend/agentbox/db.h"
#include "backend/hear.h"

#define CHANGES (IN_DELETE | IN_MODIFY | IN_MOVED_TO)

/*
 * A transaction ends when its journal is removed, or a piece of the log of a
 * database that has one is written.  What is put in place of a database counts
 * too.
 */
static bool
agentbox_watch_counts(uint32_t mask, struct str name)
{
	if (!str_starts(name, S(DB_INDEX)) && !str_starts(name, S(DB_BOX)))
		return false;
	if (mask & IN_MODIFY)
		return str_ends(name, S("-wal"));
	return (mask & IN_MOVED_TO) || str_ends(name, S("-journal"));
}

int
agentbox_watch(struct conn *c, struct arena *a, const struct backend_watch *w,
    bool *changed, struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	CLEANUP(path_close) int box = -1;
	struct str name = { 0 };

	*changed = false;
	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, w->folder, &name, e) < 0)
		return -1;
	box = agentbox_box_open(b->root, &b->reg, e);
	if (box < 0)
		return -1;

	const struct backend_hear_folder both[] = { { b->root->dir, CHANGES },
		{ box, CHANGES } };

	return backend_hear(both, 2, agentbox_watch_counts, w, changed, e);
}
