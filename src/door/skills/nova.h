/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_SKILLS_NOVA_H
#define DOOR_SKILLS_NOVA_H

/*
 * The profile `nova`: names, arguments and results of the agent platform that
 * first had mail as a skill, for harnesses written for it.  Two control tools
 * whose results are fixed to the byte, one skill "mail", and those mail tools
 * that match an operation; their results are sentences.  The gate is the same.
 * The fixed bytes leave no room for a mark, so the loaded skills of a turn are
 * those with a grant in the gate for that turn.
 */
#include "door/skills/internal.h"

/* The operation's argument for one of its arguments; NULL: none. */
struct nova_map {
	const char *name;
	const char *to;    /* the operation's argument */
	const char *again; /* and that of a second call */
};

struct nova_tool {
	struct op op;     /* for display; never called */
	const char *does; /* the operation to call */
	const struct nova_map *map;
	const char *attachments[2]; /* of `get`, in the first call and second */
	const char *flag;           /* given with the call; or NULL */
	const char *done; /* what became of the message, if it changes it */
};

/* -- nova.c --------------------------------------------------------------- */

/* NULL: no tool with that name, or a control tool. */
const struct nova_tool *nova_find(struct str name);
/* Its tools and control tools as operations. */
const struct op *nova_op(struct str name);
int nova_tools(struct skills_call *c, bool all, struct tools *out,
    struct err *e);

/* -- nova_run.c ----------------------------------------------------------- */

/* Makes a call, and puts its result into *out. */
int nova_run(struct skills_call *c, const struct op *op, struct answer *out,
    struct err *e);

/* -- nova_files.c --------------------------------------------------------- */

/*
 * Are the ids all attachments of the message?  `data` is the result of `get`.
 * ERR_USAGE for an unknown id, ERR_UNSUPPORTED for only some.
 */
int nova_files_all(const struct strs *ids, struct str data, struct err *e);

/* -- nova_say.c ----------------------------------------------------------- */

/* Adds an operation's data as sentences; equal rows once. */
int nova_say(struct buf *b, const struct nova_tool *t, const struct args *given,
    bool preview, struct str data, struct strs *rows, struct err *e);
struct str nova_say_failed(struct arena *a, const struct nova_tool *t,
    const struct args *given, struct str address, const struct err *why);
/* The control tools' results, exact to the byte. */
struct str nova_say_skills(struct arena *a);
struct str nova_say_loaded(struct arena *a);
struct str nova_say_refused(struct arena *a, bool any, const char *error,
    struct str asked);

#endif
