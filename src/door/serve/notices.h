/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_NOTICES_H
#define DOOR_SERVE_NOTICES_H

/*
 * The process that gives notices (gate/notice.h), when the keeper says that one
 * is due: it lives as long as that takes.  It has no key, asks the keeper as a
 * worker does, and reads neither mail nor calls.
 */
#include "door/serve/keeper.h"

struct serve_notices {
	struct hand hand;
	int fd;          /* a socket to it; -1: there is none */
	uint32_t number; /* for the keeper */
	bool again;      /* it was asked for while one was at work */
};

/* In the monitor: begins it, now or when the one that is at work has ended. */
void serve_notices_ask(struct serve_notices *n, const struct env *env,
    uint32_t number);
/* Hears what it says.  True: two ends of sockets, for the keeper. */
bool serve_notices_hear(struct serve_notices *n, struct ipc_passed *with);
/* That process has ended; false: it was another. */
bool serve_notices_reaped(struct serve_notices *n, pid_t pid);

/* What the new process does; its socket to the teller is there. */
_Noreturn void serve_notices_become(int fd, const struct env *env,
    struct serve_board *b);

#endif
