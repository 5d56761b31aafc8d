/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_HUMAN_H
#define DOOR_CLI_HUMAN_H

/* The reply of an agent's operation, for a person. */
#include "base/buf.h"
#include "gate/gate.h"

/*
 * The data of a successful reply, as JSON.  ERR_LIMIT: it is too long to show;
 * ERR_USAGE: it has nothing to show.
 */
int human_put(struct buf *b, const struct op *op, struct str reply,
    bool coloured, struct err *e);

#endif
