/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_UIDS_H
#define GATE_UIDS_H

/* Numbers of messages on every backend. */
#include "gate/internal.h"

/*
 * uids.c. Messages by uid on every backend.  If the store has no uids, the
 * folder is scanned and numbered (store_uid_sync()), unless the store says that
 * it has not changed since.
 */
struct uids {
	bool native; /* the backend's own: nothing below is set */
	bool partly; /* map.v is not loaded: request pages of it */
	uint32_t exists;
	struct store_uids map;
};

int uids_learn(struct mailbox *m, struct str folder, struct uids *out,
    struct err *e);
/* Loads map.v, for code that needs all of it. */
int uids_whole(struct mailbox *m, struct uids *u, struct err *e);
/* For stores without uids: the highest `max` from top down to bottom. */
int uids_below(struct mailbox *m, const struct uids *u, struct arena *a,
    uint32_t bottom, uint32_t top, size_t max, struct refs *out, struct err *e);
/* Refs of those uids that exist, in the order given. */
int uids_refs(struct mailbox *m, const struct uids *u, const uint32_t *uid,
    size_t n, struct refs *out, struct err *e);
/* Rows come back by id: sets our uids in them; drops unknown rows. */
void uids_apply(const struct uids *u, struct folder_state *st,
    struct rows *rows);

#endif
