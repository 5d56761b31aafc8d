/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_GMAIL_CHANGE_H
#define BACKEND_GMAIL_CHANGE_H

/* Labels of messages change, all of them in one request: batchModify. */
#include "backend/gmail/internal.h"

#define GMAIL_CHANGES 1000 /* messages in one request, Gmail's maximum */

/* change.c */
struct gmail_change {
	struct str folder; /* where they are; empty: anywhere */
	const struct refs *refs;
	struct str must;         /* a label's id that each has, or empty */
	struct strs add, remove; /* ids of labels */
};
/* Is each of them there?  ERR_NOT_FOUND, and ERR_UNSUPPORTED without `must`. */
int gmail_change_look(struct gmail *g, const struct gmail_change *w,
    struct err *e);
int gmail_change_make(struct gmail *g, const struct gmail_change *w,
    struct err *e);

/* mark.c, move.c */
int gmail_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);
/* Which labels change, whether Gmail lets them or not. */
void gmail_move_fill(struct arena *a, const struct gmail_label *from,
    const struct gmail_label *to, struct gmail_change *w);
/* The same, or ERR_UNSUPPORTED; `from` is NULL: from wherever they are. */
int gmail_move_plan(struct arena *a, const struct gmail_label *from,
    const struct gmail_label *to, struct gmail_change *w, struct err *e);
/* ERR_NOT_FOUND; "archive" is All Mail where no label has that name. */
int gmail_move_target(struct gmail *g, struct arena *a, struct str name,
    struct gmail_label *out, struct err *e);
int gmail_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e);

/*
 * move_back.c.  The labels that taking back a move from `to` into `from`
 * changes of a message that was in `was` before.
 */
void gmail_move_back_plan(struct arena *a, const struct gmail_label *from,
    const struct gmail_label *to, const struct strs *was,
    struct gmail_change *w);
int gmail_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e);

#endif
