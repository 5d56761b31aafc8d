/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages as rows and as bytes.  What a mailbox has its list of entries says;
 * a message file is only opened for one that is in it.  A damaged one is not
 * there: the operator sees it in the root's status.
 */
#include "backend/agentbox/contract.h"
#include "base/clock.h"

enum {
	SOME = 500 /* ids that are asked for by name */
};

static int
read_by_id(const void *x, const void *y)
{
	const struct agentbox_entry *a = x, *b = y;

	return str_cmp(a->id, b->id);
}

static int
read_by_id_sent_last(const void *x, const void *y)
{
	const struct agentbox_entry *a = x, *b = y;
	int r = read_by_id(x, y);

	return r != 0 ? r
		      : str_eq(a->box, S("sent")) - str_eq(b->box, S("sent"));
}

/*
 * What a mailbox sent to itself is in two boxes.  The one that it was delivered
 * to, or moved to since, tells where it is.
 */
static void
read_settle(struct agentbox_entries *l)
{
	size_t n = 0;

	if (l->n > 0)
		qsort(l->v, l->n, sizeof(*l->v), read_by_id_sent_last);
	for (size_t i = 0; i < l->n; i++)
		if (n == 0 || !str_eq(l->v[n - 1].id, l->v[i].id))
			l->v[n++] = l->v[i];
	l->n = n;
}

int
agentbox_read_entries(struct agentbox *b, struct arena *a, struct str box,
    const struct strs *ids, struct agentbox_entries *out, struct err *e)
{
	const struct agentbox_want want = {
		.box = box,
		.ids = ids->n <= SOME ? ids : NULL,
		.deleted = AGENTBOX_NO,
	};

	*out = (struct agentbox_entries){ 0 };
	if (ids->n == 0)
		return 0;
	if (agentbox_view_list(b->root, b->reg.address, &want, a, out, NULL,
		e) < 0)
		return -1;
	read_settle(out);
	return 0;
}

const struct agentbox_entry *
agentbox_read_entry(const struct agentbox_entries *l, struct str id)
{
	const struct agentbox_entry key = { .id = id };

	return l->n == 0 ? NULL
			 : bsearch(&key, l->v, l->n, sizeof(*l->v), read_by_id);
}

/* What base64 in lines makes of so many bytes. */
static uint64_t
read_encoded(uint64_t n)
{
	uint64_t rest = n % 57;

	return n / 57 * 78 + (rest > 0 ? (rest + 2) / 3 * 4 + 2 : 0);
}

static unsigned
read_flags(const struct agentbox_entry *entry)
{
	return (entry->read ? FLAG_READ : 0) |
	    (entry->answered ? FLAG_ANSWERED : 0) |
	    (entry->archived ? FLAG_ARCHIVED : 0);
}

static struct str
read_head(struct str raw)
{
	ptrdiff_t end = str_find(raw, S("\r\n\r\n"));

	return end < 0 ? raw : str_first(raw, (size_t)end + 2);
}

/* As mail: a copy in the root is told of by its place on this machine, which
 * is how the upstream program gives it. */
static int
read_as_mail(struct agentbox *b, struct arena *a,
    const struct agentbox_message *x, const struct str *files, struct str *out,
    struct err *e)
{
	struct agentbox_message m = *x;

	m.attachment = arena_array(a, m.attachments, sizeof(*m.attachment));
	for (size_t i = 0; i < m.attachments; i++) {
		struct agentbox_attachment *t = &m.attachment[i];

		*t = x->attachment[i];
		if (t->managed && !str_starts(t->path, S("/")))
			t->path = str_fmt(a, "%.*s/%.*s",
			    STR_ARG(agentbox_root_path(b->root)),
			    STR_ARG(t->path));
	}
	return agentbox_front_mail(a, &m, files, out, e);
}

static bool
read_is_damaged(struct err *e)
{
	if (e->kind != ERR_CONFIG || e->scope != ERR_SCOPE_MESSAGE)
		return false;
	*e = (struct err){ 0 };
	return true;
}

int
agentbox_read_row(struct agentbox *b, struct arena *a,
    const struct agentbox_entry *entry, struct agentbox_whole *whole,
    struct row *out, struct err *e)
{
	int got = agentbox_load_of(b->root, entry->id, entry->created, a,
	    &whole->at, e);

	if (got < 0)
		return read_is_damaged(e) ? 0 : -1;
	if (read_as_mail(b, a, &whole->at.message, NULL, &whole->raw, e) < 0)
		return -1;
	*out = (struct row){
		.ref = { .id = entry->id },
		.head = read_head(whole->raw),
		.size = whole->raw.n,
		.has_attachments = whole->at.message.attachments > 0,
		.thread = entry->thread,
		.flags = read_flags(entry),
		.folder = agentbox_folder_name(entry->box),
		.vouched = whole->at.authentic,
	};
	(void)clock_parse(whole->at.message.created, &out->received_s);
	for (size_t i = 0; i < whole->at.message.attachments; i++) {
		const struct agentbox_attachment *t =
		    &whole->at.message.attachment[i];

		if (t->managed && t->size > 0)
			out->size += read_encoded((uint64_t)t->size);
	}
	return 1;
}

int
agentbox_read_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	struct agentbox_entries l;
	struct strs ids = { 0 };
	struct str box;

	*out = (struct rows){ arena_array(a, refs->n, sizeof(*out->v)), 0 };
	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, folder, &box, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++)
		str_push(a, &ids, refs->v[i].id);
	*st = (struct folder_state){ 0 };
	if (agentbox_read_entries(b, a, box, &ids, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++) {
		const struct agentbox_entry *entry =
		    agentbox_read_entry(&l, refs->v[i].id);
		struct agentbox_whole whole;
		struct row *row = &out->v[out->n];
		int got;

		if (entry == NULL)
			continue;
		got = agentbox_read_row(b, a, entry, &whole, row, e);
		if (got < 0)
			return -1;
		row->ref = refs->v[i];
		out->n += got == 1;
	}
	return 0;
}

static int
read_files(struct agentbox *b, struct arena *a,
    const struct agentbox_message *m, struct str **out, struct err *e)
{
	*out = arena_array(a, m->attachments, sizeof(**out));
	for (size_t i = 0; i < m->attachments; i++) {
		int got;

		(*out)[i] = (struct str){ NULL, 0 };
		got = agentbox_attach_read(b->root, &m->attachment[i], a,
		    &(*out)[i], e);
		/* One that was changed is not given; the message is. */
		if (got < 0 && e->kind != ERR_CONFIG)
			return -1;
		if (got <= 0)
			(*out)[i] = (struct str){ NULL, 0 };
		*e = (struct err){ 0 };
	}
	return 0;
}

static int
read_too_long(size_t max, struct err *e)
{
	return err_set(e, ERR_LIMIT, "the message has more than %zu bytes",
	    max);
}

int
agentbox_read_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct agentbox *b = (struct agentbox *)c;
	const struct strs ids = { (struct str *)&ref->id, 1 };
	struct agentbox_entries l;
	struct agentbox_whole whole;
	struct str box, *files;
	struct row row;
	int got;

	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, folder, &box, e) < 0 ||
	    agentbox_read_entries(b, a, box, &ids, &l, e) < 0)
		return -1;
	if (l.n == 0)
		return agentbox_folder_absent(e);
	if (agentbox_kept_find(b, ref->id, a, out))
		return out->n <= max ? 0 : read_too_long(max, e);
	got = agentbox_read_row(b, a, &l.v[0], &whole, &row, e);
	if (got <= 0)
		return got < 0 ? -1 : agentbox_folder_absent(e);
	if (row.size > max)
		return read_too_long(max, e);
	*out = whole.raw;
	if (whole.at.message.attachments == 0)
		return 0;
	if (read_files(b, a, &whole.at.message, &files, e) < 0 ||
	    read_as_mail(b, a, &whole.at.message, files, out, e) < 0)
		return -1;
	return out->n <= max ? 0 : read_too_long(max, e);
}

static int
read_newer(const void *x, const void *y)
{
	const struct agentbox_entry *a = x, *b = y;
	int order = str_cmp(b->created, a->created);

	if (order == 0 && a->arrival != b->arrival)
		order = a->arrival < b->arrival ? 1 : -1;
	return order != 0 ? order : str_cmp(b->id, a->id);
}

int
agentbox_read_newest(struct agentbox *b, struct arena *a,
    const struct agentbox_want *want, struct agentbox_entries *out,
    struct err *e)
{
	if (agentbox_view_list(b->root, b->reg.address, want, a, out, NULL, e) <
	    0)
		return -1;
	if (out->n > 0)
		qsort(out->v, out->n, sizeof(*out->v), read_newer);
	return 0;
}
