#ifndef GATE_GRANT_PLACE_H
#define GATE_GRANT_PLACE_H

/* What the gate's files about grants share, and outbox_ask.c asks. */
#include "gate/internal.h"
#include "skill/skill.h"
#include "store/grant.h"

/* Whether the door lets this caller have it. */
bool gate_grant_allowed(const struct gate *g, const struct skill *s);
/* Ends what ran out of this principal, each with a row of the audit log. */
int gate_grant_lapse(struct gate *g, struct arena *a, struct store_grant **v,
    size_t *n, struct err *e);
/* Is the skill's text still the one it was made for?  If not, it ends. */
int gate_grant_current(struct gate *g, struct arena *a,
    const struct store_grant *was, bool *current, struct err *e);
/* What there is for the caller's principal, conversation and turn. */
int gate_grant_here(struct gate *g, struct arena *a, struct store_grant **v,
    size_t *n, struct err *e);
bool gate_grant_is_here(const struct gate *g, const struct store_grant *x);
/* For the audit: what the call had to do with a grant. */
void gate_grant_note(struct call *c, const struct store_grant *g,
    const char *what);
/* "available_skills": those this caller may load. */
int gate_grant_names(struct call *c, struct json *j, struct err *e);

#endif
