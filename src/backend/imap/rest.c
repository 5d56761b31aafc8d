/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a move without MOVE (copy.c) that was cut off: its copies are
 * known, because the server had confirmed them.  An original that is still
 * there is removed if the target shows its copy, with all flags that the
 * original has: a person may have set one since.  The others stay, without the
 * mark that the call which was cut off may have left on them.
 */
#include "backend/imap/change.h"

static int
imap_rest_changed(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND,
	    "messages or their copies are not as they were: those originals "
	    "were not removed");
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

static void
imap_rest_shift(struct imap_moving *t, struct imap_sums *old, size_t from,
    size_t to)
{
	t->copied.to[to] = t->copied.to[from];
	old->sum[to] = old->sum[from];
	old->deleted[to] = old->deleted[from];
	old->flags[to] = old->flags[from];
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
		imap_rest_shift(t, old, i, n++);
	}
	t->uids = old->uids = (struct imap_uids){ uid, n };
}

/* Those whose copies are shown are left in t and old.  How many stay. */
static size_t
imap_rest_divide(struct imap_moving *t, struct imap_sums *old,
    const bool *shown, struct imap_uids *marked)
{
	uint32_t *uid = arena_array(t->a, t->uids.n, sizeof(*uid));
	uint32_t *mark = arena_array(t->a, t->uids.n, sizeof(*mark));
	size_t n = 0, stay = 0;

	*marked = (struct imap_uids){ mark, 0 };
	for (size_t i = 0; i < t->uids.n; i++) {
		if (shown[i]) {
			uid[n] = t->uids.v[i];
			imap_rest_shift(t, old, i, n++);
			continue;
		}
		stay++;
		if (old->deleted[i])
			mark[marked->n++] = t->uids.v[i];
	}
	t->uids = old->uids = (struct imap_uids){ uid, n };
	return stay;
}

/* The mark goes first: a person's client would remove those with it. */
static int
imap_rest_remove(struct imap_moving *t, struct imap_sums *old,
    const bool *shown, struct err *e)
{
	struct imap_uids marked;
	const size_t stay = imap_rest_divide(t, old, shown, &marked);

	if (t->uids.n + marked.n > 0 && imap_copy_open(t, e) < 0)
		return -1;
	if (marked.n > 0 && imap_copy_unmark(t, &marked, e) < 0)
		return -1;
	if (t->uids.n > 0 && imap_copy_remove(t, old, e) < 0)
		return -1;
	t->unanswered = false;
	return stay == 0 ? 0 : imap_rest_changed(e);
}

int
imap_rest(struct imap_moving *t, struct err *e)
{
	struct imap_sums old;
	bool *shown = arena_array(t->a, t->uids.n, sizeof(*shown));

	if (imap_rest_begin(t, e) < 0 || imap_rest_originals(t, &old, e) < 0)
		return -1;
	imap_rest_keep_there(t, &old);
	if (t->uids.n == 0)
		return 0;
	/* Where there is no target any more, no copy is shown. */
	if (imap_copy_shows(t, &old, shown, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
	}
	t->unanswered = true;
	return imap_rest_remove(t, &old, shown, e);
}
