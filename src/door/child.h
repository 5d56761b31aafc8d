#ifndef DOOR_CHILD_H
#define DOOR_CHILD_H

/*
 * One request, one process.  So other requests are answered while a server
 * keeps this one waiting, a cancelled read ends at once, what a message does to
 * its reader is done to nobody else, and its memory is gone with it.  (There
 * are no threads by design.)
 *
 * The process says lines on a pipe: a letter for the kind, then the text.  Its
 * parent hears whole lines only: half a line of one that died is dropped.
 */
#include <signal.h>
#include <sys/types.h>

#include "base/env.h"
#include "base/json.h"
#include "door/lines.h"

/* The kinds that every door knows.  A door may add letters of its own, which
 * the others take for a note. */
enum child_kind {
	CHILD_STATUS = 's', /* a status of HTTP's */
	CHILD_HEAD = 'h',   /* "Name: value", into the head of its answer */
	CHILD_FAULT = 'f',  /* the answer if the process dies without one */
	CHILD_NOTE = 'n',   /* a message on the way */
	CHILD_ANSWER = 'a',
};

/* Its client hung up; its client cancelled it.  Both wait until the process
 * has said, with child_may_end(), that it may end in the middle. */
#define CHILD_LEFT SIGUSR1
#define CHILD_STOP SIGUSR2

struct child {
	pid_t pid; /* 0: there is none */
	int fd;    /* readable when it has said something */
	struct lines in;
};

typedef void child_hear(void *arg, char kind, struct str text);

/* fork(2) for a process that gets the keys, which its own children do not. */
pid_t child_fork(const struct env *env);
/* Makes one, which runs `run` and ends.  Of its parent's descriptors it has the
 * standard ones.  -1: there can be none. */
int child_start(struct child *c, const struct env *env, void (*run)(void *),
    void *arg);
/* Reads once, and hears each line that is whole.  True: it has ended, and is
 * not there any more. */
bool child_read(struct child *c, child_hear *hear, void *arg);

/* CHILD_LEFT or CHILD_STOP, if there is one. */
void child_signal(const struct child *c, int sig);

/* -- In the process ------------------------------------------------------- */

void child_say(char kind, const struct json *j);
/* The same of a text without a line end. */
void child_line(char kind, struct str line);
/* From here on it ends with its parent, by CHILD_STOP, and, if `left`, by
 * CHILD_LEFT.  One that was sent before ends it now. */
void child_may_end(bool left);

#endif
