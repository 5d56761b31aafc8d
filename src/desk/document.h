/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_DOCUMENT_H
#define DESK_DOCUMENT_H

/*
 * Parts of the store as a text without secrets, which a person can read, edit
 * and keep in git: YAML (base/yaml.h) whose first members say what it is.
 */
#include "base/yaml.h"
#include "gate/operate.h"

#define DOCUMENT_ACCOUNTS "accounts"
#define DOCUMENT_POLICY "policy"

#define DOCUMENT_ARG_OUTPUT                                                    \
	{                                                                      \
		.name = "output", .type = ARG_PATH,                            \
		.help = "the file to write, readable by you alone; default, "  \
			"or -: standard output"                                \
	}
#define DOCUMENT_ARG_FILE                                                      \
	{                                                                      \
		.name = "file", .type = ARG_PATH,                              \
		.flags = ARG_REQUIRED | ARG_POSITIONAL,                        \
		.help = "the file to read; -: standard input"                  \
	}
#define DOCUMENT_ARG_DRY_RUN                                                   \
	{                                                                      \
		.name = "dry_run", .type = ARG_FLAG,                           \
		.help = "show what would be changed, and change nothing"       \
	}

/* -- document_put.c: one to be written ------------------------------------ */

struct document_put {
	struct call *c;
	struct buf b;
	struct yaml_put *y; /* in the map that is the whole */
};

/* note: what the file is, for its first lines. */
void document_put_begin(struct call *c, const char *kind,
    const char *const *note, struct document_put *out);
/* Writes it where --output says.  ERR_LIMIT: nothing could read it back. */
int document_put_end(struct document_put *d, struct err *e);

/* -- document.c: one that was read ---------------------------------------- */

struct document {
	struct arena *a;
	struct yaml_nodes nodes;
};

/* Reads the argument "file".  ERR_USAGE: it is not of that kind. */
int document_read(struct call *c, const char *kind, struct document *out,
    struct err *e);
const struct yaml_node *document_root(const struct document *d);
/* What is in a map or a list, one after another; prev NULL: the first. */
const struct yaml_node *document_next(const struct document *d,
    const struct yaml_node *of, const struct yaml_node *prev);
/* NULL: there is none. */
const struct yaml_node *document_member(const struct document *d,
    const struct yaml_node *map, const char *key);
/* ERR_USAGE with the line: it is of another kind. */
int document_need(const struct yaml_node *x, enum yaml_kind kind,
    struct err *e);
/* The texts of a list. */
int document_strs(const struct document *d, const struct yaml_node *list,
    struct strs *out, struct err *e);
/* The text; empty for NULL, and for one without quotes that means null. */
int document_text(const struct yaml_node *x, struct str *out, struct err *e);
/* A switch: "on" and "off", also as YAML's other words for them. */
int document_switch(const struct yaml_node *x, bool *out, struct err *e);
/* The word that a choice means by it: "on" for true. */
struct str document_word(const struct yaml_node *x);
/* ERR_USAGE for a key of the map that is none of these. */
int document_check_keys(const struct document *d, const struct yaml_node *map,
    const struct strs *known, struct err *e);
/* Adds the line to an error, whose options become keys of the file. */
int document_at(const struct yaml_node *x, struct err *e);
/* ERR_USAGE with the line. */
int document_refuse(const struct yaml_node *x, struct err *e, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));

#endif
