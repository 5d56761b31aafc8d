/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_HOME_HOOKS_H
#define DESK_HOME_HOOKS_H

/* The hooks of an agent's program, which say whether the agent works. */
#include "gate/operate.h"
#include "runtime/home.h"

/*
 * Adds them to the file that the program has for them, and keeps what else is
 * in it.  A file that cannot be extended stays as it is, with a note: then only
 * the agent's screen says whether it works.
 */
int home_hooks_put(struct call *c, struct home *h, struct err *e);

#endif
