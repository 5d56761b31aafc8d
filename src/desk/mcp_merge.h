#ifndef DESK_MCP_MERGE_H
#define DESK_MCP_MERGE_H

/*
 * Putting our entry into a client's file and changing nothing else of it: the
 * order, the comments and the white space stay.  ERR_USAGE: it is written in a
 * way that is not ours to change, and goes in by hand.
 */
#include "desk/mcp_client.h"

/* As the client has it, in what is in its file. */
int mcp_merge(const struct mcp_client *to, const struct mcp_client_server *s,
    struct str text, struct arena *a, struct str *out, struct err *e);
/* `entry` as the member "emcli" of the member `section`.  mcp_merge_json.c */
int mcp_merge_json(struct str text, const char *section, struct str entry,
    struct arena *a, struct str *out, struct err *e);
/* JSON of one line, one member a line: for people. */
struct str mcp_merge_json_pretty(struct str json, size_t depth,
    struct arena *a);
/* `item`, the lines of one, as an item of the list `section`: mcp_merge_yaml.c
 */
int mcp_merge_yaml(struct str text, const char *section, struct str item,
    struct arena *a, struct str *out, struct err *e);
/* `table`, with its heading, as [section.emcli].  mcp_merge_toml.c */
int mcp_merge_toml(struct str text, const char *section, struct str table,
    struct arena *a, struct str *out, struct err *e);

#endif
