/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_POST_H
#define GATE_POST_H

/*
 * Mail of the operator's, from HOUMAO-operator@houmao.localhost, into an
 * agent's own mailbox in a mailbox root.  Only for the operator's operations:
 * no policy of the account is asked, because the operator makes it.
 */
#include "gate/gate.h"
#include "gate/mailbox.h"

struct post {
	struct str account; /* the mailbox's */
	struct str address; /* as it is registered in the root */
	struct str subject, body;
	struct str policy; /* "none", "operator_mailbox": may it be answered? */
	const struct strs *attach; /* paths, any that the operator can read */
	const struct strs *labels; /* as many, or none */
	struct str key;            /* idempotency key, or empty */
};

/*
 * Delivers it, or finds it delivered by the same key; then *raw is the message
 * as RFC 5322, and *out its row.  ERR_UNSUPPORTED: the account is in no mailbox
 * root; ERR_USAGE, ERR_LIMIT and others as in backend/agentbox/deliver.h.
 */
int post_deliver(struct call *c, const struct post *p, struct mail *out,
    struct str *raw, struct err *e);

#endif
