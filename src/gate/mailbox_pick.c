/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages by the names a store gives them, wherever they are: what an agent
 * of a mailbox of its own calls a ref.  Each is judged, and a hidden one ends
 * the call as a missing one does.
 */
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/judge.h"
#include "gate/mailbox_ours.h"

/* Only a store with ids and threads of its own is asked without a folder. */
static int
mailbox_pick_open(struct mailbox *m, struct err *e)
{
	unsigned caps = m->src->be->caps;

	if ((caps & CAP_UIDS) || !(caps & CAP_THREADS) || !(caps & CAP_MARK))
		return err_set(e, ERR_UNSUPPORTED,
		    "this account is no mailbox of an agent's own");
	return mailbox_open(m, e);
}

void
mailbox_pick_refs(struct arena *a, const struct mailbox_pick *p,
    struct refs *out)
{
	if (p->n < 1 || p->n > LIMIT_PAGE)
		err_bug("%zu messages picked", p->n);
	*out = (struct refs){ arena_array(a, p->n, sizeof(*out->v)), p->n };
	for (size_t i = 0; i < p->n; i++)
		out->v[i] = (struct ref){ .id = p->id[i] };
}

static int
mailbox_pick_judge(struct mailbox *m, struct str folder,
    const struct rows *rows, struct mails *out, struct err *e)
{
	CLEANUP(arena_close) struct arena *passing = NULL;

	judge_ahead(m, m->arena, rows);
	for (size_t i = 0; i < rows->n; i++) {
		struct mail mail;
		int seen = judge_sender(m, judge_passing(&passing), folder,
		    &rows->v[i], &mail, e);

		if (seen < 0)
			return -1;
		if (seen == 0) {
			m->call->blocked = "filtered";
			return judge_absent(e);
		}
		keep_mail(m->arena, &mail, &out->v[out->n++]);
	}
	return 0;
}

int
mailbox_pick(struct mailbox *m, const struct mailbox_pick *p, struct mails *out,
    struct err *e)
{
	struct folder_state st = { 0 };
	struct rows rows = { 0 };
	struct refs refs;

	*out =
	    (struct mails){ .v = arena_array(m->arena, p->n, sizeof(*out->v)) };
	if (mailbox_pick_open(m, e) < 0)
		return -1;
	mailbox_pick_refs(m->arena, p, &refs);
	if (m->src->be->headers(m->conn, m->arena, p->folder, &refs, &st, &rows,
		e) < 0)
		return -1;
	if (rows.n != p->n)
		return judge_absent(e);
	for (size_t i = 0; i < p->n; i++)
		if (!str_eq(rows.v[i].ref.id, p->id[i]))
			return judge_absent(e);
	if (mailbox_pick_judge(m, p->folder, &rows, out, e) < 0)
		return -1;
	for (size_t i = 0; i < out->n; i++)
		if (taint_note(m, &out->v[i], e) < 0)
			return -1;
	return 0;
}

/* A store that makes the Message-ID gives the message an id of it. */
static int
mailbox_pick_by_id(struct mailbox *m, struct str message_id, struct rows *rows,
    struct err *e)
{
	struct str id = str_from(message_id, 1), local, domain;
	struct folder_state st = { 0 };
	struct refs refs;

	if (!str_cut(id, '@', &local, &domain))
		return judge_absent(e);
	mailbox_pick_refs(m->arena,
	    &(struct mailbox_pick){ .id = &local, .n = 1 }, &refs);
	return m->src->be->headers(m->conn, m->arena, S(""), &refs, &st, rows,
	    e);
}

/*
 * What the agent has just written is no secret to it, so its own mail is there
 * whatever the rules for incoming mail say.
 */
int
mailbox_pick_sent(struct mailbox *m, struct str message_id, struct mails *out,
    struct err *e)
{
	struct rows rows = { 0 };

	*out = (struct mails){ .v = arena_array(m->arena, 1, sizeof(*out->v)) };
	if (mailbox_pick_open(m, e) < 0 ||
	    (m->src->be->message_id != NULL
		    ? mailbox_pick_by_id(m, message_id, &rows, e)
		    : mailbox_pick_sent_find(m, message_id, &rows, e)) < 0)
		return -1;
	if (rows.n != 1)
		return judge_absent(e);
	(void)judge_row(m, m->arena, &rows.v[0], out->v);
	if (!str_eq(out->v[0].env.message_id, message_id) ||
	    mailbox_ours(m, message_id, e) != 1)
		return judge_absent(e);
	out->v[0].ours = true;
	out->n = 1;
	return 0;
}

/* The bytes are judged too: only they are handed out. */
int
mailbox_pick_get(struct mailbox *m, const struct mail *head, struct str *raw,
    struct err *e)
{
	const struct ref ref = { .id = head->id };
	struct row whole = {
		.ref = ref,
		.thread = head->thread,
		.folder = head->folder,
		.flags = head->flags,
		.received_s = head->received_s,
		.has_attachments = head->has_attachments,
		.vouched = head->auth == SENDER_PASS,
	};
	struct mail again;

	if (mailbox_pick_open(m, e) < 0 ||
	    m->src->be->body(m->conn, m->arena, head->folder, &ref,
		LIMIT_MESSAGE, raw, e) < 0)
		return -1;
	whole.head = *raw;
	whole.size = raw->n;
	if (judge_whole(m, m->arena, &whole, &again) || head->ours)
		return 0;
	m->call->blocked = "filtered";
	return judge_absent(e);
}
