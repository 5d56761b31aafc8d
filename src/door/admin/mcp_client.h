#ifndef DOOR_ADMIN_MCP_CLIENT_H
#define DOOR_ADMIN_MCP_CLIENT_H

/*
 * The programs that start MCP servers, and how each wants to be told of one.
 * What differs between them stands in one table; nothing here writes a file.
 */
#include "base/err.h"
#include "base/str.h"

enum mcp_client_format {
	MCP_CLIENT_JSON,
	MCP_CLIENT_TOML,
};

struct mcp_client {
	const char *name;  /* "claude" */
	const char *title; /* "Claude Code" */
	/* Where it looks: "~/" is below the home, else below the folder one
	 * works in. */
	const char *file;
	const char *section; /* where servers stand: "mcpServers" */
	/* Around a variable's name, where it is to be filled in; NULL: the
	 * file can only say values. */
	const char *open, *close;
	const char *local, *remote; /* "type" says which it is; NULL: nothing */
	const char *url; /* the name of an address; NULL: has no such servers */
	enum mcp_client_format format;
	bool words; /* the command and its words are one array */
};

/* By its name, as mcp_install.c offers them, or NULL. */
const struct mcp_client *mcp_client_find(struct str name);

/* What a snippet is made of. */
struct mcp_client_server {
	struct str command;  /* of a server the client starts */
	struct str key_file; /* the file with the agent's key; empty: its
			      * variable */
	struct str db;       /* empty: where emcli looks by itself */
	struct str agent;    /* empty: the unnamed one */
	struct str url;      /* not empty: of one that runs */
};

/* The server's own entry, as JSON on one line.  No secret is in it. */
struct str mcp_client_json(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);
/* The same in TOML: a table with its heading. */
struct str mcp_client_toml(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);

#endif
