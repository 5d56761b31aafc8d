/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads with a message that matches a search.  The store does the part that
 * it can; the rest is searched here, in visible messages.
 */
#include <stdlib.h>

#include "base/limits.h"
#include "gate/thread.h"

/* Does emcli search bodies itself, and not a server? */
static bool
looks_here(const struct mailbox *m)
{
	return (m->src->be->caps & (CAP_UIDS | CAP_SEARCH)) == 0;
}

void
thread_search_ask(const struct mailbox *m,
    const struct mailbox_threads_query *q, struct query *bq)
{
	bq->from = q->from;
	bq->to = q->to;
	bq->subject = q->subject;
	bq->before_s = q->before_s;
	/* A hidden body is not even opened: thread_search_text() searches. */
	if (!looks_here(m))
		bq->text = q->text;
	/*
	 * A server that also searched hidden mail would reveal it by the cost
	 * of the answer.
	 */
	if (m->src->be->caps & CAP_THREADS)
		(void)mailbox_hint_and(m, m->src->acct.from_addr, &bq->senders);
}

static bool
thread_search_holds_name(const struct addresses *l, struct str text)
{
	for (size_t i = 0; i < l->n; i++)
		if (str_find_case(l->v[i].name, text) >= 0 ||
		    str_find_case(l->v[i].addr, text) >= 0)
			return true;
	return false;
}

bool
thread_search_fits(const struct mailbox_threads_query *q,
    const struct mail *mail)
{
	return q->not_from.n == 0 ||
	    !thread_search_holds_name(&mail->env.from, q->not_from);
}

/* Keeps those of one round whose text contains the words. */
static int
thread_search_keep_found(struct mailbox *m,
    const struct mailbox_threads_query *q,
    struct mailbox_thread_messages *found, size_t from, size_t n, size_t *kept,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct folder_state st = { 0 };
	struct refs among = { arena_array(a, n, sizeof(*among.v)), n };
	struct query bq = { .folder = found->v[from].folder,
		.text = q->text,
		.among = &among };
	struct rows rows = { 0 };
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		among.v[i] = found->v[from + i].ref;
	if (m->src->be->find(m->conn, a, &bq, n, &st, &rows, e) < 0)
		return -1;
	/* They come in the order requested. */
	for (size_t i = 0; i < n && k < rows.n; i++) {
		if (!str_eq(rows.v[k].ref.id, among.v[i].id))
			continue;
		found->v[(*kept)++] = found->v[from + i];
		k++;
	}
	return 0;
}

int
thread_search_text(struct mailbox *m, const struct mailbox_threads_query *q,
    struct mailbox_thread_messages *found, struct err *e)
{
	size_t kept = 0;

	if (q->text.n == 0 || !looks_here(m))
		return 0;
	for (size_t i = 0, n; i < found->n; i += n) {
		n = found->n - i < LIMIT_PAGE ? found->n - i : LIMIT_PAGE;
		if (thread_search_keep_found(m, q, found, i, n, &kept, e) < 0)
			return -1;
	}
	found->n = kept;
	return 0;
}

/* The thread's place in the listing: at its newest match. */
static void
note_thread(struct mailbox_threads *l, struct arena *a, struct str id,
    const struct mailbox_thread_message *msg)
{
	size_t i = 0;

	while (i < l->n && !str_eq(l->v[i].name.id, id))
		i++;
	if (i == l->n) {
		l->v = arena_grow(a, l->v, l->n * sizeof(*l->v),
		    (l->n + 1) * sizeof(*l->v));
		l->v[l->n++] = (struct mailbox_thread){ .name = { .id = id } };
	}
	if (msg->at_s > l->v[i].last_s)
		l->v[i].last_s = msg->at_s;
}

static int
thread_search_by_place(const void *p, const void *q)
{
	const struct mailbox_thread *x = p, *y = q;

	return thread_cursor_order(x->last_s, x->name.id, y->last_s,
	    y->name.id);
}

/* Keeps only the page and sets its `next`. */
static int
thread_search_leave_page(struct mailbox *m,
    const struct mailbox_threads_query *q, const struct thread_cursor *from,
    struct mailbox_threads *out, struct err *e)
{
	size_t kept = 0;

	if (out->n > 1)
		qsort(out->v, out->n, sizeof(*out->v), thread_search_by_place);
	for (size_t i = 0; i < out->n; i++)
		if (thread_cursor_is_behind(from, out->v[i].last_s,
			out->v[i].name.id))
			out->v[kept++] = out->v[i];
	out->n = kept;
	if (kept <= q->limit)
		return 0;
	out->n = q->limit;
	return thread_cursor_next(m, q, from, S(""), out, e);
}

int
thread_search_own(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_cursor *from,
    const struct mailbox_thread_messages *found, struct mailbox_threads *out,
    struct err *e)
{
	const char *kind = thread_name_kind(m);
	size_t kept = 0;

	out->over = found->over;
	for (size_t i = 0; i < found->n; i++)
		if (found->v[i].thread.n > 0)
			note_thread(out, m->arena, found->v[i].thread,
			    &found->v[i]);
	if (thread_search_leave_page(m, q, from, out, e) < 0)
		return -1;
	/* Only threads on the page are requested completely. */
	for (size_t i = 0; i < out->n; i++) {
		const struct mailbox_thread_name name = { kind,
			out->v[i].name.id };
		struct mailbox_thread whole;

		if (mailbox_thread_read(m, &name, THREAD_KEY, &whole, e) == 0)
			out->v[kept++] = whole;
		else if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
	}
	out->n = kept;
	return 0;
}
