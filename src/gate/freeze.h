#ifndef GATE_FREEZE_H
#define GATE_FREEZE_H

/*
 * Stopping agents.  An agent's door may stop the agent that calls and nobody
 * else; all others are the operator's to stop, and to let go on.
 */
#include "gate/gate.h"

/* Is the caller stopped, on all accounts?  ERR_POLICY, "frozen".  For a door
 * that does more than to make calls. */
int gate_freeze_check(struct gate *g, struct err *e);
/* Stops the caller.  ERR_USAGE: `why` is not one line. */
int gate_freeze_self(struct call *c, struct str why, struct err *e);

#endif
