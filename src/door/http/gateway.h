/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_GATEWAY_H
#define DOOR_HTTP_GATEWAY_H

/*
 * The gateway of a session: its mailbox over HTTP, for the agent in it.  It
 * listens on a unix socket, for processes of its user, and on loopback, for
 * those that know the token in run/token.  All calls are the agent's, whatever
 * key the gateway holds, and go to the one account that is its mailbox.
 */
#include "door/http/internal.h"
#include "gate/gate.h"
#include "runtime/instance.h"
#include "runtime/session.h"

/* What the processes of requests know of it. */
struct http_gateway {
	const char *session; /* the session's folder */
	struct instance_token token;
	const struct env *env;
};

/*
 * gateway.c: serves in this process until it is told to stop, or its records
 * are gone.  Calls `ready` once it listens.  ERR_CONFIG: the session has a
 * gateway already, or it cannot listen.
 */
int http_gateway(const struct session_gateway *g, const struct env *env,
    void (*ready)(void), struct err *e);

/* -- mail_rows.c, mail.c: the routes --------------------------------------- */

extern const struct route http_mail_rows[];
void http_mail_answer(const struct route_request *r);
/* For a process that waits for its request: opens the gate. */
void http_mail_ready(void *arg);
void http_mail_health(const struct route_request *r);
bool http_mail_brief(struct str body);
void http_mail_refuse(struct buf *out, int status, const char *why);

/* mail_file.c: GET /v1/mail/attachment/ID */
void http_mail_file(const struct route_request *r);

/* A request, and on whose behalf it is. */
struct http_mail {
	const struct route_request *by;
	const struct http_gateway *gateway;
	const struct op *op;
	struct arena *a;
	struct manifest manifest;
	struct session_state state;
	struct env env; /* the gateway's, with the agent's name */
	struct gate_binding binding;
	struct strs accounts;
	struct args args;
	void (*watching)(void); /* gate_watching(), or NULL */
};

/* x has gateway and a: reads the session as it is now, for that operation.  The
 * errors are those of its answer. */
int http_mail_open(struct http_mail *x, const char *operation, struct err *e);
/* Calls it, with the arguments that were added. */
int http_mail_ask(struct http_mail *x, struct reply *out, struct err *e);
/* Looks who asks, and reads the session as it is now.  Ends the process with a
 * refusal where that is what comes of it. */
void http_mail_meet(struct http_mail *x, const struct route_request *r);
/* Calls the operation; the process ends where that fails. */
void http_mail_call(struct http_mail *x, struct reply *out);
/* The answer is an error; the process ends. */
_Noreturn void http_mail_end(struct arena *a, const struct op *op, bool keyed,
    const struct err *e);

/*
 * notifier.c: the process beside the workers that polls for the session; ctx is
 * a struct http_gateway.  Until it is killed.
 */
_Noreturn void http_notifier(void *ctx);

/* -- mail_body.c: a body as arguments; no I/O ------------------------------ */

/*
 * Reads a JSON object into the arguments, which are not checked yet: every
 * member is in the table and has its type.  ERR_USAGE names the member;
 * ERR_LIMIT.
 */
int http_mail_body(struct str text, struct args *args, struct arena *a,
    struct err *e);

/* -- mail_error.c: errors as the gateway's clients know them; no I/O ------- */

struct http_mail_error {
	int status;
	const char *code;
	bool safe;      /* the same request may be made again as it is */
	uint32_t after; /* seconds after which that is worth while; 0: none */
};

/* keyed: the request has an idempotency key. */
void http_mail_error(const struct err *e, bool sends, bool keyed,
    struct http_mail_error *out);
/* For a refusal by the server itself. */
void http_mail_error_of_status(int status, struct http_mail_error *out);
/* {"detail":...,"code":...,"retry_safe":...} */
struct json *http_mail_error_json(struct arena *a,
    const struct http_mail_error *x, struct str detail);

#endif
