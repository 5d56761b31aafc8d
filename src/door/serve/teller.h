/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_TELLER_H
#define DOOR_SERVE_TELLER_H

/*
 * The process that runs the program of the setting notify (gate/notice.h).  No
 * other of the broker's may start a program, so it is begun before they are
 * confined.  It has no key and no store.  What its program reads it hears from
 * one process alone (notices.c); which program that is, it asks the keeper,
 * which it reaches by the monitor, as all others do (keys.h).
 */
#include "base/err.h"
#include "base/str.h"
#include "ipc/ipc.h"

enum {
	SERVE_TELLER_NUMBER = 16 /* of what is asked, in hexadecimal */
};

/*
 * telling.c.  Begins it, once; if it dies, it is begun again.  It runs nothing
 * that is in the folder of the database.  ERR_INTERNAL.
 */
int serve_telling_begin(const char *db, struct err *e);

/* -- teller.c -------------------------------------------------------------- */

/* The monitor: to be polled for what it says; -1: it is gone, or not heard. */
int serve_teller_fd(void);
/*
 * What it says: SERVE_JOIN, with two ends of sockets for the keeper; SERVE_TOLD
 * and SERVE_UNTOLD, of a notice; '\0': nothing.
 */
char serve_teller_said(struct ipc_passed *with);
/* By this socket. */
void serve_teller_says_by(int fd);
/* For all but the monitor: nobody here hears it. */
void serve_teller_leave(void);

/* Its socket in this process, which is no longer its owner; -1: none. */
int serve_teller_take(void);
/* For all but one process: nobody here can ask it. */
void serve_teller_close(void);
/* That process: asks by this socket. */
void serve_teller_by(int fd);
/* notice_run() there.  ERR_CONFIG, ERR_LIMIT; ERR_INTERNAL: it is gone. */
int serve_teller_run(struct str json, struct err *e);

#endif
