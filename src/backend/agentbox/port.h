#ifndef BACKEND_AGENTBOX_PORT_H
#define BACKEND_AGENTBOX_PORT_H

/* Roots of protocol 1 and 3, into and out of one of ours. */
#include "backend/agentbox/root.h"

struct agentbox_ported {
	unsigned protocol;    /* of the other root, 1 or 3 */
	size_t registrations; /* new here */
	size_t messages;      /* new here */
	size_t known;         /* there already, and left as they were */
	/* Below the other root: what could not be read.  It is left out. */
	struct strs damaged;
};

/*
 * Copies active registrations, messages, attachments kept in the root, and what
 * was read, answered, starred, archived, deleted and moved, from the root at
 * `from`, in which nothing is changed.  A message that is here already is left
 * as it is, so that an import that was cut off is begun again.  What protocol 3
 * knows of notifications has no place in protocol 1 and is left out.  Errors as
 * of agentbox_root_open(), of either root; "registration_conflict" before any
 * message is copied.
 */
int agentbox_import(struct agentbox_root *r, const char *from, struct arena *a,
    struct agentbox_ported *out, struct err *e);
/*
 * Makes a root of protocol 1 or 3 at `to`, where nothing may be yet, with what
 * this one has.  It is there whole or not at all.  ERR_USAGE for another
 * protocol or something that is there.
 */
int agentbox_export(struct agentbox_root *r, const char *to, unsigned protocol,
    struct arena *a, struct agentbox_ported *out, struct err *e);

#endif
