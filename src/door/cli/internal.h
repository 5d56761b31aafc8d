#ifndef DOOR_CLI_INTERNAL_H
#define DOOR_CLI_INTERNAL_H

#include "gate/gate.h"

/* {"error":...,"error_detail":{...},"data":{...}}. */
struct json *envelope_make(struct arena *a, const struct reply *r);

#endif
