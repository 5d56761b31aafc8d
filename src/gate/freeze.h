/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_FREEZE_H
#define GATE_FREEZE_H

/*
 * Stopping agents.  Through an agent's door an agent can stop only itself; only
 * the operator stops other agents and lifts freezes.
 */
#include "gate/gate.h"

/*
 * Is the caller frozen on all accounts?  ERR_POLICY, "frozen".  For a door that
 * does more than make calls.
 */
int gate_freeze_check(struct gate *g, struct err *e);
/* Freezes the caller.  ERR_USAGE: `why` is not one line. */
int gate_freeze_self(struct call *c, struct str why, struct err *e);

#endif
