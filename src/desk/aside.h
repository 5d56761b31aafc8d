/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_ASIDE_H
#define DESK_ASIDE_H

/*
 * Work beside a form, in a process of its own, so that a person who waits can
 * go back: it writes text, which is taken when it has ended, whole or not at
 * all.
 */
#include <sys/types.h>

#include "base/buf.h"
#include "desk/flow.h"

struct aside {
	pid_t child;
	struct flow_watch watch;
	struct buf text;
};

enum {
	ASIDE_TEXT = 64 << 10
};

/*
 * Begins it: `work` runs in the child alone and never comes back from there.
 * x->watch is what a face waits with.  ERR_INTERNAL.
 */
int aside_begin(struct aside *x, struct arena *a,
    void (*work)(void *ctx, struct buf *out), void *ctx, struct err *e);
/* Ends it wherever it is: what was written, empty unless it was whole. */
struct str aside_end(struct aside *x);

#endif
