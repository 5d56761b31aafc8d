#ifndef GATE_TURN_H
#define GATE_TURN_H

/*
 * A model request as the gate takes it: which turn it is in, by a token that
 * nobody else can make, and which skills this caller truly loaded in it.  It
 * tells what to show.  What runs is decided by the grant, at the call.
 */
#include "gate/gate.h"
#include "skill/skill.h"
#include "skill/turn.h"

struct gate_turn {
	struct turn turn;
	struct str token; /* for gate_caller.turn; empty: no turn is known */
	/* A word of ours for a conversation that the caller has not named;
	 * empty: it has, or no turn is known. */
	struct str thread;
	/* Each once, in the order of their first loads. */
	const struct skill **active;
	size_t n;
};

/*
 * Reads a request that span_check() took, for the caller that is set and for
 * its conversation, and sets the caller's turn.  With
 * a turn named by the harness, what is live in the gate is active too, for the
 * transcript may be a difference.  ERR_USAGE.
 */
int gate_turn_read(struct gate *g, struct arena *a, struct str request,
    enum turn_format format, const struct turn_opts *o, struct gate_turn *out,
    struct err *e);
/* The mark for what load_skill has answered to that call. */
int gate_turn_mark(struct gate *g, struct arena *a, const struct gate_turn *t,
    struct str skill, struct str call, struct str *mark, struct err *e);

#endif
