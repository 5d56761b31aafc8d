/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

/*
 * Another program, started without a shell.  Its signals are at their defaults
 * and it has no descriptors but the three standard ones.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct program {
	const char *name; /* a path, or what PATH finds */
	char *const *argv;
	char *const *envp;
	int in, out, err; /* -1: this process's own */
	bool apart;       /* in a session of its own, which ends with it */
	const char *dir;  /* where it runs; NULL: in this process's folder */
};

/* 0, or -1 and errno.  The caller waits for *pid. */
int program_start(const struct program *p, pid_t *pid);
/*
 * Waits until end_ms of clock_mono_ms() and kills it then, with what it started
 * if it is apart; 0: at once.  Returns
 * its wait(2) status, or -1 for one that was killed here.
 */
int program_end(pid_t pid, int64_t end_ms);

#endif
