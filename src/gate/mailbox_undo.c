/* SPDX-License-Identifier: Apache-2.0 */
/* An agent takes back a change of its own; another's is not there for it. */
#include "gate/undo_plan.h"

int
mailbox_undo(struct mailbox *m, int64_t id, bool dry, struct undone *out,
    struct err *e)
{
	struct store_journal of = { 0 };
	bool own;

	*out = (struct undone){ 0 };
	/* Where the operator agrees to changes first, he also undoes them. */
	if (!mailbox_organise_may(m)) {
		(void)err_set(e, ERR_POLICY, "refused by policy: organise_off");
		e->reason = "organise_off";
		return -1;
	}
	if (mailbox_open(m, e) < 0)
		return -1;
	(void)journal_settle_left(m, !dry, 0);
	if (store_journal_get(m->gate->store, m->arena, id, &of, e) < 0)
		return -1;
	own = of.account == m->src->acct.id &&
	    str_eq(of.principal, m->gate->principal);
	if (!own)
		return err_set(e, ERR_NOT_FOUND, "there is no such change");
	if (undo_one(m, &of, dry, out, e) < 0)
		return -1;
	if (out->change != 0)
		gate_note(m->call,
		    str_fmt(m->arena, "change %lld: %zu put back",
			(long long)id, out->n));
	return 0;
}
