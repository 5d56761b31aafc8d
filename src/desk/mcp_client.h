#ifndef DESK_MCP_CLIENT_H
#define DESK_MCP_CLIENT_H

/*
 * The programs that start MCP servers, and how each wants to be told of one.
 * What differs between them is in one table; nothing here writes a file.
 */
#include "gate/operate.h"

enum mcp_client_format {
	MCP_CLIENT_JSON,
	MCP_CLIENT_TOML,
	MCP_CLIENT_YAML, /* servers are a list there */
};

/* The variables a client finds the key in, and a token for HTTP. */
#define MCP_CLIENT_KEY "EMCLI_KEY"
#define MCP_CLIENT_TOKEN "EMCLI_TOKEN"

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
	const char *url; /* the name of an address; NULL: has no such servers,
			  * or none whose token is not in its file */
	const char *options; /* what holds the headers; NULL: the entry does */
	/* What is to be done then, a sentence. */
	const char *next;
	/* Why a file of ours alone would be of no use; NULL: it is. */
	const char *first;
	enum mcp_client_format format;
	bool words;      /* the command and its words are one array */
	bool inherits;   /* it fills nothing in, and hands its environment on */
	bool asks_tools; /* the entry says which tools are wanted */
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

/* mcp_server.c: what the call says of it.  ERR_USAGE: the client cannot be told
 * so; ERR_CONFIG. */
int mcp_server_describe(struct call *c, const struct mcp_client *to,
    struct mcp_client_server *s, struct err *e);
/* The same of a server that the client starts, with the key in that file, if
 * one is named. */
int mcp_server_local(struct call *c, const struct mcp_client *to,
    struct str key_file, struct mcp_client_server *s, struct err *e);

/* The server's own entry, as JSON on one line.  No secret is in it. */
struct str mcp_client_json(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);
/* The same in YAML: the lines of an item, as they are without an indent. */
struct str mcp_client_yaml(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);
/* The same in TOML: a table with its heading. */
struct str mcp_client_toml(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);

/* -- mcp_next.c ----------------------------------------------------------- */

/*
 * Looks whether the server will find its key, and tells of one it will not
 * find beside the reply.  ERR_CONFIG: the file that was named holds none.
 */
int mcp_next_check(struct call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, struct err *e);
/* What is to be done then. */
void mcp_next_say(struct call *c, const struct mcp_client *to);

#endif
