/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_POLICY_AGENTS_H
#define DESK_POLICY_AGENTS_H

/* Shared by the files of the section "agents". */
#include "desk/agent_rights.h"
#include "desk/policy.h"

#define POLICY_AGENTS_ALL "all"

/* policy_agents_text.c.  "accounts" */
extern const char *const policy_agents_text_key[AGENT_RIGHTS];
/* The agent's set of that right, as the store has it. */
struct str *policy_agents_text_set(struct store_agent *x,
    enum agent_right right);
/* " home work " as a list in order. */
struct strs policy_agents_text_names(struct arena *a, struct str set);
/* "home work", "all", or "[all]" for one of that name; "7 1001": as a plan has
 * them. */
struct str policy_agents_text(struct arena *a, struct str set);
struct str policy_agents_text_uids(struct arena *a,
    const struct store_agent *x);

/*
 * policy_agents_read.c.  What the map says of the agent; its id is 0 if it is
 * new.  ERR_USAGE with the line.
 */
int policy_agents_read(struct policy_apply *p, const struct yaml_node *map,
    struct store_agent *io, struct err *e);

#endif
