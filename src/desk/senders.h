/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SENDERS_H
#define DESK_SENDERS_H

/*
 * Whom to believe: a look at the newest messages of an account's inbox, and
 * what is proposed to the operator for it.
 */
#include "desk/aside.h"
#include "gate/gate.h"
#include "source/source.h"

struct senders {
	struct source src; /* with its credentials */
	struct arena *a;
	struct aside aside;
	struct err why; /* there is nothing to look with */
};

/*
 * Begins the look at an account; x->aside.watch tells when it is done.  The
 * secret is lent; NULL: the source has what it needs, or needs none.
 */
int senders_begin(struct senders *x, struct arena *a,
    const struct store_account *acct, struct secret *secret, struct err *e);
/* The same of an account that is there: its credentials are in the store. */
int senders_begin_stored(struct senders *x, struct arena *a,
    struct store *store, const struct store_account *acct, struct err *e);
/* Ends it, and leaves in the flow what it saw and what follows from that. */
void senders_end(struct senders *x, struct flow *f);

/* At once, without a form: what was seen, and the command that follows. */
void senders_tell(struct call *c, struct source *src);

#endif
