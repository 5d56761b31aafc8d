/* Is a row of a folder the message of a change, and may the caller see it? */
#include "gate/judge.h"
#include "gate/undo_plan.h"

int
undo_judge(struct undo *u, struct arena *a, struct str folder,
    const struct row *row, const struct store_journal_message *v, struct err *e)
{
	unsigned char is[STORE_JOURNAL_DIGEST];
	struct mailbox *m = u->m;
	struct mail mail;
	bool seen = judge_row(m, a, row, &mail);
	int r;

	journal_message_digest(&mail, is);
	if (memcmp(is, v->digest, sizeof(is)) != 0)
		return 0;
	if (seen || m->gate->operates != NULL)
		return 1;
	r = judge_sender(m, a, folder, row, &mail, e);
	if (r == 0)
		m->call->blocked = "filtered";
	return r;
}
