/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches by the index: it contains dates, senders and subjects, and only
 * matching messages are read from the archive.
 */
#include "backend/internal.h"
#include "backend/mbox/internal.h"
#include "mime/header.h"

/* Without a valid Date, uses the From_ line's day. */
static bool
mbox_find_day_fits(const struct mbox_row *r, const struct query *q)
{
	if (q->since_s == 0 && q->before_s == 0)
		return true;
	return (r->flags & (MBOX_DATED | MBOX_LINED)) != 0 &&
	    backend_match_day(r->date_s, r->date_zone_min, q);
}

/* Is it later than requested?  A message without a date may be. */
static bool
is_late(const struct mbox_row *r, const struct query *q)
{
	return q->received_s == 0 || r->date_s > q->received_s ||
	    (r->flags & (MBOX_DATED | MBOX_LINED)) == 0;
}

static bool
text_has(const struct mbox_index *x, const struct mbox_row *r,
    enum mbox_text which, struct str want)
{
	return str_find_case(mbox_index_text(x, r, which), want) >= 0;
}

/* Without a List-Id the header decides, in mbox_find_head_fits(). */
static bool
mbox_find_is_of_list(const struct mbox_index *x, const struct mbox_row *r,
    const struct query *q)
{
	struct str id = mbox_index_text(x, r, MBOX_LIST);
	size_t at = 0;

	if (q->list.n == 0 || id.n == 0)
		return true;
	while (at < q->list.n && q->list.p[at] != '@')
		at++;
	return id.n == q->list.n && id.n > at &&
	    str_eq_case(str_first(id, at), str_first(q->list, at)) &&
	    id.p[at] == '.' &&
	    str_eq_case(str_from(id, at + 1), str_from(q->list, at + 1));
}

static bool
mbox_find_is_hinted(struct str from, const struct strs *senders)
{
	for (size_t i = 0; i < senders->n; i++)
		if (str_find_case(from, senders->v[i]) >= 0)
			return true;
	return senders->n == 0;
}

/*
 * The criteria that the index can decide.  A text that was cut may contain
 * more.
 */
static bool
mbox_find_row_fits(const struct mbox_index *x, const struct mbox_row *r,
    const struct query *q)
{
	if (!mbox_find_day_fits(r, q) || !is_late(r, q))
		return false;
	if ((r->flags & MBOX_CUT) != 0)
		return true;
	return text_has(x, r, MBOX_FROM, q->from) &&
	    text_has(x, r, MBOX_SUBJECT, q->subject) &&
	    text_has(x, r, MBOX_ID, q->message_id) &&
	    mbox_find_is_of_list(x, r, q) &&
	    mbox_find_is_hinted(mbox_index_text(x, r, MBOX_FROM), &q->senders);
}

static int
mbox_find_body_has(struct mbox *m, const struct mbox_row *r, struct arena *a,
    struct str text, bool *out, struct err *e)
{
	struct str raw = { 0 };
	int got = mbox_read_first(m, r, LIMIT_MESSAGE, a, &raw, e);

	if (got != 0)
		return got;
	*out = backend_match_body(a, raw, text);
	return 0;
}

/* Must the header be read, or did the index decide everything? */
static bool
mbox_find_is_open(const struct mbox_index *x, const struct mbox_row *r,
    const struct query *q)
{
	return q->text.n > 0 || q->to.n > 0 || (r->flags & MBOX_CUT) != 0 ||
	    (q->list.n > 0 && mbox_index_text(x, r, MBOX_LIST).n == 0);
}

static bool
mbox_find_head_fits(struct arena *a, const struct mime_header *h,
    const struct query *q)
{
	return backend_match_fields(a, h, q) &&
	    (q->list.n == 0 || backend_list_has(a, h, q->list));
}

/* Checks one candidate, and adds its row if it matches. */
static int
mbox_find_look(struct mbox *m, const struct mbox_row *r, uint32_t uid,
    const struct query *q, struct arena *a, struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = arena_open(LIMIT_ARENA);
	struct mime_header h;
	struct str head = { 0 };
	bool fits = true;
	int got = mbox_read_head(m, r, scratch, &head, e);

	if (got != 0)
		return got;
	if (mbox_find_is_open(&m->index, r, q)) {
		mime_header_parse(scratch, head, &h);
		if (!mbox_find_head_fits(scratch, &h, q))
			return 0;
		fits = backend_match_head(scratch, &h, q->text);
	}
	if (!fits)
		got = mbox_find_body_has(m, r, scratch, q->text, &fits, e);
	if (got != 0 || !fits)
		return got;
	return mbox_read_row(m, r, uid, head, a, out, e);
}

static int
mbox_find_find(struct mbox *m, struct arena *a, const struct query *q,
    size_t limit, struct rows *out, struct err *e)
{
	uint64_t top = m->index.head->rows;

	*out = (struct rows){ 0 };
	if (q->uid_max != 0 && q->uid_max < top)
		top = q->uid_max;
	for (uint64_t uid = top; uid > 0 && uid >= q->uid_min; uid--) {
		const struct mbox_row *r = mbox_index_row(&m->index, uid - 1);
		int got = 0;

		if (r == NULL)
			return MBOX_STALE;
		if (mbox_find_row_fits(&m->index, r, q)) {
			if (backend_in_time(m->conn.acct, MBOX_LATE, e) < 0)
				return -1;
			got = mbox_find_look(m, r, (uint32_t)uid, q, a, out, e);
		} else if (uid % 4096 == 0) {
			got = backend_in_time(m->conn.acct, MBOX_LATE, e);
		}
		if (got != 0)
			return got;
		if (out->n == limit)
			break;
	}
	return 0;
}

int
mbox_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	struct mbox *m = (struct mbox *)c;
	struct rows rows;
	int r;

	if (mbox_folder(m, q->folder, e) < 0)
		return -1;
	while ((r = mbox_find_find(m, a, q, limit, &rows, e)) == MBOX_STALE)
		if (mbox_refresh_again(m, e) < 0)
			return -1;
	if (r < 0)
		return -1;
	mbox_read_state(m, st);
	*out = rows;
	return 0;
}
