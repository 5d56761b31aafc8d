/* SPDX-License-Identifier: Apache-2.0 */
/* The routes of the operations. */
#include "door/http/ops.h"

#define AGENTS (ROUTE_HOST | ROUTE_ORIGIN | ROUTE_BEARER)

const struct route http_ops_rows[] = {
	{ "POST", "/v1/op/", AGENTS, "application/json", http_ops_call, NULL,
	    "call" },
	{ "GET", "/v1/schema", AGENTS, NULL, http_ops_call_schema,
	    http_ops_call_brief, "schema" },
	{ "GET", "/health", ROUTE_HOST | ROUTE_ORIGIN, NULL,
	    http_ops_call_health, http_ops_call_brief, NULL },
	{ 0 },
};
