/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_GRANT_H
#define GATE_GRANT_H

/*
 * Grants: the right of one principal to a skill's operations, for one turn or
 * until a lease ends.  gate/call.c checks them, after policy and before the
 * operation runs; the functions here make, end and show them.
 */
#include "gate/gate.h"
#include "skill/skill.h"

/* The maximum length of a lease's handle. */
#define GATE_LEASE 48

/* The state of a skill's grant, for the caller. */
struct gate_grant {
	const struct skill *skill;
	bool fresh;        /* this call made it; otherwise it existed */
	struct str lease;  /* its handle; empty if it cannot be returned */
	int64_t expires_s; /* it ends at this time at the latest */
	uint32_t idle_s;   /* or after so long without use */
	uint32_t uses;     /* or after so many more uses; 0: no limit */
	struct str ops;    /* the operations it allows: " list get " */
};

/* Does the door know the user's turn, so that grants end with it? */
bool gate_grant_in_turn(const struct gate *g);
/*
 * May this caller load it?  Skills that it may not load do not exist for it:
 * those without an operation, and those whose every call policy would refuse.
 */
int gate_grant_may(struct gate *g, struct arena *a, const struct skill *s,
    bool *may, struct err *e);
/* Does this caller have a live grant for the skill?  Uses nothing up. */
int gate_grant_live(struct gate *g, struct arena *a, const struct skill *s,
    bool *live, struct err *e);
/* Only for load_skill.  Returns a live grant instead of a second one. */
int gate_grant_load(struct call *c, const struct skill *s,
    struct gate_grant *out, struct err *e);
/*
 * Ends the caller's grants for it: one by handle, or all of this conversation
 * and turn.
 */
int gate_grant_unload(struct call *c, const struct skill *s, struct str lease,
    size_t *n, struct err *e);
/* Unknown, or not for this caller: the same text.  ERR_NOT_FOUND. */
int gate_grant_unknown(struct call *c, struct str asked, struct err *e);

#endif
