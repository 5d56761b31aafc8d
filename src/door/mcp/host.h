/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_MCP_HOST_H
#define DOOR_MCP_HOST_H

/*
 * Known hosts, and how each treats a list of tools and an answer.  An unknown
 * host gets the form that works everywhere.  This decides what is shown, never
 * what may run: the gate requires a lease in every case.
 */
#include "base/json.h"
#include "base/str.h"

enum mcp_host_does {
	MCP_HOST_LISTS = 1 << 0, /* requests the list again after a change */
	MCP_HOST_STRUCTURED = 1 << 1, /* reads only that form */
	MCP_HOST_BARE = 1 << 2, /* tools of two servers share one namespace */
	MCP_HOST_SPILLS = 1
	    << 3, /* writes a large answer to a file, where it is read */
};

struct mcp_host {
	const char *name; /* as in clientInfo; a final "*" matches any rest */
	const char *seen; /* the program and version that were tested */
	unsigned does;
	/* A member of _meta, and a member of it: its user's turn.  Or NULL. */
	const char *turn[2];
};

/* host_table.c; ends with a row without a name. */
extern const struct mcp_host mcp_host_table[];

/* NULL: unknown. */
const struct mcp_host *mcp_host_find(struct str name);
/*
 * The user's turn, from the member of any known host, whatever this host's
 * name: the value is the host's own in every case.  Empty: there is none of at
 * most max bytes.
 */
struct str mcp_host_turn(const struct json_value *meta, struct arena *a,
    size_t max);
/* Does a known host do so?  False for NULL. */
bool mcp_host_does(const struct mcp_host *host, enum mcp_host_does what);

#endif
