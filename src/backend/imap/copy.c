/*
 * Into another folder on a server without MOVE: UID COPY, and UID EXPUNGE of
 * exactly the originals (RFC 4315).  An original is removed only after the
 * server has told the uid of its copy, and shows that message there.  A plain
 * EXPUNGE and CLOSE are never sent: they would remove others' mail too.
 */
#include "backend/imap/change.h"
#include "backend/imap/fetch.h"

static const struct imap_ask ask_sums = { .verb = "UID FETCH ",
	.words = " (UID FLAGS BODY.PEEK[HEADER.FIELDS"
		 " (MESSAGE-ID DATE FROM SUBJECT)])" };

/* By which a message is recognized. */
struct sums {
	struct imap_uids uids;
	uint64_t *sum; /* 0: not told */
	bool *deleted; /* \Deleted */
};

static void
imap_copy_begin_sums(struct sums *x, struct arena *a, struct imap_uids uids)
{
	*x = (struct sums){
		.uids = uids,
		.sum = arena_array(a, uids.n, sizeof(*x->sum)),
		.deleted = arena_array(a, uids.n, sizeof(*x->deleted)),
	};
}

static bool
imap_copy_is_deleted(const struct imap_node *flags)
{
	for (const struct imap_node *k = flags->child; k != NULL; k = k->next)
		if (imap_token_is(k, "\\Deleted"))
			return true;
	return false;
}

/* As imap_session.data. */
static int
imap_copy_take(struct imap_session *s, const struct imap_resp *r, void *ctx,
    struct err *e)
{
	struct sums *x = ctx;
	const struct imap_node *n, *flags = NULL, *head = NULL;
	uint32_t uid = 0;
	size_t at;

	if (imap_fetch_items(s, r, &n, e) < 0)
		return -1;
	for (; n != NULL && n->next != NULL; n = n->next->next) {
		if (imap_token_is(n, "UID") &&
		    imap_token_uid(n->next, &uid, e) < 0)
			return -1;
		if (imap_token_is(n, "FLAGS"))
			flags = n->next;
		if (n->kind == IMAP_ATOM &&
		    str_starts_case(n->text, S("BODY[HEADER.FIELDS ")))
			head = n->next;
	}
	at = imap_uids_place(&x->uids, uid);
	if (at == x->uids.n)
		return 0;
	if (flags != NULL)
		x->deleted[at] = imap_copy_is_deleted(flags);
	if (head != NULL && head->kind != IMAP_LIST && head->kind != IMAP_NIL)
		x->sum[at] = str_hash(STR_HASH, str_trim(head->text)) | 1;
	return 0;
}

static void
imap_copy_hear_sums(struct imap_moving *t, struct sums *x)
{
	t->s->data = imap_copy_take;
	t->s->ctx = x;
}

/* What the originals are, and their copies, in one flight. */
static int
imap_copy_put(struct imap_moving *t, struct sums *old, struct err *e)
{
	const struct imap_ask ask = { .verb = "UID COPY ",
		.words = " ",
		.folder = t->name };
	struct imap_session *s = t->s;
	const struct imap_cmd *bad, *ignored;
	struct imap_parts fetch, copy;

	imap_copy_begin_sums(old, t->a, t->uids);
	imap_copy_hear_sums(t, old);
	if (imap_parts_send(s, &fetch, &ask_sums, &t->uids, e) < 0)
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

static struct imap_uids
imap_copy_uids(const struct imap_moving *t)
{
	struct refs refs = { arena_array(t->a, t->uids.n, sizeof(*refs.v)),
		t->uids.n };

	for (size_t i = 0; i < refs.n; i++)
		refs.v[i].uid = t->copied.to[i];
	return imap_uids_of(t->a, &refs);
}

/* Does the target show each message where its copy is said to be? */
static int
imap_copy_verify(struct imap_moving *t, const struct sums *old, struct err *e)
{
	struct imap_session *s = t->s;
	const struct imap_cmd *bad;
	struct imap_parts fetch;
	struct sums new;
	bool same;

	imap_copy_begin_sums(&new, t->a, imap_copy_uids(t));
	if (imap_session_select(s, t->to, e) < 0)
		return -1;
	imap_copy_hear_sums(t, &new);
	if (imap_parts_send(s, &fetch, &ask_sums, &new.uids, e) < 0 ||
	    imap_session_settle(s, e) < 0 ||
	    imap_parts_wait(s, &fetch, &bad, e) < 0)
		return -1;
	s->data = NULL;
	same = bad == NULL && s->st.uidvalidity == t->copied.uidvalidity;
	for (size_t i = 0; i < t->uids.n && same; i++) {
		size_t at = imap_uids_place(&new.uids, t->copied.to[i]);

		same = old->sum[i] != 0 && old->sum[i] == new.sum[at];
	}
	return same ? 0
		    : imap_parts_unknown(e,
			  "the server does not show the copies that it made: "
			  "no original was removed, look before you move them "
			  "again");
}

/* Takes \Deleted from originals that are left and did not have it. */
static int
imap_copy_give_up(struct imap_moving *t, const struct sums *old, struct err *e)
{
	static const struct imap_ask ask = { .verb = "UID STORE ",
		.words = " -FLAGS.SILENT (\\Deleted)" };
	uint32_t *uid = arena_array(t->a, t->uids.n, sizeof(*uid));
	struct imap_uids left = { uid, 0 };
	const struct imap_cmd *ignored;
	struct imap_parts store;

	for (size_t i = 0; i < t->uids.n; i++)
		if (!old->deleted[i] && imap_set_has(&t->here, t->uids.v[i]))
			uid[left.n++] = t->uids.v[i];
	if (imap_parts_send(t->s, &store, &ask, &left, e) < 0 ||
	    imap_parts_wait(t->s, &store, &ignored, e) < 0)
		return -1;
	return imap_parts_unknown(e,
	    "the server copied the messages and did not remove all originals: "
	    "some are in both folders");
}

static int
imap_copy_remove(struct imap_moving *t, const struct sums *old, struct err *e)
{
	static const struct imap_ask ask_store = { .verb = "UID STORE ",
		.words = " +FLAGS.SILENT (\\Deleted)" };
	static const struct imap_ask ask_expunge = { .verb = "UID EXPUNGE " };
	struct imap_parts store, expunge;
	struct imap_session *s = t->s;
	const struct imap_cmd *unmarked, *unremoved;
	size_t left;

	if (imap_session_write(s, t->from, e) < 0 ||
	    imap_session_settle(s, e) < 0)
		return -1;
	if (s->st.uidvalidity != t->uidvalidity)
		return imap_parts_unknown(e,
		    "the folder was made again while the messages were copied: "
		    "no original was removed");
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
	struct sums old;

	if ((t->told && !t->removes) || (t->rights.told && !t->rights.expunge))
		return err_set(e, ERR_UNSUPPORTED,
		    "messages cannot be removed from that folder");
	if (t->copied.uidvalidity == 0)
		return err_set(e, ERR_UNSUPPORTED,
		    "the target keeps no message numbers, so copies could not "
		    "be recognized there");
	if (imap_copy_put(t, &old, e) < 0 || imap_copy_verify(t, &old, e) < 0)
		return -1;
	return imap_copy_remove(t, &old, e);
}
