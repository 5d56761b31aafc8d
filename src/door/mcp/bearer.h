/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_BEARER_H
#define DOOR_MCP_BEARER_H

/*
 * MCP's authorization over HTTP: where clients learn whose tokens are accepted
 * (RFC 9728), and how they are told that one is needed (RFC 6750 section 3).
 */
#include "door/mcp/internal.h"
#include "door/route.h"
#include "gate/bearer.h"

/* The address of the document about a resource, RFC 9728 section 3.1. */
struct str mcp_bearer_url(struct arena *a, struct str resource);
/* The document, section 2. */
struct json *mcp_bearer_document(struct arena *a,
    const struct gate_bearer_resource *x);
/* The value of WWW-Authenticate; error: of RFC 6750 section 3.1, or NULL. */
struct str mcp_bearer_challenge(struct arena *a,
    const struct gate_bearer_resource *x, const char *error);

/* What a server says that was asked without a token; NULL: there is no identity
 * provider. */
int mcp_bearer_begin(const struct mcp *m, struct arena *a, const char **out,
    struct err *e);
/*
 * Finds the agent of a token, whoever issued it.  Otherwise returns the status
 * of a refusal, and says its head; -1: *e.
 */
int mcp_bearer_know(struct gate *g, struct arena *a, struct str token,
    struct gate_agent *out, struct str *why, struct err *e);

/* The route of the document; it waits for nothing. */
void mcp_bearer_answer(const struct route_request *r);
bool mcp_bearer_brief(struct str body);

#endif
