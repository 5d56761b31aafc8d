/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_THREAD_LINK_H
#define SOURCE_THREAD_LINK_H

/*
 * Parents, RFC 5256 section 3 (REFERENCES), steps 1 and 2.  Private to the
 * room; see thread.h.
 */
#include "source/thread.h"
#include "source/thread_id.h"

/* Nodes are numbered as their ids are. */
struct thread_link {
	struct arena *a;
	const struct thread_in *in;
	size_t n;
	struct thread_ids *ids;
	uint32_t *node; /* of each message */
	uint32_t *up;   /* the one it answers, or THREAD_ID_NONE */
	uint32_t *
	    ref; /* all References without the message's own id, concatenated */
	size_t *ref_end;  /* the end of each message's */
	uint32_t *holder; /* first message of a node, or THREAD_ID_NONE */
	uint32_t *parent; /* of each node, or THREAD_ID_NONE; no cycles */
	uint32_t *root;   /* of each node: thread_link_root() */
	bool over;
};

/* Fills in everything except a, in, n and ids, which is new. */
void thread_link_make(struct thread_link *l);
/* The topmost node above it. */
uint32_t thread_link_root(struct thread_link *l, uint32_t k);

#endif
