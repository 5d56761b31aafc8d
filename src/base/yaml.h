/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BASE_YAML_H
#define BASE_YAML_H

/*
 * YAML 1.1 as PyYAML reads and writes it.
 * In: libyaml's events become a document of base/json.h.  Anchors, aliases,
 * tags, directives, merge keys and a second document are refused, and so is
 * what takes libyaml longer than its length is worth.
 * Out: block style with every string in double quotes on one line, in ASCII.
 * libyaml is seen by base/yaml.c alone.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/*
 * yaml_read.c.  Reads one map or list: at most max bytes of strict UTF-8,
 * LIMIT_YAML_DEPTH levels and LIMIT_YAML_NODES keys and values; keys are
 * strings, and none occurs twice in a map.  A quoted or folded scalar is a
 * string.  A plain one is what PyYAML's safe loader makes of it: null, a
 * boolean, an integer, or a string.  A plain number or time that JSON's
 * integers do not hold is an object of one member, "!!float", "!!int" or
 * "!!timestamp", and the text; so it is never taken for a string.  Close with
 * json_parse_close().  ERR_LIMIT or ERR_USAGE.
 */
int yaml_read(struct str text, size_t max, struct json_doc **out,
    struct err *e);

/* A value: a map, a list, or a scalar. */
enum yaml_kind {
	YAML_KIND_MAP,
	YAML_KIND_LIST,
	YAML_KIND_TEXT,
};

struct yaml_node {
	enum yaml_kind kind;
	bool plain; /* a scalar without quotes; what it is, its reader says */
	struct str key;  /* in a map; else p is NULL */
	struct str text; /* of a scalar, as it is written */
	size_t line;     /* where it begins, or its key; from 1 */
	size_t end; /* index of the first node after it and what is in it */
};

struct yaml_nodes {
	struct yaml_node *v; /* in the order of the text; v[0] is the whole */
	size_t n;
};

struct yaml_caps {
	size_t bytes, nodes;
};

/*
 * The same text by its nodes, with their lines.  Everything is in the arena;
 * texts end with a NUL.  yaml.c
 */
int yaml_nodes(struct arena *a, struct str text, const struct yaml_caps *caps,
    struct yaml_nodes *out, struct err *e);

/*
 * A writer that appends to b, which is borrowed.  Put one map or list, with key
 * NULL; key is NULL inside a list, and never inside a map.  At most
 * LIMIT_YAML_DEPTH levels.  Bytes that are not UTF-8 become U+FFFD.  What does
 * not fit sets b->over.
 */
struct yaml_put;
struct yaml_put *yaml_put_new(struct arena *a, struct buf *b);
void yaml_put_map(struct yaml_put *y, const char *key);
void yaml_put_list(struct yaml_put *y, const char *key);
/* Ends the innermost open map or list; an empty one is "{}" or "[]". */
void yaml_put_end(struct yaml_put *y);
void yaml_put_str(struct yaml_put *y, const char *key, struct str s);
void yaml_put_int(struct yaml_put *y, const char *key, int64_t n);
void yaml_put_bool(struct yaml_put *y, const char *key, bool b);
void yaml_put_null(struct yaml_put *y, const char *key);
/*
 * For files that people edit.  A text that no reader can take for anything else
 * is without quotes; in quotes, characters that a person can see are as they
 * are.
 */
void yaml_put_plain(struct yaml_put *y, const char *key, struct str s);
/* A word of ours, such as "on", always without quotes. */
void yaml_put_word(struct yaml_put *y, const char *key, struct str s);
/* A line of comment above what comes next; control characters become "?". */
void yaml_put_note(struct yaml_put *y, struct str text);

#endif
