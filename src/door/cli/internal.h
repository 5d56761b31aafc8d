#ifndef DOOR_CLI_INTERNAL_H
#define DOOR_CLI_INTERNAL_H

#include "gate/gate.h"

/* person.c: lines for a person on standard output, which is a terminal; in
 * colour unless NO_COLOR or a dumb terminal forbids it.  -1 with errno. */
int person_write(struct arena *a, const struct gate_lines *lines);

#endif
