/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_MCP_YAML_H
#define DESK_MCP_YAML_H

/*
 * A YAML file (YAML 1.2), line by line: keys at the margin, and below one of
 * them the client's servers.  Other ways of writing it are not edited: the user
 * adds the entry by hand.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct mcp_yaml {
	struct str text, section;
	struct str empty; /* a section without servers: "[]" or "{}" */
	struct str head;  /* the section's first line; n 0: not found */
	struct str body;  /* the lines below it */
	bool none;        /* the line says that it is empty */
	bool items;       /* it has items or members, */
	size_t indent;    /* each with that much before it */
	struct str ours;  /* the lines of ours; n 0: not found */
	struct str end;   /* after the section's last line, without blanks */
};

/* Sets head, body and none. */
int mcp_yaml_find_section(struct mcp_yaml *y, struct err *e);
/* The text with these lines in the place of ours, or after the others. */
struct str mcp_yaml_put(const struct mcp_yaml *y, struct str lines,
    struct arena *a);

/* ERR_USAGE: the user adds the entry. */
int mcp_yaml_by_hand(struct err *e);
/* The next line with its end. */
struct str mcp_yaml_cut_line(struct str *rest);
size_t mcp_yaml_count_spaces(struct str s);
/* Nothing, or a comment. */
bool mcp_yaml_is_blank(struct str line);
/* Does an item of a list begin there? */
bool mcp_yaml_is_item(struct str s);
/* A value without its quotes and its comment. */
struct str mcp_yaml_plain(struct str s);
/* A key in the usual notation. */
bool mcp_yaml_read_key(struct str line, struct str *key, struct str *value);

#endif
