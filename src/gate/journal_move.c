/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages are moved.  Where a server has to copy them first, the journal has
 * the copies before an original is removed: so whoever finds the row can finish
 * the move, whatever became of this process.
 */
#include "gate/journal.h"

struct journal_move {
	struct mailbox *m;
	struct store_journal *row;
	const size_t *at; /* their places in the row; NULL: all */
};

/* As copying.copied. */
static int
journal_move_copied(void *ctx, const struct refs *copies, uint32_t uidvalidity,
    struct err *e)
{
	struct journal_move *t = ctx;
	struct store_journal *row = t->row;
	struct err why = { 0 };

	for (size_t i = 0; i < copies->n; i++) {
		struct store_journal_message *v =
		    &row->v[t->at != NULL ? t->at[i] : i];

		v->new_uid = copies->v[i].uid;
		v->new_id = str_dup(t->m->arena, copies->v[i].id);
	}
	row->target_uidvalidity = uidvalidity;
	if (store_journal_settle_copied(t->m->gate->store, row, &why) == 0)
		return 0;
	(void)err_set(e, ERR_DB,
	    "the copies could not be written down, so no original was "
	    "removed: the messages are in both folders");
	return err_because(e, "%s",
	    why.detail[0] != '\0' ? why.detail : why.say);
}

int
journal_move(struct mailbox *m, struct store_journal *row,
    const struct refs *refs, const size_t *at, struct str to,
    struct refs *moved, struct err *e)
{
	struct journal_move t = { m, row, at };
	const struct copying by = { .copied = journal_move_copied, .ctx = &t };

	return m->src->be->move(m->conn, m->arena, row->folder, refs, to, &by,
	    moved, e);
}

static int
journal_move_by(struct mailbox *m, const struct store_journal *row,
    bool gives_up, struct err *e)
{
	struct refs refs = { arena_array(m->arena, row->n, sizeof(*refs.v)),
		row->n };
	struct refs copies = { arena_array(m->arena, row->n, sizeof(*refs.v)),
		row->n };
	const struct copying by = { .copies = &copies,
		.uidvalidity = row->target_uidvalidity,
		.from_uidvalidity = row->uidvalidity,
		.gives_up = gives_up };
	struct refs ignored = { 0 };

	for (size_t i = 0; i < row->n; i++) {
		refs.v[i].uid = row->v[i].uid;
		copies.v[i].uid = row->v[i].new_uid;
	}
	return m->src->be->move(m->conn, m->arena, row->folder, &refs,
	    row->target, &by, &ignored, e);
}

int
journal_move_rest(struct mailbox *m, const struct store_journal *row,
    struct err *e)
{
	return journal_move_by(m, row, false, e);
}

int
journal_move_give_up(struct mailbox *m, const struct store_journal *row,
    struct err *e)
{
	return journal_move_by(m, row, true, e);
}
