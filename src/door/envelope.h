/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_ENVELOPE_H
#define DOOR_ENVELOPE_H

/* A reply as every door writes it. */
#include "gate/gate.h"

/* {"error":...,"error_detail":{...},"data":{...}}. */
struct json *envelope_make(struct arena *a, const struct reply *r);

#endif
