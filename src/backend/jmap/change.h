/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_JMAP_CHANGE_H
#define BACKEND_JMAP_CHANGE_H

/* Flags of messages, and their folders, are changed. */
#include "backend/jmap/internal.h"

/* -- change.c: Email/set on messages that stay, RFC 8621 section 4.6 ----- */

/* What is wanted of each message. */
struct jmap_change {
	struct str folder; /* where they are; empty: anywhere */
	const struct refs *refs;
	unsigned set, clear;   /* flags that are keywords */
	struct strs add, drop; /* labels */
	const char *to;        /* a folder's id to move them to, or NULL */
	/* What each was in: one that was in both stays where it is; or NULL. */
	const struct places *was;
	const char *only_from; /* only those in this folder move, or NULL */
};
/* All of them or none; 0, -1 or JMAP_STALE.  ERR_NOT_FOUND. */
int jmap_change(struct jmap *j, struct arena *a, const struct jmap_change *w,
    struct err *e);
/* "prefix/id" as a path in a patch, RFC 8620 section 5.3, RFC 6901. */
const char *jmap_change_path(struct arena *a, const char *prefix,
    struct str id);

int jmap_move(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct copying *by,
    struct refs *moved, struct err *e);

int jmap_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e);

int jmap_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e);

#endif
