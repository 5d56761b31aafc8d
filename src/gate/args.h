/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GATE_ARGS_H
#define GATE_ARGS_H

/*
 * Arguments as plain data: a table says what a command takes, a door turns its
 * syntax into texts by name, and args_check() checks the texts against the
 * table.  After that every accessor below succeeds.  The same tables serve
 * operations and the operator's commands.
 */
#include "base/err.h"
#include "base/str.h"

enum arg_type {
	ARG_END, /* zero: ends a table */
	ARG_TEXT,
	ARG_LONG_TEXT, /* on the command line also --NAME-file F */
	ARG_ACCOUNT,   /* the account the call is about */
	ARG_FOLDER,
	ARG_UID,     /* 1 to 4294967295 */
	ARG_UIDS,    /* UIDs, and on the command line 1,2,5:9 */
	ARG_COUNT,   /* a number, min to max */
	ARG_DATE,    /* 2026-06-21 or RFC 3339 */
	ARG_ADDRESS, /* an addr-spec */
	ARG_PATH,
	ARG_CHOICE, /* one of `choices` */
	ARG_FLAG,   /* no value */
	ARG_REF,    /* what a mailbox calls a message */
};

enum arg_flags {
	ARG_REQUIRED = 1 << 0,
	ARG_MANY = 1 << 1,       /* takes one value or more */
	ARG_POSITIONAL = 1 << 2, /* on the command line, without its name */
	ARG_EMPTY = 1 << 3,      /* an empty value is allowed, for any type */
	ARG_QUIET = 1 << 4,      /* the audit log leaves out its value */
	ARG_SOLE =
	    1 << 5, /* for operators: if omitted, the only one that exists */
	ARG_OPERATOR =
	    1 << 6, /* only with the operator's key: agents' schemas omit it */
	ARG_FILE = 1 << 7,  /* it names files that are read */
	ARG_SAVES = 1 << 8, /* it may name a folder that files are saved into */
	ARG_BOX = 1 << 9, /* an ARG_FOLDER where "inbox" is a name of its own */
};

struct arg_spec {
	const char *name; /* "reply_to"; the command line says --reply-to */
	enum arg_type type;
	unsigned flags;
	const char *help;
	uint32_t min, max;   /* ARG_COUNT; max of a text: see args_max() */
	const char *choices; /* "RO|RW" */
	const char *def;     /* the default, for help and schema */
	const char
	    *window; /* default where replies come in windows, if different */
	const char *unless; /* ARG_REQUIRED, except with this flag */
};

/* The table of an operation that takes none. */
extern const struct arg_spec args_none[];

struct arg {
	const struct arg_spec *spec;
	const char *shown; /* its name for the caller, in errors: the table's
			      name unless a door sets another */
	struct strs text;  /* as given */
	bool file; /* it names a file, and the gate replaces it by the file's
		      text: below attach_dir, if there is one */
	const uint32_t *uid; /* ARG_UID, ARG_UIDS: ascending, no doubles */
	size_t uids;
	uint32_t count;
	int64_t date_s;
};

/* A file that an argument names, as the caller has opened it for itself. */
struct args_file {
	struct str path; /* as the argument names it */
	uint64_t device, inode;
	/* errno of a caller that could not; -1: it is no regular file; 0 */
	int error;
	bool folder;     /* of an ARG_SAVES */
	struct str text; /* of an ARG_LONG_TEXT: what the caller read */
};

struct args_files {
	struct args_file *v;
	size_t n;
	bool none; /* its calls come by a way that no file can go */
};

struct args {
	const struct arg_spec *table;
	struct arg *v; /* one for each row of the table, in order */
	size_t n;
	/*
	 * The caller is another process, of another user, and these are its
	 * files: none is read that it could not open itself.  NULL: the caller
	 * is this process.
	 */
	const struct args_files *files;
};

/* Of that name; one that could not be opened if the caller sent none. */
const struct args_file *args_file(const struct args *args, struct str path);

/* Does every call need it? */
static inline bool
args_is_required(const struct arg_spec *s)
{
	return (s->flags & ARG_REQUIRED) && s->unless == NULL;
}

/* Is its value a number, or several numbers? */
bool args_is_number(const struct arg_spec *s);
/* How many bytes a text may have. */
size_t args_max(const struct arg_spec *s);
/* An empty set for that table. */
void args_init(struct args *args, const struct arg_spec *table,
    struct arena *a);
/* The row of that name ("reply_to" and "reply-to" both), or NULL. */
struct arg *args_find(const struct args *args, struct str name);
/* Adds a value; ERR_USAGE for a second one if only one is allowed. */
int args_add(struct args *args, struct arena *a, struct arg *arg,
    struct str value, struct err *e);
/*
 * Checks that everything required is given and each value has its type.
 * ERR_USAGE.
 */
int args_check(struct args *args, struct arena *a, struct err *e);

bool args_has(const struct args *args, const char *name);
/* The same of a table that may not have that row. */
bool args_given(const struct args *args, const char *name);
/* The value, or the row's default, or an empty string. */
struct str args_text(const struct args *args, const char *name);
const struct strs *args_list(const struct args *args, const char *name);
uint32_t args_count(const struct args *args, const char *name, uint32_t def);
uint32_t args_uid(const struct args *args, const char *name);
int64_t args_date(const struct args *args, const char *name);

#endif
