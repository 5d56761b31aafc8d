/* SPDX-License-Identifier: Apache-2.0 */
/* MCP's routes over HTTP. */
#include "door/mcp/bearer.h"
#include "door/mcp/streamable.h"

const struct route mcp_route_rows[] = {
	{ "POST", "/mcp", ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER,
	    "application/json", mcp_streamable_post, mcp_streamable_brief,
	    NULL },
	{ "DELETE", "/mcp", ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER, NULL,
	    mcp_streamable_delete, NULL, NULL },
	/* Also behind a proxy that has our path below its own. */
	{ "GET", "/.well-known/oauth-protected-resource",
	    ROUTE_HOST | ROUTE_ORIGIN, NULL, mcp_bearer_answer,
	    mcp_bearer_brief, NULL },
	{ "GET", "/.well-known/oauth-protected-resource/",
	    ROUTE_HOST | ROUTE_ORIGIN, NULL, mcp_bearer_answer,
	    mcp_bearer_brief, NULL },
	{ 0 },
};
