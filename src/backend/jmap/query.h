/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_JMAP_QUERY_H
#define BACKEND_JMAP_QUERY_H

/* Which messages there are. */
#include "backend/jmap/internal.h"

/* -- filter.c -------------------------------------------------------------- */

/* Is this one's filter nested?  Some servers refuse that. */
bool jmap_filter_is_nested(const struct jmap *j, const struct query *q);
/*
 * Adds `filter`: the part of the query that the server checks in this folder; q
 * NULL: none.
 */
void jmap_filter_put(struct jmap_call *c, const struct jmap_box *box,
    const struct query *q);

/* -- query.c: which messages there are ------------------------------------- */

int jmap_query_scan(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e);
/*
 * Every id that the server finds for q in box, newest first; 0, -1, JMAP_STALE.
 */
int jmap_query_ids(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, struct strs *ids, uint32_t *exists, struct err *e);
/*
 * The same, newest first and in batches; after q->behind, from the first.  Zero
 * except `behind`, which is q's.
 */
struct jmap_walk {
	struct str behind; /* until it is passed; then empty */
	size_t at;         /* in the server's list */
	bool ended;
};
int jmap_query_some(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct jmap_walk *w, struct strs *ids,
    uint32_t *exists, struct err *e);
/* Must the server be asked, or are headers enough? */
bool jmap_query_needs(const struct query *q);

/* -- find.c, thread.c ------------------------------------------------------ */

int jmap_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e);
/* Drops what was read: it is about to change. */
void jmap_thread_drop(struct jmap *j);
int jmap_thread(struct jmap *j, struct arena *a, const struct jmap_box *box,
    const struct query *q, size_t limit, struct folder_state *st,
    struct rows *out, struct err *e);

#endif
