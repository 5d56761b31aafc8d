/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The newest messages that match.  Without criteria these are at the end of the
 * folder, fetched by sequence number, one flight after EXAMINE; otherwise UID
 * SEARCH, in one flight with EXAMINE, and the newest of its results.
 */
#include "backend/imap/across.h"
#include "backend/imap/fetch.h"
#include "backend/imap/internal.h"
#include "backend/imap/search.h"
#include "base/limits.h"
#include "base/utf8.h"

/* Flights without results before the server is no longer trusted. */
#define BARREN_MAX 16
/* Headers checked at once if the server could not search. */
#define SIFT 500

struct finding {
	struct imap_session *s;
	struct arena *a;
	const struct query *q;
	size_t limit;
	struct imap_set set;                /* the results of the search */
	struct imap_cmd cmd[IMAP_SEARCHES]; /* in one flight */
	size_t cmds;
	bool sift;               /* headers must be checked again */
	bool barren;             /* the last flight returned nothing at all, */
	bool sparse;             /* or messages that were not requested */
	struct imap_ahead ahead; /* of the first page */
	struct rows *out;
};

/* The last `limit` messages, by number.  Does not report how many came. */
static int
imap_find_take_last(struct finding *fi, struct err *e)
{
	uint32_t exists = fi->s->st.exists;
	size_t n = exists < fi->limit ? exists : fi->limit, from = 0;
	struct imap_fetch f;
	struct imap_cmd c;

	if (n == 0)
		return 0;
	imap_fetch_init(&f, fi->a, NULL, n);
	f.first = exists - (uint32_t)n + 1;
	if (imap_fetch_send(fi->s, &c, &f, &from, e) < 0 ||
	    imap_fetch_finish(fi->s, &c, &f, from, e) < 0)
		return -1;
	for (size_t i = n; i-- > 0;) {
		struct rows *out = fi->out;

		/* Numbers and uids ascend together, RFC 9051 section 2.3.1. */
		if (f.full[i] &&
		    (out->n == 0 ||
			out->v[out->n - 1].ref.uid > f.row[i].ref.uid))
			out->v[out->n++] = f.row[i];
	}
	return 0;
}

/* Too many senders are omitted: they are a hint. */
static struct strs
imap_find_senders_asked(const struct finding *fi)
{
	const struct strs *all = &fi->q->senders;
	size_t at = 0, n = 0;

	for (; at < all->n; n++)
		at += imap_search_some(all, at);
	return n <= IMAP_SEARCHES ? *all : (struct strs){ 0 };
}

/* One command, or several for many senders, whose results are joined. */
static int
imap_find_send_search(struct finding *fi, struct err *e)
{
	struct strs left = imap_find_senders_asked(fi);
	struct imap_session *s = fi->s;
	struct query q = *fi->q;

	/* It outlives the page: see imap_find_keep_left(). */
	fi->set = (struct imap_set){ .a = fi->s->a };
	fi->cmds = 0;
	s->data = imap_search_data;
	s->ctx = &fi->set;
	do {
		q.senders = left;
		q.senders.n = imap_search_some(&left, 0);
		if (imap_search_send(s, &fi->cmd[fi->cmds++], &q, fi->sift, e) <
		    0)
			return -1;
		if (left.n == 0)
			return 0;
		left.v += q.senders.n;
		left.n -= q.senders.n;
	} while (left.n > 0);
	return 0;
}

/* Waits for all answers; *bad is one that failed, or NULL. */
static int
imap_find_wait_search(struct finding *fi, const struct imap_cmd **bad,
    struct err *e)
{
	*bad = NULL;
	for (size_t i = 0; i < fi->cmds; i++)
		if (imap_command_wait(fi->s, &fi->cmd[i], e) < 0)
			return -1;
	for (size_t i = 0; i < fi->cmds && *bad == NULL; i++)
		if (fi->cmd[i].status != IMAP_OK)
			*bad = &fi->cmd[i];
	return 0;
}

/*
 * RFC 9051 section 6.4.4: a server may not support UTF-8 and return BADCHARSET.
 * Then it searches the rest, and emcli checks the headers.
 */
static int
imap_find_search_again(struct finding *fi, const struct imap_cmd *c,
    struct err *e)
{
	if (imap_search_is_ascii(fi->q) ||
	    (c->status == IMAP_NO && strcmp(c->code, "BADCHARSET") != 0 &&
		c->code[0] != '\0'))
		return imap_command_refused(c, ERR_NETWORK,
		    "the server refused the search", e);
	if (!utf8_ascii(fi->q->text))
		return err_set(e, ERR_UNSUPPORTED,
		    "the server cannot search for these characters");
	fi->sift = true;
	if (imap_find_send_search(fi, e) < 0 ||
	    imap_find_wait_search(fi, &c, e) < 0)
		return -1;
	if (c != NULL)
		return imap_command_refused(c, ERR_NETWORK,
		    "the server refused the search", e);
	return 0;
}

static int
imap_find_search(struct finding *fi, struct err *e)
{
	struct imap_session *s = fi->s;
	const struct query *q = fi->q;
	const struct imap_cmd *bad;

	/* The form of strings depends on the answer to ENABLE. */
	if (s->enabling && !imap_search_is_ascii(q) &&
	    imap_session_login(s, e) < 0)
		return -1;
	if (imap_find_send_search(fi, e) < 0)
		return -1;
	if (imap_ahead_may(s, q, fi->limit) &&
	    imap_ahead_send(s, fi->a, q, fi->limit, &fi->set, &fi->ahead, e) <
		0)
		return -1;
	if (imap_session_settle(s, e) < 0 ||
	    imap_find_wait_search(fi, &bad, e) < 0)
		return -1;
	if (bad != NULL && imap_find_search_again(fi, bad, e) < 0)
		return -1;
	imap_set_tidy(&fi->set, q->uid_min > 0 ? q->uid_min : 1,
	    q->uid_max > 0 ? q->uid_max : UINT32_MAX);
	return 0;
}

/*
 * Checks what the server could not; messages without a time of arrival may
 * match.
 */
static bool
imap_find_fits(const struct finding *fi, const struct row *row)
{
	int64_t after = fi->q->received_s;

	if (after != 0 && row->received_s != 0 && row->received_s <= after)
		return false;
	return !fi->sift || imap_search_matches(fi->q, row);
}

/* Fetches n uids and keeps the rows that exist and match. */
static int
imap_find_take_some(struct finding *fi, const uint32_t *uids, size_t n,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *own = NULL;
	struct rows *out = fi->out;
	struct imap_fetch f;
	struct imap_cmd c;
	size_t from = 0;
	int r;

	/* Rows that are read only to be dropped must not use memory. */
	if (fi->sift || fi->sparse)
		own = arena_open(LIMIT_ARENA);
	imap_fetch_init(&f, own != NULL ? own : fi->a, uids, n);
	r = imap_fetch_send(fi->s, &c, &f, &from, e);
	if (r == 0)
		r = imap_fetch_finish(fi->s, &c, &f, from, e);
	fi->s->data = NULL;
	if (r < 0)
		return -1;
	fi->barren = true;
	for (size_t i = 0; i < n && out->n < fi->limit; i++) {
		if (!f.full[i])
			continue;
		fi->barren = false;
		if (!imap_find_fits(fi, &f.row[i]))
			fi->sparse = true;
		else if (own == NULL)
			out->v[out->n++] = f.row[i];
		else
			imap_fetch_copy(fi->a, &out->v[out->n++], &f.row[i]);
	}
	return 0;
}

/* Results may be hidden; then the cost must be the same without results. */
static int
imap_find_take_none(struct finding *fi, struct err *e)
{
	static const uint32_t nobody = UINT32_MAX;

	if (imap_find_take_some(fi, &nobody, 1, e) < 0)
		return -1;
	fi->out->n = 0;
	return 0;
}

/* From the newest downwards, until there are enough or no more. */
static int
imap_find_take_found(struct finding *fi, struct err *e)
{
	struct rows *out = fi->out;
	uint32_t uids[SIFT];
	int barren = 0;
	size_t n;

	out->n = 0;
	if (fi->q->even && fi->set.n == 0)
		return imap_find_take_none(fi, e);
	while (out->n < fi->limit && barren < BARREN_MAX) {
		size_t want =
		    fi->sift || fi->sparse ? SIFT : fi->limit - out->n;

		n = imap_set_take(&fi->set, uids, want < SIFT ? want : SIFT);
		if (n == 0)
			return 0;
		if (imap_find_take_some(fi, uids, n, e) < 0)
			return -1;
		barren = fi->barren ? barren + 1 : 0;
	}
	return 0;
}

/*
 * The next page of the same query uses the previous results: another search
 * would read the whole folder again.
 */
static bool
imap_find_take_left(struct finding *fi)
{
	struct imap_left *left = &fi->s->left;

	if (!left->any || fi->q->uid_max != left->top ||
	    imap_search_sum(fi->q) != left->question)
		return false;
	fi->set = left->set;
	return true;
}

static void
imap_find_keep_left(struct finding *fi)
{
	const struct rows *out = fi->out;
	uint32_t last = out->n > 0 ? out->v[out->n - 1].ref.uid : 0;

	/* Rows that must be checked were fetched for more than a page. */
	fi->s->left = (struct imap_left){
		.any = fi->set.n > 0 && out->n == fi->limit && !fi->sift &&
		    !fi->sparse && last > 1,
		.question = imap_search_sum(fi->q),
		.top = last - 1,
		.set = fi->set,
	};
}

static int
imap_find_search_pages(struct finding *fi, struct err *e)
{
	bool all = false;

	if (!imap_find_take_left(fi) && imap_find_search(fi, e) < 0)
		return -1;
	fi->s->left.any = false;
	if (fi->ahead.sent &&
	    imap_ahead_take(fi->s, &fi->ahead, fi->out, &all, e) < 0)
		return -1;
	if (!all && imap_find_take_found(fi, e) < 0)
		return -1;
	imap_find_keep_left(fi);
	return 0;
}

int
imap_find(struct imap_session *s, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct rows rows = { arena_array(a, limit, sizeof(*rows.v)), 0 };
	struct finding fi = { .s = s,
		.a = a,
		.q = q,
		.limit = limit,
		.out = &rows };
	bool none = q->uid_max != 0 && q->uid_min > q->uid_max;
	bool open = imap_search_is_open(q), done = false;
	int r;

	r = imap_across_find(s, a, q, limit, st, out, e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	if (imap_session_select(s, q->folder, e) < 0)
		return -1;
	if (open || none) {
		if (imap_session_settle(s, e) < 0)
			return -1;
		done = none || s->st.exists == 0;
	}
	if (open && !done) {
		uint32_t exists = s->st.exists;

		if (imap_find_take_last(&fi, e) < 0)
			return -1;
		/* Some vanished meanwhile: there may be older ones. */
		done = rows.n == (exists < limit ? exists : limit);
	}
	if (!done && imap_find_search_pages(&fi, e) < 0)
		return -1;
	*st = s->st;
	*out = rows;
	return 0;
}
