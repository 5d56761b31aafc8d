/* SPDX-License-Identifier: Apache-2.0 */
/* The table of methods. */
#include "door/mcp/answers.h"

const struct mcp_method mcp_method_table[] = {
	{ "initialize", MCP_LEGACY, MCP_OPENS, mcp_initialize },
	{ "ping", MCP_LEGACY, 0, mcp_initialize_ping },
	{ "server/discover", MCP_MODERN, MCP_CACHED, mcp_initialize_discover },
	{ "tools/list", MCP_LEGACY | MCP_MODERN,
	    MCP_GATED | MCP_CACHED | MCP_LISTS, mcp_tools_list },
	{ "resources/list", MCP_LEGACY | MCP_MODERN, MCP_GATED | MCP_CACHED,
	    mcp_resources_list },
	{ "resources/templates/list", MCP_LEGACY | MCP_MODERN,
	    MCP_CACHED | MCP_PUBLIC, mcp_resources_templates },
	{ "resources/read", MCP_LEGACY | MCP_MODERN, MCP_GATED | MCP_CACHED,
	    mcp_resources_read },
	{ "resources/directory/read", MCP_LEGACY | MCP_MODERN,
	    MCP_GATED | MCP_CACHED, mcp_directory_read },
	{ "skills/list", MCP_LEGACY | MCP_MODERN, MCP_GATED | MCP_CACHED,
	    mcp_resources_skills },
	{ "skills/get", MCP_LEGACY | MCP_MODERN, MCP_GATED | MCP_CACHED,
	    mcp_resources_skill },
	{ "tools/call", MCP_LEGACY | MCP_MODERN, MCP_GATED | MCP_CALLS,
	    mcp_call },
	{ 0 },
};
