/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a question finds.  What the entries tell is asked first; only of what is
 * left the file is read.
 */
#include "backend/agentbox/contract.h"
#include "base/clock.h"
#include "mime/message.h"

struct hunt {
	struct agentbox *b;
	struct arena *a;
	const struct query *q;
	struct str id; /* of q->message_id, or empty: any */
	size_t limit;
	struct rows *out;
};

/* 0: either, 1: only with it, -1: only without. */
static enum agentbox_flag
find_flag(const struct query *q, unsigned flag)
{
	if (q->with & flag)
		return AGENTBOX_YES;
	return q->without & flag ? AGENTBOX_NO : AGENTBOX_ANY;
}

static bool
find_flag_fits(enum agentbox_flag want, bool has)
{
	return want == AGENTBOX_ANY || (want == AGENTBOX_YES) == has;
}

static bool
find_entry_fits(const struct hunt *h, const struct agentbox_entry *entry)
{
	const struct query *q = h->q;
	int64_t created = 0;

	(void)clock_parse(entry->created, &created);
	return (q->thread.n == 0 || str_eq(entry->thread, q->thread)) &&
	    (q->received_s == 0 || created > q->received_s) &&
	    (q->message_id.n == 0 || str_eq(entry->id, h->id)) &&
	    find_flag_fits(find_flag(q, FLAG_READ), entry->read) &&
	    find_flag_fits(find_flag(q, FLAG_ANSWERED), entry->answered) &&
	    find_flag_fits(find_flag(q, FLAG_ARCHIVED), entry->archived) &&
	    !entry->deleted;
}

static bool
find_row_fits(const struct hunt *h, struct arena *a, const struct row *row,
    struct str raw)
{
	const struct query *q = h->q;
	struct mime_header head;

	mime_header_parse(a, row->head, &head);
	return backend_match_fields(a, &head, q) &&
	    backend_match_date(&head, q) &&
	    (q->text.n == 0 || backend_match_head(a, &head, q->text) ||
		backend_match_body(a, raw, q->text));
}

/* Adds the message if it is what was asked; only its row stays. */
static int
find_take(struct hunt *h, const struct agentbox_entry *entry,
    const struct ref *as, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct agentbox_whole whole;
	struct row row, *to = &h->out->v[h->out->n];
	int got;

	if (!find_entry_fits(h, entry))
		return 0;
	a = arena_open(LIMIT_ARENA);
	got = agentbox_read_row(h->b, a, entry, &whole, &row, e);
	if (got <= 0 || !find_row_fits(h, a, &row, whole.raw))
		return got < 0 ? -1 : 0;
	*to = row;
	to->ref =
	    (struct ref){ as != NULL ? as->uid : 0, str_dup(h->a, entry->id) };
	to->head = str_dup(h->a, row.head);
	to->thread = str_dup(h->a, row.thread);
	to->folder = str_dup(h->a, row.folder);
	h->out->n++;
	if (whole.at.message.attachments == 0)
		agentbox_kept_put(h->b, to->ref.id, whole.raw);
	return 0;
}

static int
find_among(struct hunt *h, struct str box, struct err *e)
{
	const struct refs *among = h->q->among;
	struct agentbox_entries l;
	struct strs ids = { 0 };

	for (size_t i = 0; i < among->n; i++)
		str_push(h->a, &ids, among->v[i].id);
	if (agentbox_read_entries(h->b, h->a, box, &ids, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < among->n && h->out->n < h->limit; i++) {
		const struct agentbox_entry *entry =
		    agentbox_read_entry(&l, among->v[i].id);

		if (entry != NULL && find_take(h, entry, &among->v[i], e) < 0)
			return -1;
	}
	return 0;
}

/* The first that comes after query.behind.  Where that message is gone, those
 * of its second are among them. */
static size_t
find_behind(const struct query *q, const struct agentbox_entries *l)
{
	size_t i = 0;

	if (q->behind.n == 0)
		return 0;
	for (size_t k = 0; k < l->n; k++)
		if (str_eq(l->v[k].id, q->behind))
			return k + 1;
	for (; i < l->n; i++) {
		int64_t created = 0;

		(void)clock_parse(l->v[i].created, &created);
		if (created <= q->behind_s)
			break;
	}
	return i;
}

/* The newest first, so many at a time; of a thread the oldest. */
static int
find_list(struct hunt *h, struct str box, struct err *e)
{
	const struct query *q = h->q;
	struct agentbox_want want = {
		.box = box,
		.thread = q->thread,
		.read = find_flag(q, FLAG_READ),
		.answered = find_flag(q, FLAG_ANSWERED),
		.archived = find_flag(q, FLAG_ARCHIVED),
		.deleted = AGENTBOX_NO,
	};
	struct agentbox_entries l;
	if (agentbox_read_newest(h->b, h->a, &want, &l, e) < 0)
		return -1;
	for (size_t i = find_behind(q, &l); i < l.n && h->out->n < h->limit;
	     i++)
		if (find_take(h, &l.v[i], NULL, e) < 0)
			return -1;
	if (q->thread.n == 0)
		return 0;
	for (size_t i = 0; i < h->out->n / 2; i++) {
		struct row x = h->out->v[i];

		h->out->v[i] = h->out->v[h->out->n - 1 - i];
		h->out->v[h->out->n - 1 - i] = x;
	}
	return 0;
}

int
agentbox_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	struct hunt h = { b, a, q, agentbox_submit_read_id(q->message_id),
		limit, out };
	struct str box;

	*out = (struct rows){ arena_array(a, limit, sizeof(*out->v)), 0 };
	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, q->folder, &box, e) < 0)
		return -1;
	agentbox_kept_drop(b);
	*st = (struct folder_state){ 0 };
	/* No message of a root has another kind of Message-ID. */
	if (q->message_id.n > 0 && h.id.n == 0)
		return 0;
	return q->among != NULL ? find_among(&h, box, e)
				: find_list(&h, box, e);
}
