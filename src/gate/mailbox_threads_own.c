/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The listing of a store with threads of its own.  It goes through the list's
 * messages, newest first, some at a time, and lists a thread at its newest
 * visible message: so it is on exactly one page, whatever order the store uses
 * for messages of the same second.  Its other messages only name their thread,
 * and a thread is requested only if it may be on the page.
 *
 * Messages that arrive after the first page was made are ignored, so they
 * cannot move a thread from a later page to an earlier one.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/limits.h"
#include "gate/judge.h"
#include "gate/thread.h"
#include "source/thread_id.h"

#define AHEAD 20 /* threads requested from a store at once */
#define SOME 100 /* messages read in one round */
#define SAME_SECOND 2

/* The data of a message in the list that matters here. */
struct sight {
	struct str id, thread;
	int64_t received_s; /* the store's order */
	int64_t at_s;
	bool seen; /* visible, of the list, and in the window */
};

struct walk {
	struct mailbox *m;
	const struct thread_own_query *q;
	struct thread_places places;
	int64_t top_s; /* not later than this; INT64_MAX: unknown */
	struct str behind;
	int64_t behind_s;
	size_t looked;
	bool ended;
	struct thread_ids tried; /* on this page, or on another */
	struct mailbox_threads *out;
	/* What was read last. */
	struct sight *v;
	size_t n;
};

/* "<top> <received> <id>", in a cursor that nobody else can make or read. */
static struct str
mailbox_threads_own_put_place(const struct walk *w)
{
	return str_fmt(w->m->arena, "%" PRIu64 " %" PRIu64 " %.*s",
	    (uint64_t)w->top_s, (uint64_t)w->behind_s, STR_ARG(w->behind));
}

static void
mailbox_threads_own_take_place(struct walk *w, struct str token)
{
	struct str top, at;
	uint64_t n = 0;

	if (!str_cut(token, ' ', &top, &token) ||
	    !str_cut(token, ' ', &at, &token))
		return;
	if (str_to_u64(top, UINT64_MAX, &n))
		w->top_s = (int64_t)n;
	if (str_to_u64(at, UINT64_MAX, &n))
		w->behind_s = (int64_t)n;
	w->behind = token;
}

/* The account's own drafts are visible, as in thread_rows.c. */
static int
mailbox_threads_own_is_seen(const struct walk *w, struct arena *a,
    const struct row *row, struct sight *out, struct err *e)
{
	const struct thread_want *want = w->q->want;
	struct mail mail;
	int r = judge_sender(w->m, a, w->places.v[THREAD_LIST].folder, row,
	    &mail, e);

	if (r < 0)
		return -1;
	*out = (struct sight){ .received_s = row->received_s,
		.at_s = row->received_s };
	if (row->received_s == 0 && mail.env.has_date)
		out->at_s = mail.env.date_s;
	out->seen = (r == 1 || (row->draft && thread_ours(w->m, a, &mail))) &&
	    want->is(want->ctx, row, &mail) &&
	    out->at_s > w->q->from->since_s && out->at_s <= w->top_s;
	return 0;
}

static int
mailbox_threads_own_find_rows(const struct walk *w, struct arena *a,
    const struct query *q, size_t limit, struct rows *out, struct err *e)
{
	struct folder_state st = { 0 };
	struct query bq = *q;

	bq.folder = w->places.v[THREAD_LIST].folder;
	bq.even = mailbox_hint_is_needed(w->m);
	bq.outline = w->q->outline;
	if (w->m->src->be->find(w->m->conn, a, &bq, limit, &st, out, e) < 0)
		return -1;
	judge_ahead(w->m, a, out);
	return 0;
}

/* Only visible ones: a hidden message must not change a cursor. */
static void
mailbox_threads_own_find_top(struct walk *w)
{
	bool any = false;

	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].seen && (!any || w->v[i].at_s > w->top_s))
			w->top_s = w->v[i].at_s;
		any = any || w->v[i].seen;
	}
}

/* Reads the next messages of the list. */
static int
mailbox_threads_own_read_some(struct walk *w, size_t limit, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct arena *keep = w->m->arena;
	struct query q = w->q->list;
	struct rows rows = { 0 };

	q.behind = w->behind;
	q.behind_s = w->behind_s;
	if (mailbox_threads_own_find_rows(w, a, &q, limit, &rows, e) < 0)
		return -1;
	w->ended = rows.n < limit;
	w->looked += rows.n;
	w->v = arena_array(keep, rows.n, sizeof(*w->v));
	w->n = rows.n;
	for (size_t i = 0; i < rows.n; i++) {
		if (mailbox_threads_own_is_seen(w, a, &rows.v[i], &w->v[i], e) <
		    0)
			return -1;
		w->v[i].id = str_dup(keep, rows.v[i].ref.id);
		w->v[i].thread = str_dup(keep, rows.v[i].thread);
	}
	if (w->top_s == INT64_MAX)
		mailbox_threads_own_find_top(w);
	return 0;
}

/* By time; within one second by their ids. */
static bool
mailbox_threads_own_is_newer(const struct sight *x, const struct sight *than)
{
	if (x->at_s != than->at_s)
		return x->at_s > than->at_s;
	return str_cmp(x->id, than->id) > 0;
}

/*
 * Is the message the newest of its thread in the list?  Judges those that the
 * store says are newer; the message itself was judged.  1; 0, or SAME_SECOND if
 * another one of the same second may still come.
 */
static int
mailbox_threads_own_is_newest(const struct walk *w, const struct sight *of,
    struct arena *a, const struct rows *rows, struct err *e)
{
	for (size_t i = rows->n; i > 0; i--) {
		const struct row *row = &rows->v[i - 1];
		struct sight x = { .id = row->ref.id, .at_s = row->received_s };

		if (str_eq(x.id, of->id) ||
		    (row->received_s != 0 &&
			!mailbox_threads_own_is_newer(&x, of)))
			continue;
		if (mailbox_threads_own_is_seen(w, a, row, &x, e) < 0)
			return -1;
		x.id = row->ref.id;
		if (x.seen && mailbox_threads_own_is_newer(&x, of))
			return x.at_s > of->at_s ? 0 : SAME_SECOND;
	}
	return 1;
}

static bool
mailbox_threads_own_is_tried(const struct walk *w, struct str thread)
{
	return thread_id_find(&w->tried, thread) != THREAD_ID_NONE;
}

/* The threads that are requested next, as many as fit on the page. */
static struct strs
mailbox_threads_own_look_ahead(const struct walk *w, size_t at)
{
	size_t room = w->q->limit - w->out->n;
	struct strs l = { 0 };

	room = room < AHEAD ? room : AHEAD;
	for (; at < w->n && l.n < room; at++)
		if (w->v[at].seen && w->v[at].thread.n > 0 &&
		    !mailbox_threads_own_is_tried(w, w->v[at].thread) &&
		    !str_among(&l, w->v[at].thread))
			str_push(w->m->arena, &l, w->v[at].thread);
	return l;
}

/*
 * Is it listed here?  In a long thread page by page, newest first.  As above.
 */
static int
mailbox_threads_own_belongs_here(const struct walk *w, const struct sight *of,
    const struct strs *ahead, struct err *e)
{
	struct query q = { .thread = of->thread, .threads = *ahead };
	int r = 1;

	for (bool more = true; more && r == 1;) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct rows rows = { 0 };

		if (mailbox_threads_own_find_rows(w, a, &q, LIMIT_PAGE, &rows,
			e) < 0)
			return -1;
		r = mailbox_threads_own_is_newest(w, of, a, &rows, e);
		more = rows.n == LIMIT_PAGE &&
		    rows.v[0].received_s >= of->received_s;
		if (!more)
			break;
		q.behind = str_dup(w->m->arena, rows.v[0].ref.id);
		q.behind_s = rows.v[0].received_s;
	}
	return r;
}

/* The complete thread, from any folder. */
static int
add_thread(struct walk *w, struct str id, struct err *e)
{
	struct mailbox_thread_name name = { thread_name_kind(w->m), id };
	const struct query q = { .thread = id,
		.threads = { &id, 1 },
		.outline = w->q->outline };
	struct mailbox_thread_messages all = { 0 };

	if (thread_rows_own(w->m, &w->places, &q, &all, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	if (all.n > 0)
		thread_make_given(w->m->arena, &all, &name,
		    &w->out->v[w->out->n++]);
	return 0;
}

/*
 * Goes through what was read, as far as there is room, and moves the position.
 */
static int
mailbox_threads_own_list_some(struct walk *w, struct err *e)
{
	struct strs ahead = { 0 };

	for (size_t i = 0; i < w->n && w->out->n < w->q->limit; i++) {
		const struct sight *x = &w->v[i];
		int r;

		w->behind = x->id;
		w->behind_s = x->received_s;
		if (!x->seen || x->thread.n == 0 ||
		    mailbox_threads_own_is_tried(w, x->thread))
			continue;
		if (!str_among(&ahead, x->thread))
			ahead = mailbox_threads_own_look_ahead(w, i);
		r = mailbox_threads_own_belongs_here(w, x, &ahead, e);
		if (r < 0 || (r == 1 && add_thread(w, x->thread, e) < 0))
			return -1;
		if (r != SAME_SECOND)
			(void)thread_id_add(&w->tried, x->thread);
	}
	return 0;
}

/* Is there more after the page, as far as is known? */
static bool
mailbox_threads_own_has_more(const struct walk *w)
{
	size_t i = 0;

	if (!w->ended)
		return true;
	while (i < w->n && !str_eq(w->v[i].id, w->behind))
		i++;
	for (i++; i < w->n; i++)
		if (w->v[i].seen && w->v[i].thread.n > 0 &&
		    !mailbox_threads_own_is_tried(w, w->v[i].thread))
			return true;
	return false;
}

/*
 * Continues until the page is full or has cost enough.  A page without a thread
 * is useless, so that one may take half the available time.
 */
static bool
mailbox_threads_own_goes_on(const struct walk *w, int half_ms)
{
	if (w->ended || w->out->n == w->q->limit)
		return false;
	return w->looked < LIMIT_THREAD_LOOKED ||
	    (w->out->n == 0 &&
		clock_left_ms(w->m->src->view.deadline_ms) > half_ms);
}

int
mailbox_threads_own(struct mailbox *m, const struct mailbox_threads_query *q,
    const struct thread_own_query *own, struct mailbox_threads *out,
    struct err *e)
{
	struct walk w = { .m = m, .q = own, .top_s = INT64_MAX, .out = out };
	int half_ms = clock_left_ms(m->src->view.deadline_ms) / 2;
	size_t some = 4 * own->limit + 10;

	mailbox_threads_own_take_place(&w, own->from->token);
	out->v = arena_array(m->arena, own->limit, sizeof(*out->v));
	if (thread_place_find(m, &w.places, e) < 0 || mailbox_open(m, e) < 0)
		return -1;
	thread_id_init(&w.tried, m->arena, own->limit);
	while (mailbox_threads_own_goes_on(&w, half_ms)) {
		some = some < SOME ? some : SOME;
		if (mailbox_threads_own_read_some(&w, some, e) < 0 ||
		    mailbox_threads_own_list_some(&w, e) < 0)
			return -1;
		some = SOME;
	}
	if (!mailbox_threads_own_has_more(&w))
		return 0;
	return thread_cursor_next(m, q, own->from,
	    mailbox_threads_own_put_place(&w), out, e);
}
