/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SEEN_H
#define GATE_SEEN_H

/* What the agents have dealt with in a folder. */
#include "gate/internal.h"

/*
 * seen.c. The folder's floor for this principal, set at first contact; warns
 * uidvalidity_changed and sets *reset if the folder was renumbered.
 */
struct seen {
	bool known; /* the folder was known before this call */
	uint32_t uidvalidity, floor;
	uint32_t *acked; /* ascending */
	size_t n;
	struct mailbox_rematch rematch; /* if it was renumbered */
};

/* The folder's key in the store. */
struct store_folder seen_key(const struct mailbox *m, struct str folder,
    uint32_t uidvalidity);

/* The store's knowledge, before any request to the server. */
int seen_load(struct mailbox *m, struct str folder, struct seen *out,
    struct err *e);
/* Compares it with the folder's state now. */
int seen_meet(struct mailbox *m, struct str folder,
    const struct folder_state *st, struct seen *s, bool *reset, struct err *e);
bool seen_is_new(const struct seen *s, uint32_t uid);

/*
 * rematch.c. The folder of `s` has another uidvalidity: reads its messages and
 * keeps those as acked that it recognizes.  1: done, s->rematch has the counts;
 * 0: it recognized none.
 */
int rematch_run(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    struct seen *s, struct err *e);
/* Remembers the newest messages at the floor of a folder that is new. */
int rematch_floor(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    uint32_t floor, struct err *e);

#endif
