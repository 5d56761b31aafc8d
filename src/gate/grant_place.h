/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_GRANT_PLACE_H
#define GATE_GRANT_PLACE_H

/* Shared by the gate's files about grants, and used by outbox_ask.c. */
#include "gate/internal.h"
#include "skill/skill.h"
#include "store/grant.h"

/* Does the door allow this caller to have it? */
bool gate_grant_allowed(const struct gate *g, const struct skill *s);
/* Ends the principal's expired grants, each with an audit row. */
int gate_grant_lapse(struct gate *g, struct arena *a, struct store_grant **v,
    size_t *n, struct err *e);
/*
 * Is the skill's text still the one that the grant was made for?  If not, ends
 * it.
 */
int gate_grant_current(struct gate *g, struct arena *a,
    const struct store_grant *was, bool *current, struct err *e);
/* The grants of the caller's principal, conversation and turn. */
int gate_grant_here(struct gate *g, struct arena *a, struct store_grant **v,
    size_t *n, struct err *e);
bool gate_grant_is_here(const struct gate *g, const struct store_grant *x);
/* For the audit: how the call used a grant. */
void gate_grant_note(struct call *c, const struct store_grant *g,
    const char *what);
/* "available_skills": those that this caller may load. */
int gate_grant_names(struct call *c, struct json *j, struct err *e);

#endif
