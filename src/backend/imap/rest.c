/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a move without MOVE (copy.c) that was cut off: its copies are
 * known, because the server had confirmed them.  Originals that are still there
 * are removed if the target shows each of them; otherwise all stay.
 */
#include "backend/imap/change.h"

static int
imap_rest_changed(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND,
	    "the messages or their copies are not as they were: no original "
	    "was removed");
}

/* What that call was told; ERR_NOT_FOUND: it cannot be true. */
static int
imap_rest_begin(struct imap_moving *t, struct err *e)
{
	const struct copying *by = t->by;

	if ((t->s->caps & IMAP_CAP_UIDPLUS) == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server cannot remove single messages (UIDPLUS)");
	if (by->copies->n != t->refs->n || by->uidvalidity == 0 ||
	    by->from_uidvalidity == 0 || str_eq(t->from, t->to))
		return imap_rest_changed(e);
	t->uidvalidity = by->from_uidvalidity;
	t->copied.uidvalidity = by->uidvalidity;
	for (size_t i = 0; i < t->refs->n; i++)
		t->copied.to[imap_uids_place(&t->uids, t->refs->v[i].uid)] =
		    by->copies->v[i].uid;
	return 0;
}

static int
imap_rest_originals(struct imap_moving *t, struct imap_sums *old, struct err *e)
{
	struct imap_session *s = t->s;
	const struct imap_cmd *bad;
	struct imap_parts fetch;

	if (imap_session_write(s, t->from, e) < 0 ||
	    imap_sums_send(t, old, t->uids, &fetch, e) < 0 ||
	    imap_session_settle(s, e) < 0 ||
	    imap_parts_wait(s, &fetch, &bad, e) < 0)
		return -1;
	s->data = NULL;
	if (s->st.uidvalidity != t->uidvalidity)
		return imap_rest_changed(e);
	return bad == NULL ? 0
			   : imap_command_refused(bad, ERR_NETWORK,
				 "the server refused to show the messages", e);
}

/* The others were removed by that call, or by somebody else. */
static void
imap_rest_keep_there(struct imap_moving *t, struct imap_sums *old)
{
	uint32_t *uid = arena_array(t->a, t->uids.n, sizeof(*uid));
	size_t n = 0;

	for (size_t i = 0; i < t->uids.n; i++) {
		if (!old->there[i])
			continue;
		uid[n] = t->uids.v[i];
		t->copied.to[n] = t->copied.to[i];
		old->sum[n] = old->sum[i];
		old->deleted[n++] = old->deleted[i];
	}
	t->uids = old->uids = (struct imap_uids){ uid, n };
}

int
imap_rest(struct imap_moving *t, struct err *e)
{
	struct imap_sums old;
	int r;

	if (imap_rest_begin(t, e) < 0 || imap_rest_originals(t, &old, e) < 0)
		return -1;
	imap_rest_keep_there(t, &old);
	if (t->uids.n == 0)
		return 0;
	r = imap_copy_shows(t, &old, e);
	if (r == 0)
		return imap_rest_changed(e);
	if (r < 0)
		return -1;
	t->unanswered = true;
	return imap_copy_remove(t, &old, e);
}
