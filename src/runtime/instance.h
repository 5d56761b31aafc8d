/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_INSTANCE_H
#define RUNTIME_INSTANCE_H

/*
 * The records of a session's gateway, in the folder "gateway" of the session:
 * where it listens, and which process it is.  Houmao reads and writes the same
 * files and refuses unknown members, so what is only ours is in a file of its
 * own.  All functions take the open folder of a session.
 *
 *   attach.json, gateway_manifest.json, protocol-version.txt   for others
 *   desired-config.json     where it is to listen the next time
 *   state.json              how it is
 *   logs/gateway.log
 *   run/current-instance.json, run/gateway.pid   while it runs
 *   run/emcli.json          which process: ours
 *   run/gateway.sock        the socket
 *   run/token               the token for TCP, new for each instance
 */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/manifest.h"
#include "runtime/process.h"

#define INSTANCE_SOCKET "gateway.sock" /* in instance_run() */
#define INSTANCE_LOOPBACK "127.0.0.1"
#define INSTANCE_ANY "0.0.0.0" /* a name for it; mail stays on loopback */

struct instance {
	struct process process; /* boot is empty: it is not emcli's gateway */
	struct str host;        /* INSTANCE_LOOPBACK or INSTANCE_ANY */
	uint32_t port;
	struct str base_url;           /* "http://127.0.0.1:41877" */
	struct str state_path;         /* absolute, as are these two: */
	struct str socket, token_file; /* empty: it is not emcli's gateway */
	int64_t epoch;                 /* the session's generation */
};

/*
 * The gateway that was started last and not stopped.  0; 1: there is none.
 * Only a regular file of at most LIMIT_INSTANCE bytes is read, and no link is
 * followed.  ERR_CONFIG: a record is damaged, or others can write to its
 * folder; ERR_LIMIT.
 */
int instance_read(int session, struct arena *a, struct instance *out,
    struct err *e);
/* Is its process there?  One that is not emcli's is not known: false. */
bool instance_is_alive(const struct instance *x);

/* The process of one that may not listen yet.  1: there is none. */
int instance_process(int session, struct arena *a, struct process *out,
    struct err *e);

/* The open folder "gateway/run", for ipc_listen() and ipc_connect(); -1 with
 * ERR_NOT_FOUND or ERR_CONFIG. */
int instance_run(int session, bool make, struct err *e);

/* Where it is to listen; port 0: anywhere. */
struct instance_desired {
	struct str host;
	uint32_t port;
};

/* 1: nothing was written down.  ERR_CONFIG: it is damaged. */
int instance_desired_read(int session, struct arena *a,
    struct instance_desired *out, struct err *e);

/* -- instance_ask.c -------------------------------------------------------- */

/* What a gateway answers to GET /health: does it work? */
bool instance_ask_is_health(int status, struct str body);
/* Asks the gateway on its socket, for LIMIT_AGENTS_LOOK_MS. */
bool instance_ask(int session, struct arena *a);

/* -- instance_put.c: each file whole and synced, 0600, or not at all ------- */

/*
 * Says which process a gateway is, before it listens: so it can be ended
 * whatever becomes of the command that started it.  Makes the folders, 0700.
 */
int instance_put_begin(int session, const struct process *p, struct arena *a,
    struct err *e);
/*
 * All records, and last the one that makes it known: x has process, host, port
 * and epoch.
 */
int instance_put_all(int session, const struct instance *x,
    const struct manifest *m, struct str manifest_path, struct arena *a,
    struct err *e);
/* It has ended: nothing is left in run/, and state.json says so. */
int instance_put_clear(int session, const struct manifest *m, struct arena *a,
    struct err *e);
/* What instance_read() derives from the folder's path. */
void instance_places(int session, struct arena *a, struct instance *x);

/* -- instance_token.c ------------------------------------------------------ */

/* What is kept of a token. */
struct instance_token {
	unsigned char digest[32]; /* SHA-256 */
};

/* Makes a new one, of 32 random bytes, and writes it to run/token, 0600. */
int instance_token_make(int session, struct instance_token *out, struct err *e);
/* In constant time. */
bool instance_token_is(const struct instance_token *t, struct str given);

/* -- shared by these files ------------------------------------------------- */

#define INSTANCE_FOLDER "gateway"
#define INSTANCE_RUN "run"
#define INSTANCE_CURRENT "current-instance.json"
#define INSTANCE_OWN "emcli.json"
#define INSTANCE_PID "gateway.pid"
#define INSTANCE_TOKEN "token"
#define INSTANCE_DESIRED "desired-config.json"
#define INSTANCE_STATE "state.json"

/* The open folder "gateway"; -1 with ERR_NOT_FOUND or ERR_CONFIG. */
int instance_folder(int session, bool make, struct err *e);
/* 0 with the document; 1: there is no such file.  Only a regular file of at
 * most max bytes is read.  ERR_CONFIG, ERR_LIMIT. */
int instance_load(int folder, const char *name, size_t max, struct arena *a,
    struct json_doc **out, struct err *e);
/* Replaces a file in an open folder.  ERR_CONFIG. */
int instance_put(int folder, const char *name, struct str text, struct err *e);

#endif
