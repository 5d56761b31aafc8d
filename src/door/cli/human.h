#ifndef DOOR_CLI_HUMAN_H
#define DOOR_CLI_HUMAN_H

/* A reply of an agent's operation for a person. */
#include "base/buf.h"
#include "gate/gate.h"

/* The data of a reply that went well, as JSON.  ERR_LIMIT: it is too long to be
 * shown; ERR_USAGE: there is nothing in it that is. */
int human_put(struct buf *b, const struct op *op, struct str reply,
    bool coloured, struct err *e);

#endif
