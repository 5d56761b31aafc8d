/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SENDER_LOOK_H
#define GATE_SENDER_LOOK_H

/*
 * What the newest messages of an inbox show about the authentication of their
 * senders, to help the operator decide whom to trust.  It is only a proposal,
 * and shows the name: anybody who sends mail can write anything into it.
 */
#include "source/source.h"

struct sender_look {
	size_t messages; /* examined, at most LIMIT_LOOK_HEADS */
	/*
	 * The server that reports DMARC results in most messages, and in how
	 * many; empty: none does.
	 */
	struct str authserv_id;
	size_t told;
	/*
	 * If none does: messages fetched, and those with a verified signature
	 * of the sender's domain.
	 */
	size_t fetched, verified;
};

/*
 * Reads INBOX of an account whose credentials are in `src`, until the source's
 * deadline.  ERR_NETWORK, ERR_AUTH, ERR_NOT_FOUND.
 */
int sender_look(struct source *src, struct arena *a, struct sender_look *out,
    struct err *e);
/* Is there enough evidence to require it of every listed sender? */
bool sender_look_enough(const struct sender_look *l);

#endif
