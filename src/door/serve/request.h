/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SERVE_REQUEST_H
#define DOOR_SERVE_REQUEST_H

/* A call as its client sends it, and what the client gets back. */
#include "door/far.h"
#include "gate/gate.h"
#include "ipc/ipc.h"

struct serve_request_pipe {
	const struct far_pipe *what;
	int argc;
	char **argv;
	struct str agent, account; /* may be empty */
};

/* -- request.c: the payload of a call. ------------------------------------- */

struct serve_request {
	const struct op *op;
	struct args args;
	struct args_files files;
	struct str agent, account; /* may be empty */
	bool progress, person, lines, saves;
};

/*
 * Reads it strictly.  ERR_USAGE: unknown members, operations or arguments;
 * ERR_CONFIG: another version.
 */
int serve_request(struct str payload, struct arena *a,
    struct serve_request *out, struct err *e);
/* The same of a pipe.  ERR_UNSUPPORTED: an option that the broker refuses. */
int serve_request_pipe(struct str payload, struct arena *a,
    struct serve_request_pipe *out, struct err *e);
/*
 * Matches the descriptors with the files that the caller could open.  They stay
 * open, for the caller has its answer before they are closed: a filesystem is
 * asked when one is (FUSE: flush), and may never answer.  ERR_USAGE: their
 * number or kind is wrong.
 */
int serve_request_files(struct serve_request *q, const struct ipc_passed *with,
    struct err *e);

/* -- saves.c: files that the client writes. -------------------------------- */

/* gate_saves for a client that is at *conn, an int. */
int serve_saves_file(void *conn, struct str stem, struct str ext,
    struct str bytes, struct err *e);
int serve_saves_keep(void *conn, struct err *e);

/* -- reply.c --------------------------------------------------------------- */

/* Sends a reply; a client that does not read it has none. */
void serve_reply(int conn, struct arena *a, const struct reply *r, bool lines);
/* The same for a refusal, before any gate. */
void serve_reply_refuse(int conn, const struct err *e);
/* The end of a pipe, without an envelope. */
void serve_reply_end(int conn, int status);
/* "limit", with retry_after: the broker is at its cap. */
void serve_reply_busy(int conn);

#endif
