#ifndef GATE_BOXES_H
#define GATE_BOXES_H

/* The mailboxes a caller may name, for doors whose tools have to list them. */
#include "gate/gate.h"

struct boxes_row {
	struct str name;     /* the account's */
	struct str address;  /* the one it is known by; empty: none */
	struct str username; /* what it logs in with; may be empty */
	struct str from;     /* what it sends as; may be empty */
	bool ready;          /* nothing it needs to be used is missing */
	bool sends;          /* the operator lets it send */
};

/* In the accounts' order.  ERR_DB. */
int boxes_list(struct gate *g, struct arena *a, struct boxes_row **out,
    size_t *n, struct err *e);

#endif
