/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CHILD_H
#define DOOR_CHILD_H

/*
 * One process per request.  So a server that lets one request wait does not
 * delay others, a cancelled read ends at once, a message that crashes its
 * parser affects no other request, and the memory is freed with the process.
 * (There are no threads by design.)
 *
 * The process writes lines to a pipe: a letter for the kind, then the text.
 * Its parent accepts only whole lines: the partial last line of a process that
 * died is dropped.
 */
#include <signal.h>
#include <sys/types.h>

#include "base/env.h"
#include "base/json.h"
#include "door/lines.h"

/*
 * The kinds for every door.  A door may add letters of its own, which the
 * others treat as notes.
 */
enum child_kind {
	CHILD_STATUS = 's', /* an HTTP status */
	CHILD_HEAD = 'h',   /* "Name: value", for the head of its answer */
	CHILD_FAULT =
	    'f', /* the answer if the process dies before it gives one */
	CHILD_NOTE = 'n', /* a message before the answer */
	CHILD_ANSWER = 'a',
	CHILD_MET = 'k',   /* its caller is an agent's; no text */
	CHILD_BYTES = 'b', /* a part of an answer that is not text, in base64 */
};

/*
 * Its client hung up; its client cancelled it.  Both take effect after the
 * process has allowed it with child_may_end().
 */
#define CHILD_LEFT SIGUSR1
#define CHILD_STOP SIGUSR2

struct child {
	pid_t pid; /* 0: none */
	int fd;    /* readable if it has output */
	struct lines in;
};

typedef void child_hear(void *arg, char kind, struct str text);

/* fork(2) for a process that gets the keys, which its own children do not. */
pid_t child_fork(const struct env *env);
/* The same, and its parent is the one of this process, which has no thread. */
pid_t child_fork_beside(const struct env *env);
/*
 * Starts one, which runs `run` and ends.  Of its parent's descriptors it has
 * only the standard ones. -1: it cannot be started.
 */
int child_start(struct child *c, const struct env *env, void (*run)(void *),
    void *arg);
/* The same with one more descriptor, or -1: its child_order(). */
int child_start_with(struct child *c, const struct env *env,
    void (*run)(void *), void *arg, int order);
/*
 * The same, before there is anything to do.  What it is to do is written to
 * *to, and the process reads it from child_order().
 */
int child_start_ahead(struct child *c, const struct env *env,
    void (*run)(void *), void *arg, int *to);
/* One more that child_keep() leaves open, here and in all children: at most
 * two. */
void child_keeps(int fd);
/* None of these from now on. */
void child_keeps_none(void);
/* Of one that another process started: its pid, and where its output comes. */
void child_is(struct child *c, pid_t pid, int fd);
/* Closes all descriptors but the standard ones and these two; -1: none. */
void child_keep(int one, int other);
/* Waits for one that has ended, or is to end. */
void child_end(struct child *c);
/*
 * Reads once, and handles each whole line.  True: it has ended and was reaped.
 */
bool child_read(struct child *c, child_hear *hear, void *arg);

/* Sends CHILD_LEFT or CHILD_STOP, if there is a process. */
void child_signal(const struct child *c, int sig);

/* -- In the process ------------------------------------------------------- */

/* Of one that another process started: where its output goes, and its order.
 * All other descriptors are closed. */
void child_begin(int say, int order);
int child_order(void);
/* Waits for n bytes of what one is to do, or of its answer.  False: it ended.
 */
bool child_take(int fd, void *out, size_t n);
void child_say(char kind, const struct json *j);
/* The same for a text without a line end. */
void child_line(char kind, struct str line);
/*
 * From now on CHILD_STOP ends it, as does the end of its parent, and, if
 * `left`, CHILD_LEFT.  A signal sent before takes effect now.
 */
void child_may_end(bool left);
/* Not any more: it goes on to its own end. */
void child_may_not_end(void);

#endif
