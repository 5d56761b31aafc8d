#ifndef DOOR_LOOKS_H
#define DOOR_LOOKS_H

/*
 * Options for how a reply looks.  They are the command line's, not an
 * operation's: no schema has them, and the gate never sees them.
 */
#include "gate/gate.h"

/* Those that this operation takes, --json first; an empty table for one that
 * hands over what it has as it is. */
const struct arg_spec *looks_flags(const struct op *op);
/* Does a table of them have that one? */
bool looks_has(const struct arg_spec *flags, const char *name);

#endif
