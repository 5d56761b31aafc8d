/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_SKILL_OWN_H
#define DESK_SKILL_OWN_H

/* Shared by the commands on skills. */
#include "gate/gate.h"
#include "skill/skill.h"

/*
 * Adds the operator's own skills after emcli's, if there is a key for reading
 * the settings.  Reports a failure beside the reply; emcli's skills remain.
 */
void skill_own_add(struct call *c);
/* The approximate number of tokens for so many bytes: four bytes are one. */
size_t skill_own_tokens(size_t bytes);

#endif
