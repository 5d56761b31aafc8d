/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_MCP_MERGE_H
#define DESK_MCP_MERGE_H

/*
 * Puts emcli's entry into a client's file and changes nothing else: order,
 * comments and white space stay.  ERR_USAGE: the file's form is not supported,
 * so a person must add it by hand.
 */
#include "desk/mcp_client.h"

/* Puts the entry into the client's file, in its format. */
int mcp_merge(const struct mcp_client *to, const struct mcp_client_server *s,
    struct str text, struct arena *a, struct str *out, struct err *e);
/*
 * Puts `entry` as member "emcli" of the member `section`; "a.b" is a member of
 * a member.  mcp_merge_json.c
 */
int mcp_merge_json(struct str text, const char *section, struct str entry,
    struct arena *a, struct str *out, struct err *e);
/* Reformats JSON from one line to one member per line, for people. */
struct str mcp_merge_json_pretty(struct str json, size_t depth,
    struct arena *a);
/* Puts `item`, its lines, as an item of the list `section`: mcp_merge_yaml.c */
int mcp_merge_yaml(struct str text, const char *section, struct str item,
    struct arena *a, struct str *out, struct err *e);
/* Puts `lines` as the member "emcli" of the map `section`.  mcp_merge_map.c */
int mcp_merge_map(struct str text, const char *section, struct str lines,
    struct arena *a, struct str *out, struct err *e);
/*
 * Puts `key = value` before the first table, in the place of a pair with that
 * key whose text, without blanks, has `mark`.  ERR_USAGE: another has the key.
 */
int mcp_merge_toml_top(struct str text, const char *key, struct str value,
    const char *mark, struct arena *a, struct str *out, struct err *e);
/* Puts `table`, with its heading, as [section.emcli].  mcp_merge_toml.c */
int mcp_merge_toml(struct str text, const char *section, struct str table,
    struct arena *a, struct str *out, struct err *e);

#endif
