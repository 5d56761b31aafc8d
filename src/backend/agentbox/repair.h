#ifndef BACKEND_AGENTBOX_REPAIR_H
#define BACKEND_AGENTBOX_REPAIR_H

/* A root looked through, and put right. */
#include "backend/agentbox/root.h"

struct agentbox_report {
	size_t messages;      /* with a row */
	size_t registrations; /* active */
	size_t links;         /* made again */
	size_t rows;          /* of mailboxes, made again; none is changed */
	size_t locks;         /* of dead processes, removed */
	/* Below the root: files that are no messages, and messages whose file
	 * is gone. */
	struct strs damaged;
	/* Where an unreadable database was put; empty: all are readable. */
	struct strs set_aside;
	bool moved; /* the root has another path than it had */
};

/*
 * Reads every message again and makes what is missing: rows, links, mailbox
 * databases.  What was read, answered, archived or moved stays so.  Absolute
 * paths follow a root that was moved.  An unreadable database is put aside and
 * made again.  Also opens a root that agentbox_root_open() refuses for such a
 * database.
 */
int agentbox_repair(const char *path, const struct agentbox_use *use,
    struct arena *a, struct agentbox_report *out, struct err *e);
/* The same report; nothing is changed. */
int agentbox_repair_look(struct agentbox_root *r, struct arena *a,
    struct agentbox_report *out, struct err *e);

#endif
