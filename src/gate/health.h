#ifndef GATE_HEALTH_H
#define GATE_HEALTH_H

/* What doctor reports: whether everything an agent's commands need works. */
#include "base/err.h"
#include "base/str.h"

struct call;

struct health_line {
	struct str account; /* empty: emcli itself */
	struct str check;   /* "store", "imap.login" */
	bool ok;
	bool note;         /* good, and worth knowing */
	struct str say;    /* one sentence; no secret, no path */
	struct str next;   /* what the operator can do about it, or empty */
	struct str detail; /* for the operator alone: may name paths */
	int64_t ms;
};

/*
 * Tries one account, or all when the name is empty.  What is broken is a line,
 * not an error; ERR_NOT_FOUND for an unknown name.
 */
int health_check(struct call *c, struct str account, struct health_line **out,
    size_t *n, struct err *e);
/* Does the caller hold the operator's key?  Then details are shown. */
bool health_line_operator(struct call *c);
/* "direct": the level of isolation in force (see SECURITY.md). */
const char *health_isolation(void);

#endif
