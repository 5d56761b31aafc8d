#ifndef DOOR_MCP_HOST_H
#define DOOR_MCP_HOST_H

/*
 * Hosts and what each of them does with a list of tools and with an answer.
 * Whoever is not known gets the form that works everywhere.  This decides what
 * is shown and never what may run: the gate asks for a lease in every case.
 */
#include "base/json.h"
#include "base/str.h"

enum mcp_host_does {
	MCP_HOST_LISTS = 1 << 0,      /* lists again when the list changed */
	MCP_HOST_STRUCTURED = 1 << 1, /* reads that form alone */
	MCP_HOST_BARE = 1 << 2,       /* two servers' tools share their names */
	MCP_HOST_SPILLS = 1 << 3,     /* files a big answer, where it is read */
};

struct mcp_host {
	const char *name; /* as in clientInfo; "*" at its end is any rest */
	const char *seen; /* the program, and its version when it was driven */
	unsigned does;
	/* A member of _meta, and one of that: its user's turn.  Or NULL. */
	const char *turn[2];
};

/* host_table.c; a row without a name ends it. */
extern const struct mcp_host mcp_host_table[];

/* NULL: it is not known. */
const struct mcp_host *mcp_host_find(struct str name);
/*
 * The user's turn, by the mark of any host, whatever name this one gives: it is
 * the host's own word in every case.  Empty: there is none of at most max
 * bytes.
 */
struct str mcp_host_turn(const struct json_value *meta, struct arena *a,
    size_t max);
/* A known one does so.  Of NULL false. */
bool mcp_host_does(const struct mcp_host *host, enum mcp_host_does what);

#endif
