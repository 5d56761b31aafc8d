/* SPDX-License-Identifier: Apache-2.0 */
/* Which accounts are mailboxes of agents' sessions, and not a person's. */
#include "gate/internal.h"

/*
 * Accounts on a server that sessions made before there was a mark: an operator
 * has hardly ever switched this check off.
 */
static bool
mailbox_bound_looks_so(const struct store_account *v)
{
	return v->organise != ORGANISE_OFF && v->no_unfinished_check;
}

bool
mailbox_bound(const struct mailbox *m, const struct gate_binding *b)
{
	const struct store_account *v = &m->src->acct;

	if (!str_eq(v->from_addr, b->address))
		return false;
	if (str_eq(b->transport, S("filesystem")))
		return str_eq(v->backend, S("agentbox"));
	if (!str_eq(v->backend, S("jmap")))
		return false;
	return v->bound == STORE_BOUND_YES ||
	    (v->bound == STORE_BOUND_UNSAID && mailbox_bound_looks_so(v));
}
