/* SPDX-License-Identifier: Apache-2.0 */
/* The account's own mailbox: the root it is in, and its registration there. */
#include "backend/agentbox/contract.h"

/* Accounts keep their address in lower case, a root as it was registered. */
static int
own_find(struct agentbox *b, struct err *e)
{
	struct str address = b->conn.acct->from;
	struct agentbox_regs l;
	int got = agentbox_register_find(b->root, address, b->a, &b->reg, e);

	if (got != 0)
		return got;
	if (agentbox_register_list(b->root, b->a, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		if (l.v[i].status != AGENTBOX_ACTIVE ||
		    !str_eq_case(l.v[i].address, address))
			continue;
		/* Two that differ by case alone: neither is meant. */
		if (got++ > 0)
			return 0;
		b->reg = l.v[i];
	}
	return got;
}

int
agentbox_own_need(struct agentbox *b, struct err *e)
{
	const struct backend_account *acct = b->conn.acct;
	const struct agentbox_use use = {
		.deadline_ms = acct->deadline_ms,
		.mac = acct->mac,
		.fits = acct->fits,
		.mac_ctx = acct->mac_ctx,
	};
	int got;

	if (backend_in_time(acct, "the mailbox root took too long", e) < 0)
		return -1;
	if (b->root != NULL)
		return 0;
	if (agentbox_root_open(str_c(b->a, acct->path), &use, &b->root, e) < 0)
		return e->kind == ERR_NOT_FOUND
		    ? err_set(e, ERR_CONFIG,
			  "the account's mailbox root is not there")
		    : -1;
	got = own_find(b, e);
	if (got == 1)
		return 0;
	agentbox_root_close(&b->root);
	if (got < 0)
		return -1;
	(void)err_set(e, ERR_CONFIG,
	    "the account's address has no active mailbox in the root");
	e->reason = "not_actionable";
	return -1;
}
