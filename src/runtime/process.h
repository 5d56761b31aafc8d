/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PROCESS_H
#define RUNTIME_PROCESS_H

/*
 * The program of a session as a process of its own.  It is found again by its
 * number, the time it was started at and the boot of the machine: a number
 * alone may be another process's by now.
 */
#include "base/err.h"
#include "base/str.h"

struct process {
	int64_t pid;      /* 0: there is none */
	uint64_t started; /* in ticks since the boot, proc(5) */
	struct str boot;  /* the boot's id */
};

struct process_plan {
	struct str executable; /* an absolute path */
	struct str name;       /* argv[0] */
	struct strs args;
	struct strs environment; /* "NAME=value" */
	struct str workdir;
	int log; /* process_start: a file for its standard output and error */
};

/* process_find.c: a program by its name, or by a path from the workdir: its
 * absolute path. ERR_CONFIG: there is none that can be executed. */
int process_find(struct str name, struct str workdir, struct arena *a,
    struct str *out, struct err *e);
/*
 * process_environment.c: the environment for a session: the caller's own
 * without what belongs to emcli, to a credential or to an earlier mailbox, and
 * with `add`, whose members are "NAME=value".
 */
struct strs process_environment(char *const *from, const struct strs *add,
    struct arena *a);
/*
 * Starts it in a session of its own, without a terminal.  It runs only after
 * `keep` has written down which process it is: killed before that, it never
 * runs.  ERR_CONFIG: the system refuses to execute it; and what keep says.
 */
int process_start(const struct process_plan *p, struct arena *a,
    int (*keep)(void *ctx, const struct process *p, struct err *e), void *ctx,
    struct err *e);
/* The process of that number.  False: there is none. */
bool process_of(int64_t pid, struct arena *a, struct process *out);
/*
 * Executes it in this process, with its standard files and without the signals
 * that emcli set up.  Returns only when that fails: ERR_CONFIG.
 */
int process_become(const struct process_plan *p, struct arena *a,
    struct err *e);
/* Is it there, and is it the same one? */
bool process_is_alive(const struct process *p);
/*
 * Ends it: SIGTERM, and SIGKILL if it is there after that many milliseconds.
 * It is no error if it is gone.  ERR_CONFIG: it is another user's.
 */
int process_stop(const struct process *p, int grace_ms, struct err *e);

#endif
