/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages, by the endpoint `source`: the only one that masks no address, and
 * so the only one for rows.  A header is requested once.
 */
#include "backend/ponymail/internal.h"
#include "mime/message.h"

#define KEPT_ONE (8UL << 20)
#define KEPT_ALL (64UL << 20)

static bool
ponymail_source_get_kept(const struct pony *p, struct str mid, struct str *out)
{
	for (size_t i = p->kept.n; i > 0; i--) {
		if (!str_eq(p->kept.mid[i - 1], mid))
			continue;
		*out = p->kept.raw[i - 1];
		return true;
	}
	return false;
}

static void
ponymail_source_keep(struct pony *p, struct str mid, struct str raw)
{
	struct pony_kept *k = &p->kept;

	if (raw.n > KEPT_ONE)
		return;
	if (k->n == LIMIT_PAGE || k->bytes + raw.n > KEPT_ALL) {
		arena_close(&k->a);
		*k = (struct pony_kept){ 0 };
	}
	if (k->a == NULL) {
		k->a = arena_open(2 * KEPT_ALL);
		k->mid = arena_array(k->a, LIMIT_PAGE, sizeof(*k->mid));
		k->raw = arena_array(k->a, LIMIT_PAGE, sizeof(*k->raw));
	}
	k->mid[k->n] = str_dup(k->a, mid);
	k->raw[k->n++] = str_dup(k->a, raw);
	k->bytes += raw.n + mid.n;
}

static int
ponymail_source_ask(struct pony *p, struct str mid, struct str *out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct buf b;
	int found;

	buf_init(&b, a, LIMIT_URL / 2);
	ponymail_call_arg(&b, "id", mid);
	if (b.over)
		return 0;
	p->sources++;
	found = ponymail_call(p, PONY_SOURCE, buf_view(&b), out, e);
	/* After the end of a session the answer is also "no such message". */
	if (found == 0 && ponymail_session_check(p, e) < 0)
		return -1;
	return found;
}

int
ponymail_source(struct pony *p, struct str mid, size_t max, struct str *out,
    struct err *e)
{
	if (!ponymail_source_get_kept(p, mid, out)) {
		int found = ponymail_source_ask(p, mid, out, e);

		if (found <= 0)
			return found;
		ponymail_source_keep(p, mid, *out);
	}
	if (out->n > max)
		return err_set(e, ERR_LIMIT, "the message is too large");
	return 1;
}

void
ponymail_source_even(struct pony *p, struct str mid)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct err ignored = { 0 };
	struct str nothing;
	struct buf b;

	buf_init(&b, a, LIMIT_URL / 2);
	ponymail_call_arg(&b, "id", mid);
	if (!b.over)
		(void)ponymail_call(p, PONY_SOURCE, buf_view(&b), &nothing,
		    &ignored);
}

int
ponymail_source_head(struct pony *p, struct str mid, struct arena *a,
    struct pony_head *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	struct mime_message m;
	struct mime_header h;
	struct str raw;
	int found;

	if (ponymail_heads_get(&p->list.heads, mid, out))
		return 1;
	found = ponymail_source(p, mid, LIMIT_MESSAGE, &raw, e);
	if (found <= 0)
		return found;
	scratch = arena_open(LIMIT_ARENA);
	mime_header_parse(scratch, raw, &h);
	mime_message_parse(scratch, raw, &m);
	*out = (struct pony_head){
		.mid = str_dup(a, mid),
		.head = str_dup(a, str_first(raw, h.size)),
		.size = raw.n,
		.has_attachments = mime_reading_has_attachments(&m),
	};
	ponymail_heads_add(&p->list.heads, out);
	return 1;
}

void
ponymail_source_row(struct pony *p, const struct ref *ref,
    const struct pony_head *h, struct arena *a, struct rows *out)
{
	const struct pony_entry *x = ponymail_list_get(&p->list, ref->id);
	struct row *r;

	out->v = arena_more(a, out->v, out->n, sizeof(*out->v));
	r = &out->v[out->n++];
	*r = (struct row){
		.ref = { ref->uid, str_dup(a, ref->id) },
		.head = str_dup(a, h->head),
		.size = h->size,
		.has_attachments = h->has_attachments,
	};
	if (x != NULL) {
		r->received_s = x->epoch;
		r->thread = str_dup(a, p->list.v[x->root].mid);
	}
}

void
ponymail_source_state(const struct pony *p, struct folder_state *st)
{
	*st = (struct folder_state){ .exists = p->list.n };
}

/* Is it a message of the folder?  With an empty folder, any is. */
static bool
is_here(const struct pony *p, struct str folder, struct str id)
{
	return id.n > 0 &&
	    (folder.n == 0 || ponymail_list_get(&p->list, id) != NULL);
}

int
ponymail_source_headers(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct folder_state *st, struct rows *out,
    struct err *e)
{
	struct pony *p = (struct pony *)c;
	struct rows rows = { 0 };

	ponymail_session_for(p, folder);
	if (folder.n > 0 && ponymail_list_open(p, folder, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++) {
		struct pony_head x;
		int found;

		if (!is_here(p, folder, refs->v[i].id))
			continue;
		found = ponymail_source_head(p, refs->v[i].id, a, &x, e);
		if (found < 0)
			return -1;
		if (found > 0)
			ponymail_source_row(p, &refs->v[i], &x, a, &rows);
	}
	ponymail_source_state(p, st);
	*out = rows;
	return 0;
}

int
ponymail_source_body(struct conn *c, struct arena *a, struct str folder,
    const struct ref *ref, size_t max, struct str *out, struct err *e)
{
	struct pony *p = (struct pony *)c;
	struct str raw;
	int found;

	ponymail_session_for(p, folder);
	if (folder.n > 0 && ponymail_list_open(p, folder, e) < 0)
		return -1;
	if (!is_here(p, folder, ref->id))
		return ponymail_folder_absent(e);
	found = ponymail_source(p, ref->id, max, &raw, e);
	if (found <= 0)
		return found < 0 ? -1 : ponymail_folder_absent(e);
	*out = str_dup(a, raw);
	return 0;
}

int
ponymail_source_ids(struct conn *c, struct arena *a, struct str folder,
    struct folder_state *st, struct strs *ids, struct err *e)
{
	struct pony *p = (struct pony *)c;

	if (ponymail_list_refresh(p, folder, e) < 0)
		return -1;
	ids->v = arena_array(a, p->list.n, sizeof(*ids->v));
	ids->n = p->list.n;
	for (uint32_t i = 0; i < p->list.n; i++)
		ids->v[i] = str_dup(a, p->list.v[i].mid);
	ponymail_source_state(p, st);
	return 0;
}
