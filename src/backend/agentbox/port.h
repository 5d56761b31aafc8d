/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_PORT_H
#define BACKEND_AGENTBOX_PORT_H

/* Import and export of roots of protocol 1 and 3. */
#include "backend/agentbox/root.h"

struct agentbox_ported {
	unsigned protocol;    /* of the other root, 1 or 3 */
	size_t registrations; /* new here */
	size_t messages;      /* new here */
	size_t known;         /* existed already, not changed */
	/*
	 * Paths below the other root that could not be read, and were skipped.
	 */
	struct strs damaged;
};

/*
 * Copies active registrations, messages, attachments kept in the root, and the
 * read, answered, starred, archived, deleted and moved states, from the root at
 * `from`, which is not changed.  A message that exists here is not changed, so
 * that an interrupted import can be repeated.  Protocol 3's notifications have
 * no place in protocol 1 and are dropped.  Errors as in agentbox_root_open(),
 * for either root; "registration_conflict" before any message is copied.
 */
int agentbox_import(struct agentbox_root *r, const char *from, struct arena *a,
    struct agentbox_ported *out, struct err *e);
/*
 * Makes a root of protocol 1 or 3 at `to`, which must not exist, with the
 * content of this one.  It appears as a whole or not at all.  ERR_USAGE for
 * another protocol or an existing path.
 */
int agentbox_export(struct agentbox_root *r, const char *to, unsigned protocol,
    struct arena *a, struct agentbox_ported *out, struct err *e);

#endif
