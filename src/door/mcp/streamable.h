/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_STREAMABLE_H
#define DOOR_MCP_STREAMABLE_H

/* MCP over HTTP: its routes, and the names of calls there. */
#include "door/mcp/internal.h"
#include "door/route.h"

/* Hashes: of its session, and of a call or question in it. */
uint64_t mcp_session(const struct mcp *m);
uint64_t mcp_session_call(const struct mcp *m, const struct mcp_id *id);

/* route_rows.c; with the functions it names. */
extern const struct route mcp_route_rows[];
void mcp_streamable_post(const struct route_request *r);
void mcp_streamable_delete(const struct route_request *r);
bool mcp_streamable_brief(struct str body);
void mcp_streamable_refuse(struct buf *out, int status, const char *why);

#endif
