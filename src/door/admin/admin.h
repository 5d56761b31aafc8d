#ifndef DOOR_ADMIN_ADMIN_H
#define DOOR_ADMIN_ADMIN_H

/*
 * The operator's commands.  They are no operations: no agent's door can name
 * them, and all need EMCLI_ADMIN_KEY but those that touch no store.  Output is
 * for people on stdout; errors are one line "emcli: ..." on stderr.
 *
 * To add one: 1. write its run function and arg table in the file it belongs
 * to; 2. name it in admin/table.c.
 */
#include "base/env.h"
#include "base/err.h"
#include "gate/args.h"

struct buf;
struct op;
struct store;

struct admin_call {
	const struct env *env;
	const struct args *args;
	struct arena *arena;
	const struct admin_command *command;
	struct store *store; /* opened with the admin's key; ADMIN_STORE */
	struct buf *out;     /* goes to stdout when the command went well */
	struct str done;     /* ADMIN_CHANGE: what was done, for the audit */
};

enum admin_needs {
	ADMIN_STORE,  /* zero: the admin's key and a database it opens */
	ADMIN_CHANGE, /* the same, and it leaves a row in the audit log */
	ADMIN_KEYS,   /* both keys, or a person to show new ones to; the
		       * command makes the database */
};

struct admin_command {
	const char *name; /* "account add": one to three words */
	const char *summary;
	const struct arg_spec *args;
	int (*run)(struct admin_call *c, struct err *e);
	enum admin_needs needs;
	int which;           /* tells rows with the same run function apart */
	const struct op *op; /* one of desk/'s; then nothing else is here */
};

/* The nth command, or one whose name is NULL behind the last. */
struct admin_command admin_table_row(size_t n);

/* One that is not an operation, as one for a call: it lives in the arena, cmd
 * outlives it.  run.c */
const struct op *admin_run_op(const struct admin_command *cmd, struct arena *a);

#endif
