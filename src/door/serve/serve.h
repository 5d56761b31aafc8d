/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_SERVE_H
#define DOOR_SERVE_SERVE_H

/*
 * The broker: it holds the key and the store as a user of its own, and runs the
 * calls of other users' processes, whom the kernel names (doc/emcli-serve.8).
 */
#include "base/env.h"
#include "door/route.h"

/*
 * Serves until it is told to stop, with that service beside.  args: those of
 * `emcli serve`.  ERR_CONFIG, ERR_USAGE, ERR_INTERNAL.
 */
int serve(const struct env *env, const struct args *args,
    const struct route_beside *beside, struct err *e);

#endif
