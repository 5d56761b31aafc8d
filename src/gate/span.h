/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_SPAN_H
#define GATE_SPAN_H

/*
 * A call of all accounts of the caller.  Each account goes through the whole
 * pipeline as if the call had named it: policy, grant and a row of its own in
 * the audit log.  One that refuses is left out without a word.  One that does
 * not answer is told, and the others are searched.
 */
#include "gate/gate.h"
#include "gate/mailbox.h"

struct span_box {
	struct mailbox *mailbox;
	struct err err; /* it did not answer, and why */
};

/* In struct call, where the call is of all accounts. */
struct span {
	struct span_box *v; /* at least one */
	size_t n;
	int64_t until_ms;         /* on clock_mono_ms(), for all of them */
	struct span_fault *fault; /* what is told */
	size_t faults;
	struct way *way; /* the gate's, of each account that was judged */
	size_t ways;
};

/*
 * Gives this one its part of the time that is left: those after it get as much.
 * One that is quick leaves its time to the others.
 */
void span_begin(struct span *s, size_t i);
/*
 * Asking this one failed: 0 if that is told and the call goes on, or -1 if it
 * fails with *e.  Fails if it is the last, and none has answered.
 */
int span_failed(struct call *c, size_t i, struct err *e);
/* Closes its connection. */
void span_end(struct span *s, size_t i);
/* The member not_searched, if there is something to tell. */
void span_put(const struct call *c, struct json *out);

#endif
