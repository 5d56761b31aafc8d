#ifndef SOURCE_THREAD_KIN_H
#define SOURCE_THREAD_KIN_H

/*
 * Which messages may be of one thread: those that name an id in common, those
 * that name one in common with them, and so on.  What thread.h makes of them is
 * what it makes of all messages, as far as these are concerned; so nothing else
 * need be read.  Pure; some 60 ms for 100k messages.
 */
#include "source/thread_id.h"

struct thread_kin {
	struct arena *a;
	struct thread_ids ids;
	uint32_t *up; /* of each id: one of the same kin */
	bool *wanted; /* of the ids that are their own `up` */
	uint32_t room;
	bool over; /* LIMIT_THREAD_IDS or _KEPT: some ids were left out */
};

void thread_kin_init(struct thread_kin *k, struct arena *a);
/* A message that names these; its kin, or THREAD_ID_NONE when it has none. */
uint32_t thread_kin_add(struct thread_kin *k, const struct strs *ids);
/* When all were added: whoever is kin to that id is wanted. */
void thread_kin_want(struct thread_kin *k, struct str id);
/* Is the message with that kin? */
bool thread_kin_is_wanted(struct thread_kin *k, uint32_t kin);

#endif
