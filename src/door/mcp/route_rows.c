/* SPDX-License-Identifier: Apache-2.0 */
/* MCP's routes over HTTP. */
#include "door/mcp/streamable.h"

const struct route mcp_route_rows[] = {
	{ "POST", "/mcp", ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER,
	    "application/json", mcp_streamable_post, mcp_streamable_brief,
	    NULL },
	{ "DELETE", "/mcp", ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER, NULL,
	    mcp_streamable_delete, NULL, NULL },
	{ 0 },
};
