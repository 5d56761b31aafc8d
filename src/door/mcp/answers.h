/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_ANSWERS_H
#define DOOR_MCP_ANSWERS_H

/* The table of methods, and the functions it names. */
#include "door/mcp/internal.h"

extern const struct mcp_method
    mcp_method_table[]; /* ends with a row without a name */

int mcp_initialize(struct mcp_request *q, struct json *out);
int mcp_initialize_discover(struct mcp_request *q, struct json *out);
int mcp_initialize_ping(struct mcp_request *q, struct json *out);

int mcp_tools_list(struct mcp_request *q, struct json *out);

int mcp_resources_list(struct mcp_request *q, struct json *out);
int mcp_resources_templates(struct mcp_request *q, struct json *out);
int mcp_resources_read(struct mcp_request *q, struct json *out);
int mcp_resources_skills(struct mcp_request *q, struct json *out);
int mcp_resources_skill(struct mcp_request *q, struct json *out);
int mcp_directory_read(struct mcp_request *q, struct json *out);

int mcp_call(struct mcp_request *q, struct json *out);

#endif
