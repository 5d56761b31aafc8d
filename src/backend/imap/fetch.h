/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_IMAP_FETCH_H
#define BACKEND_IMAP_FETCH_H

/* FETCH: messages as rows. */
#include "backend/imap/internal.h"
#include "backend/imap/token.h"

/* fetch.c: rows of a FETCH. */

struct imap_fetch {
	struct arena *a;
	const uint32_t *uids; /* requested, descending; NULL: by sequence */
	uint32_t first;       /* the lowest sequence number requested */
	size_t n;
	struct row *row; /* n of them, in the order of uids, or upwards */
	bool *full;      /* does that row have its header? */
};

void imap_fetch_init(struct imap_fetch *f, struct arena *a,
    const uint32_t *uids, size_t n);
/*
 * The items of a FETCH response: names and values in turn.  NULL: it is another
 * response, or was skipped because of its size.
 */
int imap_fetch_items(struct imap_session *s, const struct imap_resp *r,
    const struct imap_node **items, struct err *e);
/* As imap_session.data with a struct imap_fetch for ctx. */
int imap_fetch_data(struct imap_session *s, const struct imap_resp *r,
    void *ctx, struct err *e);
/* Sends a FETCH of uids[*from..], as many as fit. */
int imap_fetch_send(struct imap_session *s, struct imap_cmd *c,
    struct imap_fetch *f, size_t *from, struct err *e);
/* Waits for it, then fetches the rest of uids. */
int imap_fetch_finish(struct imap_session *s, struct imap_cmd *c,
    struct imap_fetch *f, size_t from, struct err *e);
/* A copy that is independent of the arena it was read in. */
void imap_fetch_copy(struct arena *a, struct row *to, const struct row *from);
/* Turns the answer to a FETCH into a result. */
int imap_fetch_answer(const struct imap_cmd *c, struct err *e);

/* ahead.c: the rows that a SEARCH will name, in one flight with it. */

struct imap_ahead {
	bool sent;
	struct imap_fetch fetch;
	struct imap_cmd cmd;
	struct imap_set *set; /* what the search finds */
};

/*
 * Is it worth it: does the query ask for what is above a uid, and was there at
 * most a page of that when the folder was last seen?  Not if some of what is
 * found may be hidden, which would then show in the number of flights.
 */
bool imap_ahead_may(const struct imap_session *s, const struct query *q,
    size_t limit);
/* Sends it after the search, and hears the answers to both. */
int imap_ahead_send(struct imap_session *s, struct arena *a,
    const struct query *q, size_t limit, struct imap_set *found,
    struct imap_ahead *out, struct err *e);
/* Waits for it.  True: *out has all rows that were found, newest first. */
int imap_ahead_take(struct imap_session *s, struct imap_ahead *h,
    struct rows *out, bool *all, struct err *e);

#endif
