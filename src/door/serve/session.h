/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_SESSION_H
#define DOOR_SERVE_SESSION_H

/*
 * For a session of whoever has the key: keeper and wires of its own, as the
 * broker has them, which end with it.  One session in a process.
 */
#include "door/lent.h"

extern const struct lent_wires serve_session;

#endif
