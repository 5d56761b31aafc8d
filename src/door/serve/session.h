#ifndef DOOR_SERVE_SESSION_H
#define DOOR_SERVE_SESSION_H

/*
 * For a session of whoever has the key: keeper and wires of its own, as the
 * broker has them, which end with it; for one in the broker, the broker's.  One
 * session in a process.
 */
#include "door/lent.h"

extern const struct lent_wires serve_session;
/* In the broker: that is the socket to its keeper, or -1. */
void serve_session_far(int keeper);

#endif
