/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_TURN_H
#define GATE_TURN_H

/*
 * A model request as the gate sees it: its turn, as a token that nobody else
 * can make, and the skills that this caller really loaded in it.  It only
 * determines what to show; what may run is decided by the grant, at the call.
 */
#include "gate/gate.h"
#include "skill/skill.h"
#include "skill/turn.h"

struct gate_turn {
	struct turn turn;
	struct str token; /* for gate_caller.turn; empty: no turn is known */
	/*
	 * emcli's name for a conversation that the caller has not named; empty:
	 * it has, or no turn is known.
	 */
	struct str thread;
	/* Each once, ordered by its first load. */
	const struct skill **active;
	size_t n;
};

/*
 * Reads a request that span_check() accepted, for the current caller and its
 * conversation, and sets the caller's turn.  If the harness names the turn,
 * live grants count as active too, because the transcript may be incomplete.
 * ERR_USAGE.
 */
int gate_turn_read(struct gate *g, struct arena *a, struct str request,
    enum turn_format format, const struct turn_opts *o, struct gate_turn *out,
    struct err *e);
/* The mark for load_skill's answer to that call. */
int gate_turn_mark(struct gate *g, struct arena *a, const struct gate_turn *t,
    struct str skill, struct str call, struct str *mark, struct err *e);

#endif
