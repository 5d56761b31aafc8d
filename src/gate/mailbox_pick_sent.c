/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message just sent, in a store that gives it an id of its own: the copy in
 * the folder for sent mail, by its Message-ID.
 */
#include "base/limits.h"
#include "gate/internal.h"
#include "gate/outbox_post.h"
#include "mime/message.h"

/* The row with exactly that Message-ID becomes the only one. */
static bool
mailbox_pick_sent_choose(struct mailbox *m, struct str message_id,
    struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct mime_envelope env;

		mime_envelope_parse(m->arena, rows->v[i].head, &env);
		if (!str_eq(env.message_id, message_id))
			continue;
		rows->v += i;
		rows->n = 1;
		return true;
	}
	rows->n = 0;
	return false;
}

int
mailbox_pick_sent_find(struct mailbox *m, struct str message_id,
    struct rows *rows, struct err *e)
{
	struct query q = { .message_id = message_id };
	struct folder_state st = { 0 };

	if (outbox_copy_folder(m->conn, m->arena, &q.folder, e) < 0 ||
	    m->src->be->find(m->conn, m->arena, &q, LIMIT_PAGE_DEFAULT, &st,
		rows, e) < 0)
		return -1;
	/*
	 * Stalwart 0.15.3 is said to find no Message-ID (2026-02): what was
	 * just sent is among the newest.
	 */
	if (!mailbox_pick_sent_choose(m, message_id, rows)) {
		q.message_id = S("");
		if (m->src->be->find(m->conn, m->arena, &q, LIMIT_PAGE_DEFAULT,
			&st, rows, e) < 0)
			return -1;
		(void)mailbox_pick_sent_choose(m, message_id, rows);
	}
	if (rows->n == 1)
		rows->v[0].folder = q.folder;
	return 0;
}
