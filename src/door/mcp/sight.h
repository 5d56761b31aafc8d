/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_SIGHT_H
#define DOOR_MCP_SIGHT_H

/* Which tools are shown to which caller, and the gate for a caller. */
#include "door/mcp/internal.h"
#include "door/selector.h"
#include "gate/gate.h"

/* Reports now what would stop every call: a key, a store. */
int mcp_sight_store(const struct mcp *m, struct err *e);
/*
 * The gate for this caller; *who points to the door's data.  On an error there
 * may be a gate, for the record.
 */
int mcp_sight_gate(const struct mcp_request *q, struct gate_caller *who,
    struct gate **out, struct err *e);
/* The client of a legacy session has given its name, or has none. */
void mcp_sight_meet(struct mcp *m, struct str client);
/* Does its list depend on what is loaded? */
bool mcp_sight_filters(const struct mcp_request *q);
/* The prefix of tools' names; may be empty. */
struct str mcp_sight_prefix(const struct mcp_request *q);
/* Does its client read only the structured form of a result? */
bool mcp_sight_structured(const struct mcp_request *q);
/*
 * The skills by position: a bit for each live one, or else for each available
 * one.  None without a gate.
 */
uint64_t mcp_sight_skills(const struct mcp_request *q, struct gate *g,
    bool live);
uint64_t mcp_sight_mine(const struct mcp_request *q, bool live);
/* The mailboxes that its tools choose from; may be none. */
int mcp_sight_boxes(const struct mcp_request *q, struct gate *g, bool quiet,
    struct selector *out, struct err *e);
/* Is it about skills, and not about mail? */
bool mcp_sight_control(const struct op *op);
bool mcp_sight_shows(const struct mcp_request *q, uint64_t skills,
    const struct op *op);

#endif
