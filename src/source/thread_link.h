#ifndef SOURCE_THREAD_LINK_H
#define SOURCE_THREAD_LINK_H

/*
 * Parents, RFC 5256 section 3 (REFERENCES), steps 1 and 2.  The room's own;
 * see thread.h.
 */
#include "source/thread.h"
#include "source/thread_id.h"

/* Nodes are numbered as their ids are. */
struct thread_link {
	struct arena *a;
	const struct thread_in *in;
	size_t n;
	struct thread_ids *ids;
	uint32_t *node;   /* of each message */
	uint32_t *up;     /* the one it answers, or THREAD_ID_NONE */
	uint32_t *ref;    /* its References, without its own, one message's
			   * behind the other's */
	size_t *ref_end;  /* where each message's end */
	uint32_t *holder; /* a node's first message, or THREAD_ID_NONE */
	uint32_t *parent; /* of each node, or THREAD_ID_NONE; no cycles */
	uint32_t *root;   /* of each node: thread_link_root() */
	bool over;
};

/* Fills in all but a, in, n and ids, which is new. */
void thread_link_make(struct thread_link *l);
/* The node above which there is none. */
uint32_t thread_link_root(struct thread_link *l, uint32_t k);

#endif
