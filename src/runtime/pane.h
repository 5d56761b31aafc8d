/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_PANE_H
#define RUNTIME_PANE_H

/*
 * How a program gets into a terminal of tmux.  tmux runs emcli there, which
 * asks the command that starts the session for the program, by a socket in the
 * session's folder, and becomes it.  So the program has the environment that a
 * session without tmux has, whatever is in the server's, none of it is in an
 * argument or a file, and it runs only after its number was written down.
 */
#include "runtime/process.h"

/* The command's end: a socket that listens, or -1 with ERR_CONFIG. */
int pane_listen(int folder, struct err *e);
/* Waits for the terminal.  A connection, or -1 with ERR_CONFIG. */
int pane_accept(int listening, struct err *e);
/*
 * Hands the program over.  ERR_CONFIG: it was not executed, or the process is
 * gone.
 */
int pane_send(int connection, const struct process_plan *p, struct arena *a,
    struct err *e);
/* Takes the socket's name away. */
void pane_drop(int folder);

/*
 * pane_run.c, the terminal's end: becomes the program that the command hands
 * over, and does not return then.  ERR_CONFIG: there is no such command.
 */
int pane_run(struct str folder, struct arena *a, struct err *e);

#define PANE_SOCKET "launch.sock"

#endif
