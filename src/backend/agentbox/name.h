/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BACKEND_AGENTBOX_NAME_H
#define BACKEND_AGENTBOX_NAME_H

/* The rule of an agent's address, for all who take one. */
#include <stdbool.h>

#include "base/str.h"

/*
 * Is it "local@domain" of letters, digits and the marks that one segment of a
 * path may have?  It has at most LIMIT_AGENT_ADDRESS bytes and does not end
 * like the folder of a mailbox that was put aside.  Case is kept and counts.
 */
bool agentbox_name_address(struct str s);

#endif
