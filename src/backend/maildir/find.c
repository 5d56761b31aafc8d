/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches a folder: reads one message after another, and only as much of it as
 * the query needs.
 */
#include "backend/internal.h"
#include "backend/maildir/internal.h"

/*
 * The criteria that the header can decide; the text may still be in the body.
 */
static bool
maildir_find_head_fits(struct arena *a, const struct mime_header *h,
    const struct query *q)
{
	return backend_match_date(h, q) && backend_match_fields(a, h, q) &&
	    (q->list.n == 0 || backend_list_has(a, h, q->list));
}

static int
maildir_find_body_has(int fd, const struct stat *st, struct arena *a,
    struct str text, bool *out, struct err *e)
{
	struct str raw = { 0 };

	if (maildir_bytes_first(fd, st, LIMIT_MESSAGE, a, &raw, e) < 0)
		return -1;
	*out = backend_match_body(a, raw, text);
	return 0;
}

/* As its name says. */
static bool
maildir_find_flags_fit(const struct maildir *m, struct str id,
    const struct query *q)
{
	bool draft;

	return (q->with | q->without) == 0 ||
	    backend_match_flags(maildir_index_flags(m, id, &draft), q);
}

/* Checks one message and adds its row if it matches. */
static int
maildir_find_look(struct maildir *m, const struct ref *ref,
    const struct query *q, struct arena *a, struct rows *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *scratch = NULL;
	CLEANUP(path_close) int fd = -1;
	struct mime_header h;
	struct str head = { 0 };
	struct stat st;
	bool fits;
	int found = maildir_index_file(m, ref->id, &fd, &st, e);

	if (found <= 0)
		return found;
	if (!maildir_find_flags_fit(m, ref->id, q))
		return 0;
	if (q->received_s != 0 && st.st_mtim.tv_sec <= q->received_s)
		return 0;
	scratch = arena_open(LIMIT_ARENA);
	if (maildir_bytes_head(fd, scratch, &head, e) < 0)
		return -1;
	mime_header_parse(scratch, head, &h);
	if (!maildir_find_head_fits(scratch, &h, q))
		return 0;
	fits = backend_match_head(scratch, &h, q->text);
	if (!fits &&
	    maildir_find_body_has(fd, &st, scratch, q->text, &fits, e) < 0)
		return -1;
	if (!fits)
		return 0;
	return maildir_read_row(m, fd, &st, ref, head, a, out, e);
}

/* All messages, newest first, if no candidates are given. */
static int
maildir_find_all(struct maildir *m, struct arena *a, struct refs *out,
    struct err *e)
{
	struct str digest;
	struct strs ids;

	if (maildir_index_order(m, a, &ids, &digest, e) < 0)
		return -1;
	out->n = ids.n;
	out->v = arena_array(a, ids.n, sizeof(*out->v));
	for (size_t i = 0; i < ids.n; i++)
		out->v[i].id = ids.v[ids.n - 1 - i];
	return 0;
}

/* Can facts answer this query, and is the folder large enough to build them? */
static bool
wants_facts(const struct query *q, size_t n)
{
	return n > MAILDIR_FEW &&
	    (q->received_s != 0 || q->message_id.n > 0 || q->list.n > 0);
}

int
maildir_find(struct conn *c, struct arena *a, const struct query *q,
    size_t limit, struct folder_state *st, struct rows *out, struct err *e)
{
	struct maildir *m = (struct maildir *)c;
	struct rows rows = { 0 };
	struct refs every = { 0 };
	const struct refs *refs = q->among;
	struct str list_id = backend_list_id(a, q->list);
	bool facts;

	if (maildir_folder_open(m, q->folder, e) < 0 ||
	    maildir_index_need(m, e) < 0)
		return -1;
	if (refs == NULL && maildir_find_all(m, a, &every, e) < 0)
		return -1;
	if (refs == NULL)
		refs = &every;
	facts = wants_facts(q, refs->n);
	if (facts && maildir_facts_need(m, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n && rows.n < limit; i++) {
		if (facts && !maildir_facts_fit(m, refs->v[i].id, q, list_id))
			continue;
		/* Before it is opened. */
		if (!maildir_find_flags_fit(m, refs->v[i].id, q))
			continue;
		if (maildir_find_look(m, &refs->v[i], q, a, &rows, e) < 0)
			return -1;
	}
	*st = (struct folder_state){ .exists = (uint32_t)m->index.n };
	*out = rows;
	return 0;
}
