#ifndef DESK_SKILL_OWN_H
#define DESK_SKILL_OWN_H

/* What the commands on skills share. */
#include "gate/gate.h"
#include "skill/skill.h"

/* Puts the operator's own skills behind ours when there is a key to read the
 * settings with.  What hinders it goes beside the reply; ours are there. */
void skill_own_add(struct call *c);
/* What so many bytes are to a model, about: four of them are a token. */
size_t skill_own_tokens(size_t bytes);

#endif
