/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HANDS_H
#define DOOR_HANDS_H

/*
 * Processes of a server that do the same: their parent starts them, reads no
 * client's data, and replaces each that ends.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/env.h"

struct hand {
	pid_t pid; /* 0: none */
	int64_t since_ms;
};

/* The signals that the parent waits for: the end of a child, and of itself. */
void hands_signals(sigset_t *s);
/*
 * Starts one: in it, 0, and it ends with its parent; left: by CHILD_LEFT too.
 * In the parent its number, or -1.
 */
pid_t hands_start(struct hand *h, const struct env *env, bool left);
/* What it does first in the new process, if another way led to that. */
void hands_begin(bool left);
/* The next that ended, which is reaped; 0: none has. */
pid_t hands_next(void);
/*
 * Milliseconds to wait before one that has ended is replaced: one that ends
 * soon would end again.
 */
int hands_pause_ms(const struct hand *h);

#endif
