/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_HEALTH_H
#define GATE_HEALTH_H

/* The report of doctor: does everything that an agent's commands need work? */
#include "base/err.h"
#include "base/str.h"

struct call;
struct gate;

struct health_line {
	struct str account; /* empty: emcli itself */
	struct str check;   /* "store", "imap.login" */
	bool ok;
	bool note;         /* good, but worth knowing */
	struct str say;    /* one sentence; no secret, no path */
	struct str next;   /* what the operator can do about it, or empty */
	struct str detail; /* for the operator only: may name paths */
	int64_t ms;
};

/*
 * Tests one account, or all if the name is empty.  A fault is a line, not an
 * error; ERR_NOT_FOUND for an unknown name.
 */
int health_check(struct call *c, struct str account, struct health_line **out,
    size_t *n, struct err *e);
/* Does the caller hold the operator's key?  Then details are shown. */
bool health_line_operator(struct call *c);
/*
 * "direct" or "broker": the level of isolation (see SECURITY.md), as it is
 * observed in this call.
 */
const char *health_isolation(const struct gate *g);

#endif
