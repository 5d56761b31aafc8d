/* SPDX-License-Identifier: Apache-2.0 */
/* Is a row of a folder the message of a change, and may the caller see it? */
#include "gate/judge.h"
#include "gate/undo_plan.h"

void
undo_judge_read(struct undo *u, struct arena *a, const struct row *row,
    struct undo_row *out)
{
	*out = (struct undo_row){ .row = row };
	out->seen = judge_row(u->m, a, row, &out->mail);
	journal_message_digest(&out->mail, out->digest);
}

bool
undo_judge_is(const struct undo_row *r, const struct store_journal_message *v)
{
	return memcmp(r->digest, v->digest, sizeof(r->digest)) == 0;
}

int
undo_judge_sees(struct undo *u, struct arena *a, struct str folder,
    struct undo_row *r, struct err *e)
{
	struct mailbox *m = u->m;
	int seen;

	if (r->seen || m->gate->operates != NULL)
		return 1;
	seen = judge_sender(m, a, folder, r->row, &r->mail, e);
	if (seen == 0)
		m->call->blocked = "filtered";
	return seen;
}

int
undo_judge(struct undo *u, struct arena *a, struct str folder,
    const struct row *row, const struct store_journal_message *v, struct err *e)
{
	struct undo_row r;

	undo_judge_read(u, a, row, &r);
	return undo_judge_is(&r, v) ? undo_judge_sees(u, a, folder, &r, e) : 0;
}
