/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list and search: the newest visible messages, newest first.  It requests a
 * page, judges each row, and if some were hidden, refills the page from further
 * down, so that its length never shows how much is hidden.
 */
#include "base/clock.h"
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/judge.h"
#include "gate/seen.h"
#include "gate/uids.h"
#include "store/claim.h"

struct hunt {
	struct mailbox *m;
	const struct mailbox_query *q;
	struct uids uids;
	struct seen seen;
	uint32_t top, bottom; /* uids still to examine, inclusive */
	bool met;             /* seen_meet() was done */
	size_t kept;          /* bytes of the rows found */
	uint32_t looked; /* examined down to here, if that is not everything nor
			    as far as the rows go; 0 */
	uint32_t *held;  /* claimed by others, ascending */
	size_t held_n;
	size_t taken;        /* number of rows found that are claimed for us */
	struct strs senders; /* visible senders, for the store */
};

/* Is it to be returned, as far as its uid shows? */
static bool
mailbox_find_wanted(const struct hunt *h, uint32_t uid)
{
	size_t lo = 0, hi = h->held_n;

	if (!h->q->only_new)
		return true;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (h->held[mid] == uid)
			return false;
		if (h->held[mid] < uid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return seen_is_new(&h->seen, uid);
}

/* Compares the folder with its known state, including claims. */
static int
mailbox_find_meet(struct hunt *h, const struct folder_state *st, bool *reset,
    struct err *e)
{
	struct mailbox *m = h->m;
	struct store_folder f;

	h->met = true;
	*reset = false;
	if (h->q->aside) {
		h->seen.uidvalidity = st->uidvalidity;
		return 0;
	}
	if (seen_meet(m, h->q->folder, st, &h->seen, reset, e) < 0)
		return -1;
	if (h->q->claim_s == 0)
		return 0;
	f = seen_key(m, h->q->folder, h->seen.uidvalidity);
	return store_claim_held(m->gate->store, m->arena, &f, clock_now_ms(),
	    &h->held, &h->held_n, e);
}

/*
 * Claims what was found since the last call; messages another worker claimed
 * first are dropped.  Only visible messages get here, so nothing hidden is ever
 * claimed.
 */
static int
mailbox_find_claim(struct hunt *h, struct mails *out, struct err *e)
{
	struct mailbox *m = h->m;
	struct store_folder f = seen_key(m, h->q->folder, h->seen.uidvalidity);
	size_t n = out->n - h->taken, kept = h->taken;
	int64_t now = clock_now_ms();
	int64_t until = now + h->q->claim_s * 1000LL;
	uint32_t uids[LIMIT_PAGE];
	bool won[LIMIT_PAGE];

	for (size_t i = 0; i < n; i++)
		uids[i] = out->v[h->taken + i].uid;
	if (n > 0 && h->q->claim_s > 0 &&
	    store_claim_take(m->gate->store, &f, uids, n, now, until, won, e) <
		0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (h->q->claim_s == 0 || won[i])
			out->v[kept++] = out->v[h->taken + i];
	/* The earliest claim expires first, so report that time. */
	if (h->q->claim_s > 0 && out->claimed_until_s == 0)
		out->claimed_until_s = until / 1000;
	h->taken = out->n = kept;
	return 0;
}

static uint32_t
mailbox_find_least(const struct hunt *h)
{
	uint32_t since = h->q->since;

	if (h->q->only_new && h->seen.known && h->seen.floor > since)
		since = h->seen.floor;
	return since;
}

/* False: there is no uid between the bounds. */
static bool
mailbox_find_bounds(struct hunt *h)
{
	uint32_t since = mailbox_find_least(h);

	h->top = UINT32_MAX;
	if (h->q->before != 0)
		h->top = h->q->before - 1;
	if (since == UINT32_MAX)
		return false;
	h->bottom = since + 1;
	return h->bottom <= h->top;
}

/* Is every message between the bounds wanted, so that a few are sufficient? */
static bool
mailbox_find_is_plain(const struct mailbox_query *q)
{
	return q->from.n == 0 && q->to.n == 0 && q->subject.n == 0 &&
	    q->text.n == 0 && q->message_id.n == 0 && q->since_s == 0 &&
	    q->before_s == 0 && q->with == 0 && q->without == 0 &&
	    q->received_s == 0 && q->list.n == 0 && !q->has_attachments;
}

/* The same, except for what any row tells: a page at a time, until it is full.
 */
static bool
mailbox_find_is_near(const struct mailbox_query *q)
{
	struct mailbox_query bare = *q;

	bare.with = bare.without = 0;
	bare.has_attachments = false;
	return mailbox_find_is_plain(&bare);
}

/*
 * The candidates of a store without uids, newest first.  If only some are
 * known, as many as the page needs; h->looked says how far down they go.
 */
static int
mailbox_find_candidates(struct hunt *h, struct arena *a, size_t limit,
    struct refs *out, struct err *e)
{
	size_t max = h->uids.partly ? limit : SIZE_MAX, kept = 0;

	if (max < LIMIT_PAGE && !mailbox_find_is_plain(h->q))
		max = LIMIT_PAGE;

	if (uids_below(h->m, &h->uids, a, h->bottom, h->top, max, out, e) < 0)
		return -1;
	h->looked = out->n == max ? out->v[max - 1].uid : 0;
	for (size_t i = 0; i < out->n; i++)
		if (mailbox_find_wanted(h, out->v[i].uid))
			out->v[kept++] = out->v[i];
	out->n = kept;
	return 0;
}

static bool
is_by_text(const struct hunt *h)
{
	return !h->uids.native && h->q->text.n > 0 &&
	    (h->m->src->be->caps & CAP_SEARCH) == 0;
}

/* The visible ones of these. */
static int
mailbox_find_visible(struct hunt *h, struct arena *a, const struct rows *rows,
    struct refs *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *passing = NULL;
	struct mail mail;

	out->v = arena_array(a, rows->n, sizeof(*out->v));
	out->n = 0;
	for (size_t i = 0; i < rows->n; i++) {
		int seen = judge_sender(h->m, judge_passing(&passing),
		    h->q->folder, &rows->v[i], &mail, e);

		if (seen < 0)
			return -1;
		if (seen == 1)
			out->v[out->n++] = rows->v[i].ref;
	}
	return 0;
}

/*
 * If emcli searches bodies itself, headers come first: a hidden body is not
 * even opened, so that the duration of a search reveals nothing about it.
 */
static int
mailbox_find_by_text(struct hunt *h, struct arena *a, struct query *bq,
    struct folder_state *st, struct rows *rows, struct err *e)
{
	struct mailbox *m = h->m;
	struct refs seen;
	struct rows heads = { 0 };

	bq->text = S("");
	if (m->src->be->find(m->conn, a, bq, LIMIT_PAGE, st, &heads, e) < 0)
		return -1;
	h->looked = heads.n == LIMIT_PAGE ? heads.v[heads.n - 1].ref.uid : 0;
	judge_ahead(m, a, &heads);
	if (mailbox_find_visible(h, a, &heads, &seen, e) < 0)
		return -1;
	bq->text = h->q->text;
	bq->among = &seen;
	return m->src->be->find(m->conn, a, bq, LIMIT_PAGE, st, rows, e);
}

/* One page from the backend; *reset: the folder was renumbered. */
static int
mailbox_find_page(struct hunt *h, struct arena *a, size_t limit,
    struct rows *rows, bool *reset, struct err *e)
{
	struct mailbox *m = h->m;
	struct refs among = { 0 };
	struct folder_state st = { 0 };
	struct query bq = {
		.folder = h->q->folder,
		.uid_min = h->bottom > 1 ? h->bottom : 0,
		.uid_max = h->top < UINT32_MAX ? h->top : 0,
		.from = h->q->from,
		.to = h->q->to,
		.subject = h->q->subject,
		.message_id = h->q->message_id,
		.text = h->q->text,
		.since_s = h->q->since_s,
		.before_s = h->q->before_s,
		.with = h->q->with,
		.without = h->q->without,
		/* A question for later than. */
		.received_s = h->q->received_s > 0 ? h->q->received_s - 1 : 0,
		.senders = h->senders,
		.even = mailbox_hint_is_needed(m),
	};

	*reset = false;
	/* Further pages are of this folder alone. */
	if (!h->met)
		bq.next = h->q->next;
	if (!h->uids.native) {
		if (mailbox_find_candidates(h, a, limit, &among, e) < 0)
			return -1;
		bq.among = &among;
	}
	if (is_by_text(h)) {
		if (mailbox_find_by_text(h, a, &bq, &st, rows, e) < 0)
			return -1;
	} else if (m->src->be->find(m->conn, a, &bq, limit, &st, rows, e) < 0) {
		return -1;
	}
	/* The rest of the candidates was not examined. */
	if (rows->n == limit && among.n > limit)
		h->looked = 0;
	uids_apply(&h->uids, &st, rows);
	judge_ahead(m, a, rows);
	if (h->met)
		return 0;
	return mailbox_find_meet(h, &st, reset, e);
}

/* Puts one row into *out, if it is visible. */
static int
mailbox_find_take_row(struct hunt *h, struct arena *passing,
    const struct row *row, struct mails *out, struct err *e)
{
	struct arena *a = h->m->arena;
	size_t before = arena_used(a);
	struct mail mail;
	int seen = judge_sender(h->m, passing, h->q->folder, row, &mail, e);

	if (seen <= 0)
		return seen;
	/* A store may also find others that contain it. */
	if (h->q->message_id.n > 0 &&
	    !str_eq(mail.env.message_id, h->q->message_id))
		return 0;
	if (mail.received_s < h->q->received_s)
		return 0;
	/* Asked of the store, this would count hidden messages. */
	if (h->q->has_attachments && !mail.has_attachments)
		return 0;
	if (h->q->list.n > 0 && str_find_case(mail.env.list_id, h->q->list) < 0)
		return 0;
	if (!h->q->ids_only && taint_note(h->m, &mail, e) < 0)
		return -1;
	keep_mail(a, &mail, &out->v[out->n++]);
	h->kept += arena_used(a) - before;
	if (h->kept > LIMIT_PAGE_HEADS)
		return err_set(e, ERR_LIMIT,
		    "these headers are too big for one page: set a lower "
		    "limit");
	return 0;
}

/* Judges a page's rows into *out.  A row out of order or bounds is ignored. */
static int
mailbox_find_take(struct hunt *h, const struct rows *rows, struct mails *out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *passing = NULL;

	for (size_t i = 0; i < rows->n && out->n < h->q->limit; i++) {
		uint32_t uid = rows->v[i].ref.uid;

		if (uid > h->top || uid < h->bottom)
			continue;
		h->top = uid - 1;
		if (!mailbox_find_wanted(h, uid))
			continue;
		if (mailbox_find_take_row(h, judge_passing(&passing),
			&rows->v[i], out, e) < 0)
			return -1;
		/* Full, unless others had claimed some of it. */
		if (out->n == h->q->limit && mailbox_find_claim(h, out, e) < 0)
			return -1;
	}
	return mailbox_find_claim(h, out, e);
}

/*
 * The number of rows for the first page.  Whether it must be refilled depends
 * on what is hidden, and for a query about hidden content that would reveal it:
 * so then it requests as many as fit in one answer.
 */
static size_t
mailbox_find_first_limit(const struct hunt *h)
{
	size_t least = h->uids.native ? LIMIT_PAGE : LIMIT_EVEN_ROWS;
	size_t limit = h->q->limit;

	if (!mailbox_hint_is_needed(h->m))
		return limit;
	/* Few messages of listed senders' domains are hidden. */
	if (mailbox_find_is_plain(h->q) && h->uids.native && h->senders.n > 0)
		least = limit + LIMIT_EVEN_ROWS;
	else if (mailbox_find_is_plain(h->q))
		return limit;
	least = least < LIMIT_PAGE ? least : LIMIT_PAGE;
	return limit > least ? limit : least;
}

static int
mailbox_find_fill(struct hunt *h, struct mails *out, struct err *e)
{
	size_t limit = mailbox_find_first_limit(h);

	while (h->bottom <= h->top) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct rows rows = { 0 };
		uint32_t top = h->top;
		bool reset;

		if (mailbox_find_page(h, a, limit, &rows, &reset, e) < 0)
			return -1;
		if (reset) { /* repeat under the new floor */
			if (!mailbox_find_bounds(h))
				return 0;
			continue;
		}
		if (h->q->only_new && h->seen.floor >= h->bottom)
			h->bottom = h->seen.floor + 1;
		if (mailbox_find_take(h, &rows, out, e) < 0)
			return -1;
		if (out->n == h->q->limit) {
			out->next_before = out->v[out->n - 1].uid;
			return 0;
		}
		/* What was examined is finished, found or not. */
		if ((is_by_text(h) || rows.n < limit) && h->looked == 0)
			return 0;
		if (h->looked != 0 && h->looked <= h->top)
			h->top = h->looked - 1;
		if (h->top == top)
			return 0;
		limit = LIMIT_PAGE;
	}
	return 0;
}

int
mailbox_find(struct mailbox *m, const struct mailbox_query *q,
    struct mails *out, struct err *e)
{
	struct hunt h = { .m = m, .q = q };

	*out = (struct mails){ 0 };
	/* The array of claims has room for a page. */
	if (q->limit < 1 || q->limit > LIMIT_PAGE)
		err_bug("a page of %zu messages", q->limit);
	out->v = arena_array(m->arena, q->limit, sizeof(*out->v));
	if (q->claim_s > 0 && !q->only_new)
		err_bug("a claim on what is not new");
	if ((q->with | q->without) & ~m->src->be->flags)
		return err_set(e, ERR_UNSUPPORTED,
		    "this account does not keep that flag: ask without it");
	if (mailbox_open(m, e) < 0 ||
	    (!q->aside && seen_load(m, q->folder, &h.seen, e) < 0) ||
	    uids_learn(m, q->folder, &h.uids, e) < 0)
		return -1;
	if (!mailbox_find_is_near(q) && uids_whole(m, &h.uids, e) < 0)
		return -1;
	if (!h.uids.native) {
		struct folder_state st = {
			.uidvalidity = h.uids.map.uidvalidity,
			.uidnext = h.uids.map.uidnext,
			.exists = h.uids.exists,
		};
		bool reset;

		if (mailbox_find_meet(&h, &st, &reset, e) < 0)
			return -1;
	}
	mailbox_hint(m, &h.senders);
	if (mailbox_find_bounds(&h) && mailbox_find_fill(&h, out, e) < 0)
		return -1;
	/* If nothing was found, nothing is claimed for longer than now. */
	if (q->claim_s > 0 && out->claimed_until_s == 0)
		out->claimed_until_s = clock_now() + q->claim_s;
	out->kept = h.kept;
	out->rematch = h.seen.rematch;
	out->uidvalidity = h.seen.uidvalidity;
	for (size_t i = 0; i < out->n && !q->aside; i++)
		gate_warn(m->call, WARN_MBOX_AMBIGUOUS, out->v[i].ambiguous);
	return 0;
}
