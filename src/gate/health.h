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
	struct str say; /* one sentence; no secret */
	int64_t ms;
};

/*
 * Tries one account, or all when the name is empty.  What is broken is a line,
 * not an error; ERR_NOT_FOUND for an unknown name.
 */
int health_check(struct call *c, struct str account, struct health_line **out,
    size_t *n, struct err *e);
/* "direct": the level of isolation in force (see SECURITY.md). */
const char *health_isolation(void);

#endif
