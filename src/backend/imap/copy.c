/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into another folder on a server without MOVE: UID COPY, and UID EXPUNGE of
 * exactly the originals (RFC 4315).  An original is removed only after the
 * server has told the uid of its copy, whoever asked has written that down, so
 * that a later call can finish the move (rest.c), and the server shows that
 * message there.  A plain EXPUNGE and CLOSE are never sent: they would remove
 * others' mail too.
 */
#include "backend/imap/change.h"

/* What the originals are, and their copies, in one flight. */
static int
imap_copy_put(struct imap_moving *t, struct imap_sums *old, struct err *e)
{
	const struct imap_ask ask = { .verb = "UID COPY ",
		.words = " ",
		.folder = t->name };
	struct imap_session *s = t->s;
	const struct imap_cmd *bad, *ignored;
	struct imap_parts fetch, copy;

	if (imap_sums_send(t, old, t->uids, &fetch, e) < 0)
		return -1;
	t->unanswered = true;
	if (imap_parts_send(s, &copy, &ask, &t->uids, e) < 0 ||
	    imap_parts_wait(s, &fetch, &ignored, e) < 0 ||
	    imap_parts_wait(s, &copy, &bad, e) < 0)
		return -1;
	s->data = NULL;
	s->code = NULL;
	/* One that was refused has copied nothing, RFC 9051 section 6.4.7. */
	if (bad != NULL && copy.n == 1 && t->copied.n == 0)
		return imap_moving_refused(t, bad, e);
	if (bad != NULL)
		(void)imap_moving_refused(t, bad, e);
	if (bad != NULL || t->copied.wrong || t->copied.n != t->uids.n)
		return imap_parts_unknown(e,
		    "the server did not say where the copies are: no original "
		    "was removed, look before you move them again");
	return 0;
}

/* If whoever asked cannot write them down, nobody could finish the move. */
static int
imap_copy_tell(struct imap_moving *t, struct err *e)
{
	struct refs copies;

	if (t->by == NULL)
		return 0;
	imap_moving_told(t, &copies);
	if (t->by->copied(t->by->ctx, &copies, t->copied.uidvalidity, e) == 0)
		return 0;
	/* What there is is known. */
	t->unanswered = false;
	return -1;
}

static struct imap_uids
imap_copy_uids(const struct imap_moving *t)
{
	struct refs refs = { arena_array(t->a, t->uids.n, sizeof(*refs.v)),
		t->uids.n };

	for (size_t i = 0; i < refs.n; i++)
		refs.v[i].uid = t->copied.to[i];
	return imap_uids_of(t->a, &refs);
}

int
imap_copy_fetch(struct imap_moving *t, struct imap_sums *new, struct err *e)
{
	struct imap_session *s = t->s;
	const struct imap_cmd *bad;
	struct imap_parts fetch;
	int r;

	*new = (struct imap_sums){ 0 };
	r = imap_session_select(s, t->to, e) < 0 ||
		imap_sums_send(t, new, imap_copy_uids(t), &fetch, e) < 0 ||
		imap_session_settle(s, e) < 0 ||
		imap_parts_wait(s, &fetch, &bad, e) < 0
	    ? -1
	    : 0;
	s->data = NULL;
	if (r == 0 && bad != NULL)
		r = imap_command_refused(bad, ERR_NETWORK,
		    "the server refused to show the copies", e);
	/* No two have the same copy. */
	if (r < 0 || s->st.uidvalidity != t->copied.uidvalidity ||
	    new->uids.n != t->uids.n)
		new->uids.n = 0;
	return r;
}

bool
imap_copy_is_shown(const struct imap_moving *t, const struct imap_sums *new,
    const struct imap_sums *old, size_t i)
{
	const bool rest = imap_moving_is_rest(t);
	size_t at = imap_uids_place(&new->uids, t->copied.to[i]);

	if (at == new->uids.n || !old->told[i] || !new->told[at] ||
	    old->sum[i] == 0 || old->sum[i] != new->sum[at])
		return false;
	/* One that is marked to be removed may be gone in a moment, and in a
	 * rest an original may have the mark of the call that was cut off. */
	if (new->deleted[at] && (rest || !old->deleted[i]))
		return false;
	return !rest || imap_sums_has_flags(new, at, old, i);
}

static int
imap_copy_verify(struct imap_moving *t, const struct imap_sums *old,
    struct err *e)
{
	struct imap_sums new;
	size_t n = 0;

	if (imap_copy_fetch(t, &new, e) < 0)
		return -1;
	for (size_t i = 0; i < t->uids.n; i++)
		n += imap_copy_is_shown(t, &new, old, i);
	if (n == t->uids.n)
		return 0;
	return imap_parts_unknown(e,
	    "the server does not show the copies that it made: no original was "
	    "removed, look before you move them again");
}

static int
imap_copy_open(struct imap_moving *t, struct err *e)
{
	if (imap_session_write(t->s, t->from, e) < 0 ||
	    imap_session_settle(t->s, e) < 0)
		return -1;
	if (t->s->st.uidvalidity == t->uidvalidity)
		return 0;
	return imap_parts_unknown(e,
	    "the folder was made again while the messages were copied: no "
	    "original was removed");
}

int
imap_copy_unmark(struct imap_moving *t, const struct imap_uids *left,
    struct imap_parts *store, const struct imap_cmd **bad, struct err *e)
{
	static const struct imap_ask ask = { .verb = "UID STORE ",
		.words = " -FLAGS.SILENT (\\Deleted)" };

	if (imap_parts_send(t->s, store, &ask, left, e) < 0)
		return -1;
	return imap_parts_wait(t->s, store, bad, e);
}

/* Takes \Deleted from originals that are left and did not have it. */
static int
imap_copy_give_up(struct imap_moving *t, const struct imap_sums *old,
    struct err *e)
{
	uint32_t *uid = arena_array(t->a, t->uids.n, sizeof(*uid));
	struct imap_uids left = { uid, 0 };
	const struct imap_cmd *ignored;
	struct imap_parts store;

	/* Once more would be the same, and what comes next is to give up. */
	if (imap_moving_is_rest(t)) {
		t->unanswered = false;
		return err_set(e, ERR_REJECTED,
		    "the server did not remove all originals: some messages "
		    "are in both folders");
	}
	for (size_t i = 0; i < t->uids.n; i++)
		if (!old->deleted[i] && imap_set_has(&t->here, t->uids.v[i]))
			uid[left.n++] = t->uids.v[i];
	if (imap_copy_unmark(t, &left, &store, &ignored, e) < 0)
		return -1;
	return imap_parts_unknown(e,
	    "the server copied the messages and did not remove all originals: "
	    "some are in both folders");
}

int
imap_copy_remove(struct imap_moving *t, const struct imap_sums *old,
    struct err *e)
{
	static const struct imap_ask ask_store = { .verb = "UID STORE ",
		.words = " +FLAGS.SILENT (\\Deleted)" };
	static const struct imap_ask ask_expunge = { .verb = "UID EXPUNGE " };
	struct imap_parts store, expunge;
	struct imap_session *s = t->s;
	const struct imap_cmd *unmarked, *unremoved;
	size_t left;

	t->expunged = s->expunged;
	if (imap_parts_send(s, &store, &ask_store, &t->uids, e) < 0 ||
	    imap_parts_send(s, &expunge, &ask_expunge, &t->uids, e) < 0 ||
	    imap_parts_wait(s, &store, &unmarked, e) < 0 ||
	    imap_parts_wait(s, &expunge, &unremoved, e) < 0 ||
	    imap_moving_left(t, unmarked == NULL && unremoved == NULL, &left,
		e) < 0)
		return -1;
	return left == 0 ? 0 : imap_copy_give_up(t, old, e);
}

int
imap_copy(struct imap_moving *t, struct err *e)
{
	struct imap_sums old;

	if ((t->told && !t->removes) || (t->rights.told && !t->rights.expunge))
		return err_set(e, ERR_UNSUPPORTED,
		    "messages cannot be removed from that folder");
	if (t->copied.uidvalidity == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the target keeps no message numbers, so copies could not "
		    "be recognized there");
	if (imap_copy_put(t, &old, e) < 0 || imap_copy_tell(t, e) < 0 ||
	    imap_copy_verify(t, &old, e) < 0 || imap_copy_open(t, e) < 0)
		return -1;
	return imap_copy_remove(t, &old, e);
}
