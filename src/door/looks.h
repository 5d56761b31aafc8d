/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_LOOKS_H
#define DOOR_LOOKS_H

/*
 * Options for the form of a reply.  They belong to the command line, not to an
 * operation: schemas and the gate do not know them.
 */
#include "gate/gate.h"

/*
 * The options for this operation, --json first; an empty table for one that
 * writes its output unchanged.
 */
const struct arg_spec *looks_flags(const struct op *op);
/* Does a table of them contain that one? */
bool looks_has(const struct arg_spec *flags, const char *name);

#endif
