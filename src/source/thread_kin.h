/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_THREAD_KIN_H
#define SOURCE_THREAD_KIN_H

/*
 * Finds the messages that may be in one thread: those that share an id, those
 * that share an id with these, and so on.  thread.h makes the same threads from
 * them as from all messages, so nothing else needs to be read.  Pure; some 60
 * ms for 100k messages.
 */
#include "source/thread_id.h"

struct thread_kin {
	struct arena *a;
	struct thread_ids ids;
	uint32_t *up; /* of each id: another id of the same set */
	bool *wanted; /* for ids that are their own `up` */
	uint32_t room;
	bool over; /* LIMIT_THREAD_IDS or _KEPT: ids were left out */
};

void thread_kin_init(struct thread_kin *k, struct arena *a);
/* Adds a message that names these ids; returns its set, or THREAD_ID_NONE. */
uint32_t thread_kin_add(struct thread_kin *k, const struct strs *ids);
/* After all were added: marks the set of that id as wanted. */
void thread_kin_want(struct thread_kin *k, struct str id);
/* Is the message of that set wanted? */
bool thread_kin_is_wanted(struct thread_kin *k, uint32_t kin);

#endif
