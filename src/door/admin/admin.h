#ifndef DOOR_ADMIN_ADMIN_H
#define DOOR_ADMIN_ADMIN_H

/*
 * The operator's commands, in the order they are shown: the operations of
 * desk/, and the few that ask a person step by step and write their own text.
 * Those are made operations for their call by run.c.
 *
 * A new one is an operation: see desk/desk.h.
 */
#include "base/env.h"
#include "base/err.h"
#include "gate/args.h"

struct buf;
struct call;
struct op;
struct store;

struct admin_call {
	struct call *call;
	const struct env *env;
	const struct args *args;
	struct arena *arena;
	const struct admin_command *command;
	struct store *store; /* opened with the admin's key; ADMIN_CHANGE */
	struct buf *out;     /* goes to stdout when the command went well */
	struct str done;     /* ADMIN_CHANGE: what was done, for the audit */
};

enum admin_needs {
	ADMIN_CHANGE, /* zero: the admin's key, a database it opens, and a row
		       * in the audit log */
	ADMIN_KEYS,   /* both keys, or a person to show new ones to; the
		       * command makes the database */
};

struct admin_command {
	const char *name; /* "account add": one to three words */
	const char *summary;
	const struct arg_spec *args;
	int (*run)(struct admin_call *c, struct err *e);
	enum admin_needs needs;
	const struct op *op; /* one of desk/'s; then nothing else is here */
};

/* The nth command, or one whose name is NULL behind the last. */
struct admin_command admin_table_row(size_t n);

/* One that is not an operation, as one for a call: it lives in the arena, cmd
 * outlives it.  run.c */
const struct op *admin_run_op(const struct admin_command *cmd, struct arena *a);

#endif
