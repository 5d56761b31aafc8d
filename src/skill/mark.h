/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SKILL_MARK_H
#define SKILL_MARK_H

/*
 * Distinguishes emcli's own text in a transcript from imitations.  A turn's
 * token names the turn to the gate; a mark is part of load_skill's answer, and
 * is valid only for that call of that turn.
 */
#include "store/store.h"

struct mark_place {
	struct str principal, conversation;
};

/* The token of the turn with that `input` in struct turn. */
int mark_turn(struct store *s, struct arena *a, const struct mark_place *p,
    struct str input, struct str *token, struct err *e);
/* The mark of a load: `token` is the turn's, `call` the call's id. */
int mark_load(struct store *s, struct arena *a, const struct mark_place *p,
    struct str token, struct str skill, struct str call, struct str *mark,
    struct err *e);
/* In constant time for equal lengths. */
bool mark_same(struct str x, struct str y);

#endif
