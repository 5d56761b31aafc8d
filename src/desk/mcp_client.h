/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_MCP_CLIENT_H
#define DESK_MCP_CLIENT_H

/*
 * Programs that start MCP servers, and how each is configured.  One table has
 * all differences; nothing here writes a file.
 */
#include "gate/operate.h"

enum mcp_client_format {
	MCP_CLIENT_JSON,
	MCP_CLIENT_TOML,
	MCP_CLIENT_YAML,     /* servers are a list there, */
	MCP_CLIENT_YAML_MAP, /* or the members of a map */
};

/* The variables for the key, for a program that prints it, and for a token over
 * HTTP. */
#define MCP_CLIENT_KEY "EMCLI_KEY"
#define MCP_CLIENT_KEY_COMMAND "EMCLI_KEY_COMMAND"
#define MCP_CLIENT_TOKEN "EMCLI_TOKEN"

struct mcp_client {
	const char *name;  /* "claude" */
	const char *title; /* "Claude Code" */
	/*
	 * Its configuration: "~/" is below the home, else below the working
	 * folder.
	 */
	const char *file;
	/* The section for servers: "mcpServers"; "a.b" is a section of one. */
	const char *section;
	/*
	 * Around a variable's name, to be substituted; NULL: the file can
	 * contain only values.
	 */
	const char *open, *close;
	const char *local, *remote; /* values of "type"; NULL: not used */
	const char *kind; /* the name of "type" with an address; NULL: that */
	const char *url;  /* the name of an address; NULL: it supports no such
			     servers, or only with the token in its file */
	const char
	    *options; /* the object with the headers; NULL: the entry itself */
	/* What to do next, a sentence. */
	const char *next;
	/* Why a file made by emcli is useless; NULL: it is not. */
	const char *first;
	enum mcp_client_format format;
	bool words;    /* the command and its arguments are one array */
	bool inherits; /* it substitutes nothing, but passes its environment on
			*/
	bool asks_tools; /* the entry lists the wanted tools */
};

/* By the name in mcp_install.c, or NULL. */
const struct mcp_client *mcp_client_find(struct str name);

/* The contents of a snippet. */
struct mcp_client_server {
	struct str command; /* for a server that the client starts */
	struct str
	    key_file; /* the file with the agent's key; empty: a variable */
	const char *key_variable; /* which one */
	struct str db;            /* empty: emcli's default */
	struct str agent;         /* empty: the unnamed one */
	struct str url;           /* not empty: a running server */
};

/*
 * mcp_server.c: the server that the call describes.  ERR_USAGE: the client does
 * not support it; ERR_CONFIG.
 */
int mcp_server_describe(struct call *c, const struct mcp_client *to,
    struct mcp_client_server *s, struct err *e);
/* The same of a server that the client starts, with the key in that file, if
 * one is named. */
int mcp_server_local(struct call *c, const struct mcp_client *to,
    struct str key_file, struct mcp_client_server *s, struct err *e);

/* The server's own entry, as JSON on one line.  Contains no secret. */
struct str mcp_client_json(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);
/* The same in YAML: an item of a list, or a member of a map. */
struct str mcp_client_yaml(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);
/* The same in TOML: a table with its heading. */
struct str mcp_client_toml(const struct mcp_client *c,
    const struct mcp_client_server *s, struct arena *a);

/* -- mcp_next.c ----------------------------------------------------------- */

/*
 * Checks whether the server will find its key, and warns beside the reply if
 * not.  ERR_CONFIG: the named file has no key.
 */
int mcp_next_check(struct call *c, const struct mcp_client *to,
    const struct mcp_client_server *s, struct err *e);
/* Says what to do next. */
void mcp_next_say(struct call *c, const struct mcp_client *to);

#endif
