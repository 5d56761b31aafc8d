/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_FREEZE_H
#define DESK_FREEZE_H

/* Shared by freeze and thaw. */
#include "gate/gate.h"
#include "store/freeze.h"

#define FREEZE_WHO                                                             \
	{ .name = "agent", .type = ARG_TEXT, .help = "only this agent" },      \
	{                                                                      \
		.name = "account", .type = ARG_ACCOUNT,                        \
		.help = "only on this account"                                 \
	}

/* The agent and account in the call.  ERR_USAGE. */
int freeze_read(const struct call *c, struct store_freeze *f, struct err *e);
/* "every agent", "agent bob on account work" */
struct str freeze_words(struct arena *a, const struct store_freeze *f);

#endif
