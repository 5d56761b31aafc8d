/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is new above a known uid, in one flight: EXAMINE, UID SEARCH and a UID
 * FETCH of the next uids.  The search says which of these are the result; if it
 * names others too, the rows are fetched as for any other query.
 */
#include "backend/imap/fetch.h"
#include "backend/imap/search.h"

bool
imap_ahead_may(const struct imap_session *s, const struct query *q,
    size_t limit)
{
	struct query rest = *q;

	rest.uid_min = 0;
	return q->uid_min > 1 && !q->even && imap_search_is_open(&rest) &&
	    s->next != 0 && limit <= UINT32_MAX - q->uid_min &&
	    s->next - 1 <= q->uid_min + limit - 1;
}

/* A response to either of the two. */
static int
imap_ahead_data(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct imap_ahead *h = ctx;

	if (imap_search_data(s, r, h->set, e) < 0)
		return -1;
	return imap_fetch_data(s, r, &h->fetch, e);
}

int
imap_ahead_send(struct imap_session *s, struct arena *a, const struct query *q,
    size_t limit, struct imap_set *found, struct imap_ahead *out, struct err *e)
{
	uint32_t *uids = arena_array(a, limit, sizeof(*uids));
	size_t from = 0;

	for (size_t i = 0; i < limit; i++)
		uids[i] = q->uid_min + (uint32_t)(limit - 1 - i);
	*out = (struct imap_ahead){ .set = found };
	imap_fetch_init(&out->fetch, a, uids, limit);
	if (imap_fetch_send(s, &out->cmd, &out->fetch, &from, e) < 0)
		return -1;
	s->data = imap_ahead_data;
	s->ctx = out;
	out->sent = true;
	return 0;
}

int
imap_ahead_take(struct imap_session *s, struct imap_ahead *h, struct rows *out,
    bool *all, struct err *e)
{
	const struct imap_fetch *f = &h->fetch;
	uint32_t uid;

	*all = false;
	if (imap_command_wait(s, &h->cmd, e) < 0)
		return -1;
	s->data = NULL;
	h->sent = false;
	/* Refused: it was only a guess. */
	if (h->cmd.status != IMAP_OK ||
	    (h->set->n > 0 && h->set->v[h->set->n - 1].hi > f->uids[0]))
		return 0;
	*all = true;
	out->n = 0;
	while (imap_set_take(h->set, &uid, 1) == 1) {
		size_t at = f->uids[0] - uid;

		if (at < f->n && f->full[at])
			out->v[out->n++] = f->row[at];
	}
	return 0;
}
