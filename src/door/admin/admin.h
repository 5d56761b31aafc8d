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
struct store;

struct admin_call {
	const struct env *env;
	const struct args *args;
	struct arena *arena;
	const struct admin_command *command;
	struct store *store; /* opened with the admin's key; ADMIN_STORE */
	struct buf *out;     /* goes to stdout when the command went well */
	struct str done;     /* ADMIN_CHANGE: what was done, for the audit */
	bool report;         /* `out` is whole although it went wrong */
};

enum admin_needs {
	ADMIN_STORE,  /* zero: the admin's key and a database it opens */
	ADMIN_CHANGE, /* the same, and it leaves a row in the audit log */
	ADMIN_KEYS,   /* both keys, or a person to show new ones to; the
		       * command makes the database */
	ADMIN_FILES,  /* writes others' files: the admin's key, and a row in the
		       * audit log where there is a database */
	ADMIN_WRITE,  /* the same with --write; without it nothing */
	ADMIN_ANYBODY, /* no key; it opens the store, writes its row */
	ADMIN_NOTHING,
};

struct admin_command {
	const char *name; /* "account add": one to three words */
	const char *summary;
	const struct arg_spec *args;
	int (*run)(struct admin_call *c, struct err *e);
	enum admin_needs needs;
	int which; /* tells rows with the same run function apart */
};

/* Ends with a row whose name is NULL. */
extern const struct admin_command admin_table[];

/* Runs one with the words behind its name; returns the exit status. */
int admin_run(const struct admin_command *cmd, int argc, char **argv,
    const struct env *env, const struct err *broken);

/* config.c: the nth setting's name, or NULL behind the last; and the words it
 * may be, where it is no number. */
const char *config_at(size_t n);
void config_words(struct arena *a, size_t n, struct strs *out);

#endif
