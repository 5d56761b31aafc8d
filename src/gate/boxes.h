/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_BOXES_H
#define GATE_BOXES_H

/* The mailboxes a caller may name, for doors whose tools have to list them. */
#include "gate/gate.h"

struct boxes_row {
	struct str name;     /* the account's */
	struct str address;  /* its mail address; empty: none */
	struct str username; /* the user name for its login; may be empty */
	struct str from;     /* the address it sends from; may be empty */
	bool ready;          /* everything needed to use it is set */
	bool sends;          /* the operator lets it send */
};

/* In the accounts' order.  ERR_DB. */
int boxes_list(struct gate *g, struct arena *a, struct boxes_row **out,
    size_t *n, struct err *e);

#endif
