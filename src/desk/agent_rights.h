/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_AGENT_RIGHTS_H
#define DESK_AGENT_RIGHTS_H

/* What an agent may use, as the store has it. */
#include "gate/operate.h"
#include "store/agent.h"

enum agent_right {
	AGENT_RIGHT_ACCOUNTS,
	AGENT_RIGHT_SKILLS,
	AGENT_RIGHT_OPS,
	AGENT_RIGHTS
};

/*
 * " home work " of names that exist, in our spelling; " " of none.  ERR_USAGE,
 * ERR_NOT_FOUND, ERR_LIMIT.
 */
int agent_rights_set(struct call *c, enum agent_right right,
    const struct strs *given, struct str *out, struct err *e);

#endif
