/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guarded access to one message, some messages, folders.  Each row is judged
 * before it is returned, and a hidden message takes the same code path as a
 * missing one.
 */
#include "gate/mailbox.h"

#include "base/limits.h"
#include "gate/internal.h"
#include "gate/judge.h"
#include "gate/seen.h"
#include "gate/uids.h"

int
mailbox_open(struct mailbox *m, struct err *e)
{
	if (m->conn != NULL)
		return 0;
	m->tried = true;
	if (source_unseal(m->gate->store, m->src, e) < 0)
		return -1;
	m->reached =
	    m->src->be->open(&m->src->view, m->arena, &m->conn, e) == 0;
	return m->reached ? 0 : -1;
}

void
mailbox_close(struct mailbox *m)
{
	if (m->conn != NULL)
		m->src->be->close(m->conn);
	m->conn = NULL;
}

/* Context for reading messages of a folder by uid. */
struct look {
	struct mailbox *m;
	struct str folder;
	struct uids uids;
	struct seen seen;
	bool met;
	struct store_mark
	    *mark; /* room for what mailbox_heads() sees; or NULL */
	size_t marks;
	struct mails *all; /* every message of it is kept; or NULL */
};

static int
mailbox_look_open(struct look *l, struct mailbox *m, struct str folder,
    struct err *e)
{
	*l = (struct look){ .m = m, .folder = folder };
	if (mailbox_open(m, e) < 0 || seen_load(m, folder, &l->seen, e) < 0)
		return -1;
	return uids_learn(m, folder, &l->uids, e);
}

/* Compares the folder with its known state, or sets its floor. */
static int
mailbox_look_meet(struct look *l, const struct folder_state *st, struct err *e)
{
	bool reset;

	if (l->met && l->seen.uidvalidity != st->uidvalidity)
		return judge_absent(e); /* renumbered between two requests */
	if (l->met)
		return 0;
	l->met = true;
	if (seen_meet(l->m, l->folder, st, &l->seen, &reset, e) < 0)
		return -1;
	/* The given uids are of the previous numbering. */
	if (reset)
		return err_set(e, ERR_NOT_FOUND,
		    "the folder was renumbered: list it again");
	return 0;
}

/* Remembers what identifies the message if its uid changes. */
static void
mailbox_look_mark(struct look *l, const struct mail *mail)
{
	const struct mime_envelope *v = &mail->env;
	struct store_mark *k = &l->mark[l->marks];

	k->uid = mail->uid;
	k->acked = true;
	if (store_rematch_print(v->message_id, v->from_sole,
		v->has_date ? v->date_s : 0, k->print))
		l->marks++;
}

/*
 * Some uids are missing.  Answering without a request would distinguish them
 * from hidden ones, so the nearest others are requested instead.
 */
static int
mailbox_stand_in(struct look *l, struct arena *a, const uint32_t *uid, size_t n,
    struct refs *out, struct err *e)
{
	*out = (struct refs){ arena_array(a, n, sizeof(*out->v)), 0 };
	for (size_t i = 0; i < n; i++) {
		struct refs one;

		if (uids_below(l->m, &l->uids, a, 1, uid[i], 1, &one, e) < 0)
			return -1;
		if (one.n == 0 &&
		    uids_below(l->m, &l->uids, a, 1, UINT32_MAX, 1, &one, e) <
			0)
			return -1;
		if (one.n > 0)
			out->v[out->n++] = one.v[0];
	}
	return 0;
}

/*
 * Headers of uids, in order, each judged. -1 with ERR_NOT_FOUND as soon as one
 * is not visible.  *out is the last one.
 */
static int
mailbox_heads(struct look *l, struct arena *a, const uint32_t *uid, size_t n,
    struct refs *refs, struct mail *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *passing = NULL;
	struct mailbox *m = l->m;
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	struct refs asked;

	if (uids_refs(m, &l->uids, uid, n, refs, e) < 0)
		return -1;
	asked = *refs;
	if (refs->n != n && mailbox_stand_in(l, a, uid, n, &asked, e) < 0)
		return -1;
	if (m->src->be->headers(m->conn, a, l->folder, &asked, &st, &rows, e) <
	    0)
		return -1;
	uids_apply(&l->uids, &st, &rows);
	if (mailbox_look_meet(l, &st, e) < 0)
		return -1;
	if (refs->n != n || rows.n != n)
		return judge_absent(e);
	judge_ahead(m, a, &rows);
	for (size_t i = 0; i < n; i++) {
		struct mail mail;
		int seen;

		if (rows.v[i].ref.uid != uid[i])
			return judge_absent(e);
		seen = judge_sender(m, judge_passing(&passing), l->folder,
		    &rows.v[i], &mail, e);
		if (seen < 0)
			return -1;
		if (seen == 0) {
			m->call->blocked = "filtered";
			return judge_absent(e);
		}
		if (l->mark != NULL)
			mailbox_look_mark(l, &mail);
		if (l->all != NULL)
			keep_mail(m->arena, &mail, &l->all->v[l->all->n++]);
		if (i + 1 == n)
			keep_mail(a, &mail, out);
	}
	return 0;
}

int
mailbox_head(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct err *e)
{
	struct refs refs;
	struct look l;

	if (mailbox_look_open(&l, m, folder, e) < 0)
		return -1;
	if (mailbox_heads(&l, m->arena, &uid, 1, &refs, out, e) < 0)
		return -1;
	return taint_note(m, out, e);
}

/*
 * The header is judged before the body is requested, so that a hidden message
 * takes no longer than a missing one (except if it claims a sender who must
 * sign: checking that needs the body).  The received bytes are judged again,
 * because they are what is returned.
 */
int
mailbox_get(struct mailbox *m, struct str folder, uint32_t uid,
    struct mail *out, struct str *raw, struct err *e)
{
	struct refs refs;
	struct mail head = { 0 };
	struct str bytes;
	struct row whole = { 0 };
	struct look l;

	if (mailbox_look_open(&l, m, folder, e) < 0 ||
	    mailbox_heads(&l, m->arena, &uid, 1, &refs, &head, e) < 0)
		return -1;
	if (m->src->be->body(m->conn, m->arena, folder, &refs.v[0],
		LIMIT_MESSAGE, &bytes, e) < 0)
		return -1;
	whole.ref = refs.v[0];
	whole.head = bytes;
	whole.size = bytes.n;
	whole.has_attachments = head.has_attachments;
	whole.ambiguous = head.ambiguous;
	whole.forgeable = head.forgeable;
	whole.vouched = head.auth == SENDER_PASS;
	if (!judge_whole(m, m->arena, &whole, out)) {
		m->call->blocked = "filtered";
		return judge_absent(e);
	}
	if (taint_note(m, out, e) < 0)
		return -1;
	gate_warn(m->call, WARN_MBOX_AMBIGUOUS, out->ambiguous);
	*raw = bytes;
	return 0;
}

int
mailbox_ack(struct mailbox *m, struct str folder, const uint32_t *uids,
    size_t n, struct err *e)
{
	struct store_folder f = seen_key(m, folder, 0);
	struct look l;

	if (mailbox_look_open(&l, m, folder, e) < 0)
		return -1;
	l.mark = arena_array(m->arena, n, sizeof(*l.mark));
	for (size_t i = 0; i < n; i += LIMIT_PAGE) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		size_t some = n - i < LIMIT_PAGE ? n - i : LIMIT_PAGE;
		struct refs refs;
		struct mail last;

		if (mailbox_heads(&l, a, uids + i, some, &refs, &last, e) < 0)
			return -1;
	}
	/* Not the store's present value: the uids belong to this one. */
	f.uidvalidity = l.seen.uidvalidity;
	return store_rematch_ack(m->gate->store, &f, uids, n, l.mark, l.marks,
	    e);
}

int
mailbox_choose(struct mailbox *m, struct str folder, const uint32_t *uids,
    size_t n, struct mailbox_set *out, struct err *e)
{
	size_t before = arena_used(m->arena);
	struct look l;

	*out = (struct mailbox_set){ .folder = folder,
		.refs.v = arena_array(m->arena, n, sizeof(*out->refs.v)),
		.mails.v = arena_array(m->arena, n, sizeof(*out->mails.v)) };
	if (mailbox_look_open(&l, m, folder, e) < 0)
		return -1;
	l.all = &out->mails;
	for (size_t i = 0; i < n; i += LIMIT_PAGE) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		size_t some = n - i < LIMIT_PAGE ? n - i : LIMIT_PAGE;
		struct refs refs;
		struct mail last;

		if (mailbox_heads(&l, a, uids + i, some, &refs, &last, e) < 0)
			return -1;
		memcpy(out->refs.v + i, refs.v, some * sizeof(*refs.v));
		out->refs.n += some;
		if (arena_used(m->arena) - before > LIMIT_PAGE_HEADS)
			return err_set(e, ERR_LIMIT,
			    "these headers are too big for one call: name "
			    "fewer messages");
	}
	out->uidvalidity = l.seen.uidvalidity;
	return 0;
}

int
mailbox_choose_shown(struct mailbox *m, const struct mails *some, struct err *e)
{
	for (size_t i = 0; i < some->n; i++)
		if (taint_note(m, &some->v[i], e) < 0)
			return -1;
	return 0;
}

int
mailbox_folders(struct mailbox *m, struct folders *out, struct err *e)
{
	if (mailbox_open(m, e) < 0)
		return -1;
	return m->src->be->folders(m->conn, m->arena, out, e);
}

const char *
mailbox_role(enum folder_role role)
{
	return backend_role_name(role);
}
