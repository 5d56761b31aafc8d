/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_AGREE_H
#define DESK_AGREE_H

/* A yes to what cannot be taken back. */
#include "gate/operate.h"

#define AGREE_ARG_YES                                                          \
	{                                                                      \
		.name = "yes", .type = ARG_FLAG, .help = "do not ask"          \
	}

/*
 * Asks for it, unless --yes was given; `what` begins with a verb.  ERR_USAGE:
 * nobody can be asked, or the answer is no.
 */
int agree(struct call *c, struct str what, struct err *e);

#endif
