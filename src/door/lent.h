/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_LENT_H
#define DOOR_LENT_H

/*
 * Connections to mail servers that last as long as a session, which lends them
 * to its calls, one call after the other: sixteen calls make one login.
 */
#include "base/env.h"

struct lent_wires {
	/*
	 * In the session, before the process of a call is started: the call's
	 * socket, which stays the session's.  -1: it connects by itself.
	 */
	int (*join)(const struct env *env);
	/* The call was ended in its middle: what it used is not used again. */
	void (*part)(void);
	/* To be polled for input; -1: nothing. */
	int (*fd)(void);
	void (*hear)(void);
	/* In the process of the call; it owns the socket. */
	void (*use)(int socket);
};

#endif
