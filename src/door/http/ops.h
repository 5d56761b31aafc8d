/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_HTTP_OPS_H
#define DOOR_HTTP_OPS_H

/*
 * The agents' operations over HTTP.  A call is an agent's by its token or, on
 * the unix socket, by the user of the process that connected.  Its answer is
 * the envelope of the command line; the status only repeats it.
 */
#include "door/http/internal.h"
#include "gate/gate.h"

/* ops_rows.c */
extern const struct route http_ops_rows[];

/* -- ops_call.c: the answers ----------------------------------------------- */

/* What the process of a request knows: r->arg. */
struct http_ops_known {
	const struct env *env; /* of the gate */
	route_confine *confine;
};

void http_ops_call(const struct route_request *r);
void http_ops_call_schema(const struct route_request *r);
void http_ops_call_health(const struct route_request *r);
bool http_ops_call_brief(struct str body);
/* For a process that waits for its request: opens the gate. */
void http_ops_call_ready(void *arg);

/* -- ops_status.c: errors and statuses; no I/O ----------------------------- */

/* What nobody learns more about than this: a token of no agent, or none. */
extern const char http_ops_status_no_agent[];

/* 200 for no error. */
int http_ops_status(enum err_kind kind);
/* Fills in a refusal by the server itself. */
void http_ops_status_refusal(int status, const char *why, struct arena *a,
    struct reply *out);
/* Its envelope: struct route_table. */
void http_ops_status_refuse(struct buf *out, int status, const char *why);

#endif
