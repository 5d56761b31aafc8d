/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_TELLER_H
#define DOOR_SERVE_TELLER_H

/*
 * The process that runs the program of the setting notify (gate/notice.h).  No
 * other of the broker's may start a program, so it is begun before they are
 * confined.  It has no key and no store, and hears one of them, which reads no
 * byte of mail or of agents: notices.c.
 */
#include "base/err.h"
#include "base/str.h"

/*
 * Begins it, once; if it dies, it is begun again.  It runs nothing that is in
 * the folder of the database.  ERR_INTERNAL.
 */
int serve_teller_begin(const char *db, struct err *e);
/* Its socket in this process, which is no longer its owner; -1: none. */
int serve_teller_take(void);
/* For all but one process: nobody here can ask it. */
void serve_teller_close(void);
/* That process: asks by this socket. */
void serve_teller_by(int fd);
/* notice_run() there.  ERR_CONFIG; ERR_INTERNAL: it is gone. */
int serve_teller_run(const char *line, struct str json, struct err *e);

#endif
