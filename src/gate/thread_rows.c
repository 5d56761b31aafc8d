/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages for threads: pages through a folder, newest first, and judges every
 * row before anything else is requested about it.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "gate/judge.h"
#include "gate/thread.h"
#include "gate/uids.h"
#include "source/thread_id.h"
#include "store/outbox.h"

/* One pass over a folder, or over one thread of the store. */
struct pass {
	struct mailbox *m;
	struct thread_place *place;
	enum thread_place_kind kind;
	const struct thread_want *want;
	struct mailbox_thread_messages *out;
	uint32_t top;  /* uids still to examine: this and below */
	size_t others; /* messages in `out` that were found elsewhere */
};

int
thread_rows_absent(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND, "no such thread");
}

/* In folders where only the account writes, its own messages are visible. */
static int
thread_rows_visible(const struct pass *p, struct arena *a,
    const struct row *row, struct mail *mail, struct err *e)
{
	bool writes =
	    p->kind == THREAD_SENT || p->kind == THREAD_DRAFTS || row->draft;
	int seen = judge_sender(p->m, a, p->place->folder, row, mail, e);

	if (seen == 0 && writes && thread_ours(p->m, a, mail))
		return 1;
	return seen;
}

/*
 * The time compared with `since`: when it was received, if a server knows; for
 * files, the Date, and only then the file's time.
 */
static void
thread_rows_when(const struct pass *p, const struct row *row,
    struct mailbox_thread_message *msg)
{
	const struct mime_envelope *v = &msg->mail.env;
	bool server = p->m->src->acct.path.n == 0;

	msg->dated = true;
	if (row->received_s != 0 && (server || !v->has_date))
		msg->at_s = row->received_s;
	else if (v->has_date)
		msg->at_s = v->date_s;
	else
		msg->dated = false;
}

/* By its flag; in a folder only for drafts, every one. */
static bool
thread_rows_is_draft(const struct pass *p, const struct row *row)
{
	return row->draft ||
	    (p->kind == THREAD_DRAFTS && !str_eq(p->place->folder, S("INBOX")));
}

/* Ids recur in many messages, and are stored once. */
static void
thread_rows_keep_names(struct mailbox_thread_messages *l, struct arena *a,
    const struct strs *from, struct strs *to)
{
	*to = (struct strs){ arena_array(a, from->n, sizeof(*to->v)), from->n };
	if (l->names == NULL) {
		l->names = arena_new(a, struct thread_ids);
		thread_id_init(l->names, a, 0);
	}
	for (size_t i = 0; i < from->n; i++) {
		uint32_t k = thread_id_find(l->names, from->v[i]);

		if (k == THREAD_ID_NONE)
			k = thread_id_add(l->names, str_dup(a, from->v[i]));
		to->v[i] = l->names->key[k];
	}
}

static void
thread_rows_keep_envelope(struct mailbox_thread_messages *l, struct arena *a,
    const struct mail *from, struct mail *to)
{
	const struct mime_envelope *v = &from->env;
	struct mail some = *from;

	some.env.references = (struct strs){ 0 };
	if (l->lean) {
		some.env = (struct mime_envelope){
			.subject = v->subject,
			.date_s = v->date_s,
			.has_date = v->has_date,
			.message_id = v->message_id,
		};
		some.env.in_reply_to = v->in_reply_to;
	}
	keep_mail(a, &some, to);
	thread_rows_keep_names(l, a, &v->references, &to->env.references);
}

/* The placeholder key of a message without a Message-ID, before it is read. */
static struct str
thread_rows_key_of(const struct pass *p, const struct row *row)
{
	struct arena *a = p->m->arena;
	const struct str part[] = { row->head, p->place->folder, row->ref.id,
		str_fmt(a, "%u", row->ref.uid) };

	return str_fmt(a, "~%.*s.%.*s", STR_ARG(store_digest(a, part, 1)),
	    STR_ARG(store_digest(a, part, sizeof(part) / sizeof(part[0]))));
}

/* Replaces `at`, or appends. */
static void
thread_rows_keep(const struct pass *p, const struct row *row,
    const struct mail *mail, size_t at)
{
	struct mailbox_thread_messages *l = p->out;
	struct arena *a = p->m->arena;
	size_t before = arena_used(a);
	struct mailbox_thread_message *msg;

	if (at == l->n)
		l->v = arena_more(a, l->v, l->n++, sizeof(*l->v));
	msg = &l->v[at];
	*msg = (struct mailbox_thread_message){
		.ref = { row->ref.uid, str_dup(a, row->ref.id) },
		.folder = p->place->folder,
		.uids = p->place->learned && row->ref.uid != 0,
		.draft = thread_rows_is_draft(p, row),
		.draft_id = str_dup(a, row->draft_id),
		.sent = p->kind == THREAD_SENT && !row->draft,
		.thread = str_dup(a, row->thread),
		.place = p->kind,
		.outline = row->outline,
	};
	if (mail->env.message_id.n == 0)
		msg->key = thread_rows_key_of(p, row);
	thread_rows_keep_envelope(l, a, mail, &msg->mail);
	thread_rows_when(p, row, msg);
	l->kept += arena_used(a) - before;
}

/*
 * With CAP_THREADS: is it already there, or a copy from another folder, and
 * which?  l->n: new.  Authors choose their ids, so a draft is a copy only of a
 * sent message.  Otherwise thread_make.c drops copies.
 */
static size_t
thread_rows_known(const struct pass *p, const struct row *row,
    const struct mail *mail)
{
	const struct mailbox_thread_messages *l = p->out;
	bool draft = thread_rows_is_draft(p, row);
	struct str id = mail->env.message_id;

	if ((p->m->src->be->caps & CAP_THREADS) == 0)
		return l->n;
	for (size_t i = 0; i < p->others; i++) {
		const struct mailbox_thread_message *x = &l->v[i];

		if (x->ref.uid == row->ref.uid &&
		    str_eq(x->ref.id, row->ref.id))
			return i;
		if (!str_eq(x->folder, p->place->folder) && id.n > 0 &&
		    str_eq(x->mail.env.message_id, id) && (x->sent || !draft))
			return i;
	}
	return l->n;
}

/* Adds one that is visible and wanted. */
static int
thread_rows_add(struct pass *p, const struct row *row, const struct mail *mail,
    struct err *e)
{
	struct mailbox_thread_messages *l = p->out;
	size_t at = thread_rows_known(p, row, mail);

	if (at < l->n)
		return 0;
	if (l->n == LIMIT_THREAD_MESSAGES || l->kept > LIMIT_THREAD_KEPT) {
		l->over = true;
		return 0;
	}
	if (taint_note(p->m, mail, e) < 0)
		return -1;
	thread_rows_keep(p, row, mail, at);
	return 0;
}

static int
thread_rows_take(struct pass *p, const struct rows *rows, struct err *e)
{
	CLEANUP(arena_close) struct arena *passing = NULL;
	bool own = p->m->src->be->caps & CAP_THREADS;

	for (size_t i = 0; i < rows->n; i++) {
		const struct row *row = &rows->v[i];
		struct mail mail;
		int seen;

		if (!own) { /* a row out of order is ignored */
			if (row->ref.uid > p->top || row->ref.uid == 0)
				continue;
			p->top = row->ref.uid - 1;
		}
		seen = thread_rows_visible(p, judge_passing(&passing), row,
		    &mail, e);
		if (seen < 0)
			return -1;
		if (seen == 0)
			continue;
		if (p->want->is != NULL &&
		    !p->want->is(p->want->ctx, row, &mail))
			continue;
		if (thread_rows_add(p, row, &mail, e) < 0)
			return -1;
	}
	return 0;
}

static int
thread_rows_learn_uids(struct pass *p, struct err *e)
{
	if (p->place->learned)
		return 0;
	if (uids_learn(p->m, p->place->folder, &p->place->uids, e) < 0 ||
	    uids_whole(p->m, &p->place->uids, e) < 0)
		return -1;
	p->place->learned = true;
	return 0;
}

/* Page by page to the folder's end; hidden rows do not end a page early. */
static int
thread_rows_through(struct pass *p, const struct query *q, struct err *e)
{
	struct query bq = *q;

	bq.folder = p->place->folder;
	bq.even = mailbox_hint_is_needed(p->m);
	/*
	 * The other folders contain the account's own mail, which no list
	 * receives; its mail may be in these two as well.
	 */
	if (p->kind == THREAD_LIST || p->kind == THREAD_INBOX)
		(void)mailbox_hint_and(p->m, p->m->src->acct.from_addr,
		    &bq.senders);
	while (!p->out->over) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct folder_state st = { 0 };
		struct refs among = { 0 };
		struct rows rows = { 0 };
		uint32_t top = p->top;

		if (p->place->uids.native) {
			bq.uid_max = top == UINT32_MAX ? 0 : top;
		} else {
			if (uids_below(p->m, &p->place->uids, a, 1, top,
				SIZE_MAX, &among, e) < 0)
				return -1;
			bq.among = &among;
		}
		if (p->m->src->be->find(p->m->conn, a, &bq, LIMIT_PAGE, &st,
			&rows, e) < 0)
			return -1;
		uids_apply(&p->place->uids, &st, &rows);
		judge_ahead(p->m, a, &rows);
		if (thread_rows_take(p, &rows, e) < 0)
			return -1;
		if (rows.n < LIMIT_PAGE || p->top == top || p->top == 0)
			return 0;
	}
	return 0;
}

/*
 * A store with threads of its own: one thread is read to its end, whose rows
 * are oldest first; of a folder only the newest are read, unless all are
 * wanted.
 */
static int
thread_rows_at_once(struct pass *p, const struct query *q, struct err *e)
{
	struct query bq = *q;
	size_t looked = 0;

	bq.folder = p->place->folder;
	bq.even = mailbox_hint_is_needed(p->m);
	while (!p->out->over) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct folder_state st = { 0 };
		struct rows rows = { 0 };
		const struct row *last;

		if (p->m->src->be->find(p->m->conn, a, &bq, LIMIT_PAGE, &st,
			&rows, e) < 0)
			return -1;
		judge_ahead(p->m, a, &rows);
		if (thread_rows_take(p, &rows, e) < 0)
			return -1;
		if (rows.n < LIMIT_PAGE)
			break;
		looked += rows.n;
		if (q->thread.n == 0 &&
		    (!p->out->whole || looked >= LIMIT_THREAD_FOUND))
			p->out->over = true;
		last = &rows.v[q->thread.n == 0 ? rows.n - 1 : 0];
		bq.behind = str_dup(p->m->arena, last->ref.id);
		bq.behind_s = last->received_s;
	}
	return 0;
}

int
thread_rows(struct mailbox *m, struct thread_places *places,
    enum thread_place_kind kind, const struct query *q,
    const struct thread_want *want, struct mailbox_thread_messages *out,
    struct err *e)
{
	struct thread_place *place = &places->v[kind];
	struct pass p = { .m = m,
		.place = place,
		.kind = kind,
		.want = want,
		.out = out,
		.top = UINT32_MAX,
		.others = out->n };
	int r;

	if (place->folder.n == 0 || place->gone)
		return 0;
	if (mailbox_open(m, e) < 0)
		return -1;
	if (m->src->be->caps & CAP_THREADS)
		r = thread_rows_at_once(&p, q, e);
	else
		r = thread_rows_learn_uids(&p, e) < 0
		    ? -1
		    : thread_rows_through(&p, q, e);
	if (r == 0 || e->kind != ERR_NOT_FOUND || kind == THREAD_LIST)
		return r;
	*e = (struct err){ 0 };
	place->gone = true;
	return 0;
}

/* Fetches some of these at once; they descend. */
static int
thread_rows_fetch_refs(struct pass *p, const struct refs *refs, struct err *e)
{
	struct mailbox *m = p->m;

	for (size_t i = 0; i < refs->n && !p->out->over; i += LIMIT_PAGE) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		size_t left = refs->n - i;
		const struct refs some = { refs->v + i,
			left < LIMIT_PAGE ? left : LIMIT_PAGE };
		struct folder_state st = { 0 };
		struct rows rows = { 0 };

		if (m->src->be->headers(m->conn, a, p->place->folder, &some,
			&st, &rows, e) < 0)
			return -1;
		uids_apply(&p->place->uids, &st, &rows);
		judge_ahead(m, a, &rows);
		if (thread_rows_take(p, &rows, e) < 0)
			return -1;
	}
	return 0;
}

int
thread_rows_refs(struct mailbox *m, struct thread_places *places,
    enum thread_place_kind kind, const struct refs *refs,
    struct mailbox_thread_messages *out, struct err *e)
{
	static const struct thread_want every = { 0 };
	struct pass p = { .m = m,
		.place = &places->v[kind],
		.kind = kind,
		.want = &every,
		.out = out,
		.top = UINT32_MAX };

	return thread_rows_fetch_refs(&p, refs, e);
}

int
thread_rows_learn(struct mailbox *m, struct thread_place *place, struct err *e)
{
	struct pass p = { .m = m, .place = place };

	return thread_rows_learn_uids(&p, e);
}

/* In the store's order; of several pages the newest came first. */
static int
thread_rows_by_time(const void *p, const void *q)
{
	const struct mailbox_thread_message *x = p, *y = q;

	if (x->at_s != y->at_s)
		return x->at_s < y->at_s ? -1 : 1;
	return str_cmp(x->ref.id, y->ref.id);
}

int
thread_rows_own(struct mailbox *m, struct thread_places *places,
    const struct query *q, struct mailbox_thread_messages *out, struct err *e)
{
	const struct thread_want every = { 0 };
	struct thread_place everywhere = { 0 };
	struct pass p = { .m = m,
		.place = &everywhere,
		.want = &every,
		.out = out };

	/*
	 * First the folder where the account writes: a message seen there is
	 * recognized elsewhere.
	 */
	if (thread_rows(m, places, THREAD_SENT, q, &every, out, e) < 0 ||
	    mailbox_open(m, e) < 0)
		return -1;
	p.others = out->n;
	if (thread_rows_at_once(&p, q, e) < 0)
		return -1;
	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), thread_rows_by_time);
	return 0;
}
