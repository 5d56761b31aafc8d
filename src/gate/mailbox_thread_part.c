/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A long thread of a store that reads messages one by one: reads only those
 * that are shown, but knows which others exist.
 */
#include "base/limits.h"
#include "gate/judge.h"
#include "gate/thread.h"

static bool
mailbox_thread_part_has_outline(const struct mailbox_thread *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].outline)
			return true;
	return false;
}

/* Reads one that was an outline; the rows come in the order requested. */
static int
mailbox_thread_part_fill_row(struct mailbox *m, const struct row *row,
    struct mailbox_thread_message *msg, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mail mail;
	int seen = judge_sender(m, a, msg->folder, row, &mail, e);

	if (seen < 0)
		return -1;
	/* Nothing was hidden when the thread was read. */
	if (seen == 0)
		return thread_rows_absent(e);
	if (taint_note(m, &mail, e) < 0)
		return -1;
	keep_mail(m->arena, &mail, &msg->mail);
	msg->outline = false;
	return 0;
}

static int
fill_part(struct mailbox *m, struct mailbox_thread *t, size_t from, size_t end,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct refs refs = { arena_array(a, end - from, sizeof(*refs.v)), 0 };
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	size_t at = 0;

	for (size_t i = from; i < end; i++)
		if (t->v[i].outline)
			refs.v[refs.n++] = t->v[i].ref;
	if (refs.n == 0)
		return 0;
	if (m->src->be->headers(m->conn, a, t->v[from].folder, &refs, &st,
		&rows, e) < 0)
		return -1;
	judge_ahead(m, a, &rows);
	for (size_t i = from; i < end && at < rows.n; i++)
		if (t->v[i].outline &&
		    str_eq(t->v[i].ref.id, rows.v[at].ref.id) &&
		    mailbox_thread_part_fill_row(m, &rows.v[at++], &t->v[i],
			e) < 0)
			return -1;
	return 0;
}

int
mailbox_thread_part(struct mailbox *m, const struct mailbox_thread_name *name,
    size_t from, size_t n, struct mailbox_thread *out, struct err *e)
{
	unsigned how = mailbox_hint_is_needed(m) ? 0 : THREAD_OUTLINE;

	if (mailbox_thread_read(m, name, how, out, e) < 0)
		return -1;
	if (!mailbox_thread_part_has_outline(out))
		return 0;
	if (out->n <= LIMIT_PAGE)
		return mailbox_thread(m, name, out, e);
	from = from < out->n ? from : out->n;
	n = n < out->n - from ? n : out->n - from;
	return fill_part(m, out, from, from + n, e);
}
