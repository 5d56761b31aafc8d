/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_TMUX_H
#define RUNTIME_TMUX_H

/*
 * tmux, which holds the terminals of sessions: the user's own server, started
 * by the first command that needs it.  It is run with a list of arguments,
 * never by a shell, with at most LIMIT_TMUX_MS for each command, and without
 * emcli's keys in its environment.  No argument is a secret: the system shows
 * them to everybody.  A session is named exactly; an id ("$3") is never used
 * twice by a server.  All may return -1 with ERR_CONFIG: tmux is not
 * installed, refuses, or does not answer.
 */
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

/* Is it installed? */
bool tmux_is_there(struct arena *a);

struct tmux_plan {
	struct str name; /* of the session */
	struct str workdir;
	struct strs environment; /* of the session: "NAME=value" */
	struct strs command;     /* executed as it is */
};

/* Starts a session without showing it.  ERR_CONFIG: its name is used too. */
int tmux_start(const struct tmux_plan *p, struct arena *a, struct err *e);
/* The id of the session with that name.  1: there is none. */
int tmux_find(struct str name, struct arena *a, struct str *id, struct err *e);
/*
 * A variable in a session's environment; with an empty id, in that of the
 * session which the caller is in.  1: it has none.
 */
int tmux_variable(struct str id, const char *name, struct arena *a,
    struct str *out, struct err *e);
int tmux_variable_set(struct str id, const char *name, struct str value,
    struct arena *a, struct err *e);
/* The number of the process in its terminal. */
int tmux_pid(struct str id, struct arena *a, int64_t *out, struct err *e);
/* Ends a session, and the programs in it.  It is no error if there is none. */
int tmux_end(struct str id, struct arena *a, struct err *e);

/*
 * tmux_paste.c: puts a text into the terminal as one paste, in brackets if its
 * program asked for them.  ERR_USAGE, reason "control_characters": it has some
 * besides line ends; ERR_LIMIT.
 */
int tmux_paste(struct str id, struct str text, struct arena *a, struct err *e);
/* Presses Enter. */
int tmux_paste_enter(struct str id, struct arena *a, struct err *e);

/*
 * For the files that have commands: runs one, which reads the input.  The exit
 * status, with all that it wrote.
 */
int tmux_run(const struct strs *args, struct str input, struct arena *a,
    struct str *out, struct err *e);
/* Runs one that has nothing to say: "tmux cannot <what>". */
int tmux_do(const struct strs *args, struct str input, struct arena *a,
    const char *what, struct err *e);
int tmux_refused(struct str said, const char *what, struct err *e);

#define TMUX_ARGS(...)                                                         \
	(&(struct strs){ (struct str[]){ __VA_ARGS__ },                        \
	    sizeof((struct str[]){ __VA_ARGS__ }) / sizeof(struct str) })

#endif
