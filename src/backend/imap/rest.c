/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a move without MOVE (copy.c) that was cut off: its copies are
 * known, because the server had confirmed them.  An original that is still
 * there is removed if the target shows its copy, with all flags that the
 * original has: a person may have set one since.  The others stay.
 *
 * The call that was cut off may have left \Deleted on originals, and a person's
 * mail program would remove them later.  Whoever gives up takes it from all
 * that are left, since nobody knows which had it before.
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

/* Where there is no target any more, no copy is shown. */
static int
imap_rest_copies(struct imap_moving *t, struct imap_sums *new, struct err *e)
{
	if (imap_copy_fetch(t, new, e) == 0)
		return 0;
	if (e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 };
	return 0;
}

/* After the copies, and in the folder as it is then changed. */
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

/* t and old have those that are to be removed; returns how many stay. */
static size_t
imap_rest_pick(struct imap_moving *t, const struct imap_sums *new,
    struct imap_sums *old)
{
	uint32_t *uid = arena_array(t->a, t->uids.n, sizeof(*uid));
	size_t n = 0, stay = 0;

	for (size_t i = 0; i < t->uids.n; i++) {
		/* That call removed it, or somebody else. */
		if (!old->there[i])
			continue;
		if (!imap_copy_is_shown(t, new, old, i)) {
			stay++;
			continue;
		}
		uid[n++] = t->uids.v[i];
	}
	t->uids = old->uids = (struct imap_uids){ uid, n };
	return stay;
}

/* Of a folder that was made again nobody knows the numbers. */
static int
imap_rest_give_up(struct imap_moving *t, struct err *e)
{
	const struct imap_cmd *bad = NULL;
	struct imap_parts store;

	if (imap_session_write(t->s, t->from, e) < 0 ||
	    imap_session_settle(t->s, e) < 0)
		return -1;
	if (t->s->st.uidvalidity != t->by->from_uidvalidity)
		return 0;
	if (imap_copy_unmark(t, &t->uids, &store, &bad, e) < 0)
		return -1;
	return bad == NULL ? 0
			   : imap_command_refused(bad, ERR_REJECTED,
				 "the server refused to take the mark of "
				 "removal from the messages",
				 e);
}

int
imap_rest(struct imap_moving *t, struct err *e)
{
	struct imap_sums new, old;
	size_t stay;

	if (t->by->gives_up)
		return imap_rest_give_up(t, e);
	if (imap_rest_begin(t, e) < 0 || imap_rest_copies(t, &new, e) < 0 ||
	    imap_rest_originals(t, &old, e) < 0)
		return -1;
	stay = imap_rest_pick(t, &new, &old);
	t->unanswered = t->uids.n > 0;
	if (t->uids.n > 0 && imap_copy_remove(t, &old, e) < 0)
		return -1;
	t->unanswered = false;
	return stay == 0 ? 0 : imap_rest_changed(e);
}
