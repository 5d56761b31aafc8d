#ifndef DOOR_SKILLS_NOVA_H
#define DOOR_SKILLS_NOVA_H

/*
 * The profile `nova`: names, arguments and results of the agent platform that
 * had mail as a skill first, for harnesses written for it.  Two control tools
 * whose results are fixed to the byte, one skill "mail", and those of its mail
 * tools that there is an operation for; their results are sentences.  The gate
 * is the same.  Its bytes leave no room for a mark, so what is loaded in a turn
 * is what the gate holds a grant for in that turn.
 */
#include "door/skills/internal.h"

/* Where one of its arguments goes; NULL: nowhere. */
struct nova_map {
	const char *name;
	const char *to;    /* the operation's argument */
	const char *again; /* and that of a second call */
};

struct nova_tool {
	struct op op;     /* as it is shown; never called */
	const char *does; /* the operation that is */
	const struct nova_map *map;
	const char *attachments[2]; /* of `get`, in the first call and second */
};

/* -- nova.c --------------------------------------------------------------- */

/* NULL: there is none of that name, or it is a control tool. */
const struct nova_tool *nova_find(struct str name);
/* A tool of its that nothing here does; `summary` says so. */
const struct op *nova_without(struct str name);
/* Its tools and control tools alike, as operations, and those without. */
const struct op *nova_op(struct str name);
int nova_tools(struct skills_call *c, bool all, struct tools *out,
    struct err *e);

/* -- nova_run.c ----------------------------------------------------------- */

/* Makes a call, and has *out say what came of it. */
int nova_run(struct skills_call *c, const struct op *op, struct answer *out,
    struct err *e);

/* -- nova_files.c --------------------------------------------------------- */

/*
 * Are the ids all the attachments of the message?  `data` is what `get` said of
 * it.  ERR_USAGE of one that is not there, ERR_UNSUPPORTED of only some.
 */
int nova_files_all(const struct strs *ids, struct str data, struct err *e);

/* -- nova_say.c ----------------------------------------------------------- */

/* Adds what an operation's data says; of equal rows one. */
int nova_say(struct buf *b, const struct nova_tool *t, const struct args *given,
    bool preview, struct str data, struct strs *rows, struct err *e);
struct str nova_say_failed(struct arena *a, const struct nova_tool *t,
    const struct args *given, struct str address, const struct err *why);
/* The control tools' results, to the byte. */
struct str nova_say_skills(struct arena *a);
struct str nova_say_loaded(struct arena *a);
struct str nova_say_refused(struct arena *a, bool any, const char *error,
    struct str asked);

#endif
