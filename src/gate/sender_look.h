#ifndef GATE_SENDER_LOOK_H
#define GATE_SENDER_LOOK_H

/*
 * What the newest messages of an inbox tell of who vouches for their senders,
 * for the operator who decides whom to believe.  It is a proposal: whoever
 * fills a mailbox can write into it what he likes, so the name is shown.
 */
#include "source/source.h"

struct sender_look {
	size_t messages; /* looked at, at most LIMIT_LOOK_HEADS */
	/* The server that says of most what DMARC came to, and of how many;
	 * empty: none does. */
	struct str authserv_id;
	size_t told;
	/* Where none does: messages fetched, and those of them with a signature
	 * of the sender's domain that could be verified here. */
	size_t fetched, verified;
};

/*
 * Looks at INBOX of an account whose credentials are in `src`, until the
 * source's deadline.  ERR_NETWORK, ERR_AUTH, ERR_NOT_FOUND.
 */
int sender_look(struct source *src, struct arena *a, struct sender_look *out,
    struct err *e);
/* Do they tell enough to ask it of every listed sender? */
bool sender_look_enough(const struct sender_look *l);

#endif
