#ifndef DOOR_ADMIN_SKILL_H
#define DOOR_ADMIN_SKILL_H

/* What the skill commands share; nobody else includes it. */
#include "base/limits.h"
#include "door/admin/internal.h"
#include "gate/grant.h"

/*
 * Puts the operator's own skills behind ours when there is a key to read the
 * settings with.  What hinders it is said on stderr, and ours are there.
 */
void admin_skill_load(struct admin_call *c);
/* By any spelling of its id.  ERR_NOT_FOUND. */
int admin_skill_find(struct admin_call *c, struct str name,
    const struct skill **out, struct err *e);
/* What so many bytes are to a model, about: four of them are a token. */
size_t admin_skill_cost_tokens(size_t bytes);

#endif
