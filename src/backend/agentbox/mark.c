/* SPDX-License-Identifier: Apache-2.0 */
/* Flags: all messages or none. */
#include "backend/agentbox/contract.h"

int
agentbox_mark_change(struct agentbox *b, struct arena *a, struct str folder,
    const struct refs *refs, const struct agentbox_change *change,
    struct err *e)
{
	struct agentbox_entries l;
	struct strs ids = { 0 };
	struct str box;

	if (agentbox_own_need(b, e) < 0 ||
	    agentbox_folder_box(b, a, folder, &box, e) < 0)
		return -1;
	for (size_t i = 0; i < refs->n; i++)
		str_push(a, &ids, refs->v[i].id);
	if (agentbox_read_entries(b, a, box, &ids, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < ids.n; i++)
		if (agentbox_read_entry(&l, ids.v[i]) == NULL)
			return agentbox_folder_absent(e);
	if (ids.n == 0)
		return 0;
	if (agentbox_state_change(b->root, b->reg.address, &ids, change, e) ==
	    0)
		return 0;
	return e->kind == ERR_NOT_FOUND ? agentbox_folder_absent(e) : -1;
}

static enum agentbox_flag
mark_flag(const struct flag_change *change, unsigned flag)
{
	if (change->set & flag)
		return AGENTBOX_YES;
	return change->clear & flag ? AGENTBOX_NO : AGENTBOX_ANY;
}

int
agentbox_mark(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, const struct flag_change *change, struct err *e)
{
	const struct agentbox_change to = {
		.read = mark_flag(change, FLAG_READ),
		.answered = mark_flag(change, FLAG_ANSWERED),
		.archived = mark_flag(change, FLAG_ARCHIVED),
	};

	return agentbox_mark_change((struct agentbox *)c, a, folder, refs, &to,
	    e);
}
