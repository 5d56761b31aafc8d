/* SPDX-License-Identifier: Apache-2.0 */
/* An agent's half of freezing. */
#include "gate/freeze.h"

#include "gate/internal.h"
#include "store/freeze.h"

int
gate_freeze_check(struct gate *g, struct err *e)
{
	return store_freeze_refuse(g->store, g->principal, 0, e);
}

int
gate_freeze_self(struct call *c, struct str why, struct err *e)
{
	c->note = why;
	return store_freeze_self(c->gate->store, c->gate->principal, why, e);
}
