#ifndef DOOR_MCP_SIGHT_H
#define DOOR_MCP_SIGHT_H

/* Which tools are shown to whom, and the gate as a caller sees it. */
#include "door/mcp/internal.h"
#include "door/selector.h"
#include "gate/gate.h"

/* Whatever would stop every call is an error now: a key, a store. */
int mcp_sight_store(const struct mcp *m, struct err *e);
/* The gate for this caller; what *who points at is the door's.  On an error
 * there may be one, for the record. */
int mcp_sight_gate(const struct mcp_request *q, struct gate_caller *who,
    struct gate **out, struct err *e);
/* A legacy session's client has said its name, or has none. */
void mcp_sight_meet(struct mcp *m, struct str client);
/* Does its list follow what is loaded? */
bool mcp_sight_filters(const struct mcp_request *q);
/* What the names of tools begin with; may be empty. */
struct str mcp_sight_prefix(const struct mcp_request *q);
/* Does its client read the structured form of a result alone? */
bool mcp_sight_structured(const struct mcp_request *q);
/* Of the skills by position: a bit for each that is live, or else for each
 * that may be had.  Without a gate there are none. */
uint64_t mcp_sight_skills(const struct mcp_request *q, struct gate *g,
    bool live);
uint64_t mcp_sight_mine(const struct mcp_request *q, bool live);
/* The mailboxes its tools choose from; there may be none. */
int mcp_sight_boxes(const struct mcp_request *q, struct gate *g, bool quiet,
    struct selector *out, struct err *e);
/* Does it deal in skills, and not in mail? */
bool mcp_sight_control(const struct op *op);
bool mcp_sight_shows(const struct mcp_request *q, uint64_t skills,
    const struct op *op);

#endif
