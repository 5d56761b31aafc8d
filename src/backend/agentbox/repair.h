/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_REPAIR_H
#define BACKEND_AGENTBOX_REPAIR_H

/* Checks and repairs a root. */
#include "backend/agentbox/root.h"

struct agentbox_report {
	size_t messages;      /* with a row */
	size_t registrations; /* active */
	size_t links;         /* made again */
	size_t rows;          /* of mailboxes, made again; others stay */
	size_t locks;         /* of dead processes, removed */
	/*
	 * Below the root: files that are not messages, and messages whose file
	 * is missing.
	 */
	struct strs damaged;
	/* Where an unreadable database was put; empty: all are readable. */
	struct strs set_aside;
	bool moved; /* the root's path has changed */
};

/*
 * Reads every message again and makes what is missing: rows, links, mailbox
 * databases.  The read, answered, archived and moved states stay.  Absolute
 * paths follow a root that was moved.  An unreadable database is set aside and
 * made again.  Also opens a root that agentbox_root_open() refuses because of
 * such a database.
 */
int agentbox_repair(const char *path, const struct agentbox_use *use,
    struct arena *a, struct agentbox_report *out, struct err *e);
/* The same report, without changes. */
int agentbox_repair_look(struct agentbox_root *r, struct arena *a,
    struct agentbox_report *out, struct err *e);

#endif
