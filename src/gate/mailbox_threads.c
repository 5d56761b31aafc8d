/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a list with new messages. */
#include "base/limits.h"
#include "gate/thread.h"
#include "mime/header.h"

struct listing {
	struct mailbox *m;
	const struct mailbox_threads_query *q;
	struct str id; /* the list's, RFC 2919: "name.domain" */
	struct thread_cursor from;
};

/* "<dev.example.org>" in List-Id, ignoring case; RFC 2919 section 3. */
static bool
mailbox_threads_is_list_id(struct str value, struct str want)
{
	struct str head, id;

	return str_cut(value, '<', &head, &value) &&
	    str_cut(value, '>', &id, &head) && str_eq_case(str_trim(id), want);
}

static bool
mailbox_threads_goes_to(const struct addresses *l, struct str addr)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_eq_case(l->v[i].addr, addr))
			return true;
	return false;
}

/* Is this folder the one that the operator set for this list? */
static bool
mailbox_threads_is_lists_own(const struct listing *l)
{
	const struct store_account *acct = &l->m->src->acct;

	return (acct->list_folder.n > 0 ||
		   str_eq(acct->backend, S("ponymail"))) &&
	    str_eq_case(acct->list, l->q->list);
}

/*
 * Is it the list's?  By List-Id if there is one; else by its recipients, except
 * in a folder of the list's own.
 */
static bool
mailbox_threads_is_of_list(const struct listing *l, const struct mail *mail)
{
	if (l->q->list.n == 0)
		return true;
	if (mail->env.has_list_id)
		return mailbox_threads_is_list_id(mail->env.list_id, l->id);
	return mailbox_threads_is_lists_own(l) ||
	    mailbox_threads_goes_to(&mail->env.to, l->q->list) ||
	    mailbox_threads_goes_to(&mail->env.cc, l->q->list);
}

static bool
mailbox_threads_is_wanted(void *ctx, const struct row *row,
    const struct mail *mail)
{
	const struct listing *l = ctx;

	(void)row;
	return mailbox_threads_is_of_list(l, mail) &&
	    (!l->q->search || thread_search_fits(l->q, mail));
}

/* Drops messages that are not strictly newer than the given moment. */
static void
mailbox_threads_drop_old(const struct listing *l,
    struct mailbox_thread_messages *found)
{
	size_t kept = 0;

	if (l->q->search && l->q->since.n == 0)
		return;
	for (size_t i = 0; i < found->n; i++)
		if (!found->v[i].dated || found->v[i].at_s > l->from.since_s)
			found->v[kept++] = found->v[i];
	found->n = kept;
}

/* -- messages without an id ---------------------------------------------- */

static bool
is_nameless(const struct mailbox_thread *t)
{
	return str_starts(t->name.id, S("~"));
}

/*
 * A message without an id is identified by its bytes, which are read only for
 * the page; copies are adjacent.
 */
static int
mailbox_threads_hash_nameless(struct mailbox *m, struct mailbox_threads *out,
    struct err *e)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->n; i++) {
		struct mailbox_thread *t = &out->v[i];

		if (is_nameless(t) &&
		    mailbox_thread_digest(m, &t->v[0], &t->name.id, e) < 0) {
			if (e->kind != ERR_NOT_FOUND)
				return -1;
			*e = (struct err){ 0 };
			continue;
		}
		if (kept > 0 && str_eq(out->v[kept - 1].name.id, t->name.id))
			mailbox_thread_copy(m->arena, &out->v[kept - 1],
			    &t->v[0]);
		else
			out->v[kept++] = *t;
	}
	out->n = kept;
	return 0;
}

/* -- threads of our making ------------------------------------------------ */

/* The ids of the results: their threads are listed. */
static struct strs
mailbox_threads_ids_of(struct arena *a,
    const struct mailbox_thread_messages *found)
{
	struct strs out = { 0 };

	for (size_t i = 0; i < found->n; i++) {
		const struct mime_envelope *v = &found->v[i].mail.env;

		str_push(a, &out, v->message_id);
		for (size_t k = 0; k < v->references.n; k++)
			str_push(a, &out, v->references.v[k]);
		for (size_t k = 0; k < v->in_reply_to.n; k++)
			str_push(a, &out, v->in_reply_to.v[k]);
	}
	return out;
}

/*
 * The results determine which threads are listed, but not their contents: each
 * is made from all messages of its places.
 */
static int
make_threads(struct listing *l, struct mailbox_thread_messages *found,
    struct mailbox_threads *out, struct err *e)
{
	struct mailbox *m = l->m;
	struct thread_places places;
	struct strs ids;

	if (found->n == 0)
		return 0;
	for (size_t i = 0; i < found->n; i++)
		found->v[i].seed = true;
	ids = mailbox_threads_ids_of(m->arena, found);
	if (thread_place_find(m, &places, e) < 0 ||
	    thread_whole(m, &places, &ids, found, e) < 0)
		return -1;
	if (thread_make_page(m->arena, found, &l->from, l->q->limit, out) &&
	    thread_cursor_next(m, l->q, &l->from, S(""), out, e) < 0)
		return -1;
	return mailbox_threads_hash_nameless(m, out, e);
}

static int
mailbox_threads_of_store(const struct listing *l,
    const struct thread_want *want, struct query bq,
    struct mailbox_threads *out, struct err *e)
{
	struct thread_own_query own = {
		.want = want,
		.from = &l->from,
		.limit = l->q->limit,
		.outline = !mailbox_hint_is_needed(l->m) &&
		    (l->q->list.n == 0 || mailbox_threads_is_lists_own(l)),
	};

	(void)mailbox_hint_and(l->m, l->m->src->acct.from_addr, &bq.senders);
	own.list = bq;
	return mailbox_threads_own(l->m, l->q, &own, out, e);
}

/* A search: bq is the store's part of the query. */
static int
find_threads(struct listing *l, const struct thread_want *want,
    const struct query *bq, struct mailbox_threads *out, struct err *e)
{
	struct mailbox_thread_messages found = { .whole = true };
	struct thread_places places = { 0 };
	struct mailbox *m = l->m;

	if (thread_place_list(m, &places.v[THREAD_LIST]) < 0 ||
	    thread_rows(m, &places, THREAD_LIST, bq, want, &found, e) < 0)
		return -1;
	mailbox_threads_drop_old(l, &found);
	if (thread_search_text(m, l->q, &found, e) < 0)
		return -1;
	out->over = found.over;
	if (m->src->be->caps & CAP_THREADS)
		return thread_search_own(m, l->q, &l->from, &found, out, e);
	return make_threads(l, &found, out, e);
}

int
mailbox_threads(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_threads *out, struct err *e)
{
	struct listing l = { .m = m, .q = q };
	struct thread_want want = { mailbox_threads_is_wanted, &l };
	struct query bq = { 0 };
	struct mailbox_thread_messages found = { .lean = true };
	struct thread_places places = { 0 };
	struct str name, domain;

	*out = (struct mailbox_threads){ 0 };
	if (q->limit < 1 || q->limit > LIMIT_PAGE)
		err_bug("a page of %zu threads", q->limit);
	if (thread_cursor_read(m, q, &l.from, e) < 0)
		return -1;
	bq.received_s = l.from.since_s;
	/* The store would omit messages that do not name the list. */
	if (!mailbox_threads_is_lists_own(&l))
		bq.list = q->list;
	if (str_cut(q->list, '@', &name, &domain))
		l.id = str_fmt(m->arena, "%.*s.%.*s", STR_ARG(name),
		    STR_ARG(domain));
	if (q->search) {
		thread_search_ask(m, q, &bq);
		return find_threads(&l, &want, &bq, out, e);
	}
	if (m->src->be->caps & CAP_THREADS)
		return mailbox_threads_of_store(&l, &want, bq, out, e);
	if (thread_place_list(m, &places.v[THREAD_LIST]) < 0 ||
	    thread_rows(m, &places, THREAD_LIST, &bq, &want, &found, e) < 0)
		return -1;
	mailbox_threads_drop_old(&l, &found);
	return make_threads(&l, &found, out, e);
}
