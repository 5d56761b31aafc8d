/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_JOURNAL_PLACE_H
#define GATE_JOURNAL_PLACE_H

/* Messages of the journal in a folder: by the names they had there, and from
 * the newest down. */
#include "gate/journal.h"
#include "gate/uids.h"

enum {
	JOURNAL_MORE_PAGES = 2 /* of a target: what came meanwhile */
};

bool journal_place_same_ref(const struct ref *x, const struct ref *y);
/*
 * Rows by name, read ahead; none of another numbering than `uidvalidity`,
 * unless that is 0.  0: there is no such folder; 1, -1.
 */
int journal_place_rows(struct mailbox *m, struct arena *a, struct str folder,
    uint32_t uidvalidity, const struct refs *refs, struct folder_state *st,
    struct rows *rows, struct err *e);

/* How far down a folder was looked at. */
struct journal_place {
	struct uids uids; /* uids_learn() */
	uint32_t top;     /* still to examine; 0: all was */
};
/* The next rows down, at most LIMIT_PAGE, read ahead. */
int journal_place_page(struct mailbox *m, struct arena *a, struct str folder,
    struct journal_place *t, struct folder_state *st, struct rows *rows,
    struct err *e);

#endif
