/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles a folder that the server renumbered (RFC 9051 section 2.3.1.1).  Its
 * newest messages are read, and those recognized by their Message-ID stay
 * acked:
 *
 * - a recognized message is never new again: it is acked, or below the floor;
 * - servers number in the order of arrival.  If recognized messages are in
 *   their previous order, everything up to the highest one below the old floor
 *   was below that floor, and unknown messages above it are new, as they were
 *   or would have been;
 * - if they are in another order, an account that processes its backlog gets a
 *   floor only as high as all messages are known; any other account keeps to
 *   the order.
 *
 * Hidden messages do not influence the new floor: otherwise it would reveal
 * them, and a stranger's copy of an old message would raise the floor above new
 * mail.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/judge.h"
#include "gate/seen.h"

enum {
	FLOOR_MARKS = 20 /* to recognize a floor: some will be deleted */
};

/* A recognized message's previous and present uid. */
struct moved {
	uint32_t was, is;
};

struct rematch {
	struct mailbox *m;
	struct str folder;
	uint32_t floor; /* the old one */
	struct store_mark *known;
	bool *visible; /* for each: was it found, and is it visible? */
	/*
	 * For each: the lowest uid of those that count; 0: none.  Of
	 * duplicates, the oldest is the one we knew.
	 */
	uint32_t *at;
	size_t n;
	struct store_mark *found; /* newest first, with new uids */
	size_t found_n;
	uint32_t at_floor; /* new uid of the newest that was at or below it */
	uint32_t unknown;  /* the lowest unknown uid; 0: none */
	uint32_t highest, lowest; /* of recognized ones that count; 0: none */
	bool orderly;
	bool all; /* the whole folder was read */
};

static bool
rematch_print(const struct mime_envelope *v, unsigned char out[STORE_PRINT])
{
	return store_rematch_print(v->message_id, v->from_sole,
	    v->has_date ? v->date_s : 0, out);
}

static int
rematch_by_print(const void *x, const void *y)
{
	const struct store_mark *p = x;
	const struct store_mark *q = y;

	return memcmp(p->print, q->print, STORE_PRINT);
}

static void
rematch_push(struct rematch *r, const struct store_mark *known, uint32_t uid)
{
	struct store_mark *v;

	r->found = arena_more(r->m->arena, r->found, r->found_n, sizeof(*v));
	v = &r->found[r->found_n++];
	*v = *known;
	v->uid = uid;
}

/*
 * Is it visible?  A message whose signature must be verified first counts as
 * visible: there is no time to read the bodies of a whole folder.
 */
static bool
rematch_counts(const struct mailbox *m, struct arena *a, const struct row *row,
    struct mail *mail, bool *seen)
{
	*seen = judge_row(m, a, row, mail);
	return *seen || judge_depends(m, mail);
}

static void
rematch_look(struct rematch *r, struct arena *passing, const struct row *row)
{
	struct store_mark key = { .uid = 0 };
	struct store_mark *hit = NULL;
	struct mail mail;
	bool seen;
	bool matters = rematch_counts(r->m, passing, row, &mail, &seen);

	if (r->n > 0 && rematch_print(&mail.env, key.print))
		hit = bsearch(&key, r->known, r->n, sizeof(key),
		    rematch_by_print);
	if (hit == NULL) {
		if (matters)
			r->unknown = row->ref.uid;
		return;
	}
	/* A message that is hidden now is not reported, but stays acked. */
	if (seen)
		r->visible[hit - r->known] = true;
	if (matters)
		r->at[hit - r->known] = row->ref.uid;
	rematch_push(r, hit, row->ref.uid);
}

/* Reads the newest messages, as many as there is time for. */
static int
rematch_read_folder(struct rematch *r, struct err *e)
{
	struct mailbox *m = r->m;
	int64_t end = m->src->view.deadline_ms;
	int half = clock_left_ms(end) / 2;
	uint32_t top = UINT32_MAX;

	for (size_t n = 0; n < LIMIT_UIDS && clock_left_ms(end) >= half;) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		CLEANUP(arena_close) struct arena *passing = NULL;
		struct query q = { .folder = r->folder,
			.uid_max = top < UINT32_MAX ? top : 0 };
		struct folder_state st = { 0 };
		struct rows rows = { 0 };
		uint32_t before = top;

		if (m->src->be->find(m->conn, a, &q, LIMIT_PAGE, &st, &rows,
			e) < 0)
			return -1;
		judge_ahead(m, a, &rows);
		for (size_t i = 0; i < rows.n; i++) {
			uint32_t uid = rows.v[i].ref.uid;

			/* Out of order: ignored. */
			if (uid == 0 || uid > top)
				continue;
			top = uid - 1;
			rematch_look(r, judge_passing(&passing), &rows.v[i]);
		}
		n += rows.n;
		r->all = rows.n < LIMIT_PAGE || top == 0;
		if (r->all || top == before)
			return 0;
	}
	return 0;
}

static int
rematch_newest_first(const void *x, const void *y)
{
	const struct moved *p = x;
	const struct moved *q = y;

	return (p->is < q->is) - (p->is > q->is);
}

/* Are recognized messages in their previous order, and where? */
static void
rematch_look_at_order(struct rematch *r)
{
	struct moved *v = arena_array(r->m->arena, r->n, sizeof(*v));
	uint32_t last = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->at[i] > 0)
			v[n++] = (struct moved){ r->known[i].uid, r->at[i] };
	if (n == 0)
		return;
	qsort(v, n, sizeof(*v), rematch_newest_first);
	r->highest = v[0].is;
	r->lowest = v[n - 1].is;
	for (size_t i = 0; i < n; i++) {
		if (v[i].was == 0)
			continue;
		if (last != 0 && v[i].was > last)
			r->orderly = false;
		last = v[i].was;
		if (v[i].was <= r->floor && r->at_floor == 0)
			r->at_floor = v[i].is;
	}
}

static uint32_t
rematch_new_floor(const struct rematch *r)
{
	bool backlog = r->m->src->acct.process_backlog;

	if (!r->orderly && backlog) {
		if (!r->all)
			return 0;
		return r->unknown > 0 ? r->unknown - 1 : r->highest;
	}
	if (r->at_floor > 0)
		return r->at_floor;
	if (r->floor == 0 || backlog)
		return 0;
	/*
	 * Nothing at the old floor is left: messages older than all recognized
	 * ones do not count as new.
	 */
	return r->lowest - 1;
}

int
rematch_run(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    struct seen *s, struct err *e)
{
	struct store_folder f = seen_key(m, folder, uidvalidity);
	struct rematch r = { .m = m,
		.folder = folder,
		.floor = s->floor,
		.orderly = true };
	struct store_rematch to = { .was = s->uidvalidity };
	size_t nameless;
	bool done;

	if (store_rematch_known(m->gate->store, m->arena, &f, &r.known, &r.n,
		&nameless, e) < 0)
		return -1;
	r.visible = arena_array(m->arena, r.n, sizeof(*r.visible));
	r.at = arena_array(m->arena, r.n, sizeof(*r.at));
	s->rematch = (struct mailbox_rematch){ .any = true, .lost = nameless };
	if (r.n > 0 && (m->src->be->caps & CAP_UIDS) &&
	    rematch_read_folder(&r, e) < 0)
		return -1;
	for (size_t i = 0; i < r.n; i++) {
		s->rematch.found += r.known[i].acked && r.visible[i];
		s->rematch.lost += r.known[i].acked && !r.visible[i];
	}
	rematch_look_at_order(&r);
	if (r.highest == 0)
		return 0;
	to.floor = rematch_new_floor(&r);
	to.found = r.found;
	to.n = r.found_n;
	if (store_rematch_apply(m->gate->store, &f, &to, &done, e) < 0)
		return -1;
	return 1;
}

/* Remembers a page's rows that count.  A hidden message marks no floor. */
static void
rematch_mark(struct mailbox *m, const struct rows *rows, struct query *q,
    struct store_mark *marks, size_t *n)
{
	CLEANUP(arena_close) struct arena *passing = NULL;

	for (size_t i = 0; i < rows->n && *n < FLOOR_MARKS; i++) {
		const struct row *row = &rows->v[i];
		struct store_mark *k = &marks[*n];
		struct mail mail;
		bool seen;

		if (row->ref.uid == 0 || row->ref.uid > q->uid_max)
			continue;
		q->uid_max = row->ref.uid - 1;
		k->uid = row->ref.uid;
		k->acked = false;
		if (rematch_counts(m, judge_passing(&passing), row, &mail,
			&seen) &&
		    rematch_print(&mail.env, k->print))
			(*n)++;
	}
}

int
rematch_floor(struct mailbox *m, struct str folder, uint32_t uidvalidity,
    uint32_t floor, struct err *e)
{
	static const size_t pages[] = { FLOOR_MARKS, LIMIT_PAGE };
	struct store_folder f = seen_key(m, folder, uidvalidity);
	struct query q = { .folder = folder, .uid_max = floor };
	struct store_mark marks[FLOOR_MARKS];
	size_t n = 0;

	/* Other stores use our numbers, which do not change. */
	if (floor == 0 || !(m->src->be->caps & CAP_UIDS))
		return 0;
	/*
	 * If much is hidden, one page is refilled, and no more: a floor without
	 * marks is acceptable.
	 */
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct folder_state st = { 0 };
		struct rows rows = { 0 };

		if (m->src->be->find(m->conn, a, &q, pages[i], &st, &rows, e) <
		    0)
			return -1;
		judge_ahead(m, a, &rows);
		rematch_mark(m, &rows, &q, marks, &n);
		if (n == FLOOR_MARKS || rows.n < pages[i] || q.uid_max == 0)
			break;
	}
	return store_rematch_floor(m->gate->store, &f, marks, n, e);
}
