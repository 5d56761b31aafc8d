/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_RESOURCE_H
#define DOOR_MCP_RESOURCE_H

/* A file of a skill as a resource. */
#include "door/mcp/internal.h"
#include "gate/grant.h"

#define MCP_RESOURCE_MAIN "SKILL.md"

struct str mcp_resource_uri(struct arena *a, const struct skill *s,
    const char *path);
/*
 * The skill whose folder contains a URI, if this caller may have it, and the
 * path there: empty for the folder itself.
 */
const struct skill *mcp_resource_of(const struct mcp_request *q, struct str uri,
    struct str *path);
/* One file of a skill. */
void mcp_resource_put(struct json *j, struct arena *a, const struct skill *s,
    const char *path, struct str text);

#endif
