/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_DRIVER_H
#define STORE_DRIVER_H

/*
 * A database below the store: what each kind of database does in its own way.
 * Above it every statement is one text, in SQL that all kinds have in common or
 * that a driver translates.
 */
#include "base/err.h"
#include "base/str.h"

struct store;

/* A prepared statement.  store/stmt.h has what callers do with it. */
struct stmt {
	struct store *s;
	const char *sql; /* its own copy; may have been built */
	void *of;        /* the driver's own */
	bool kept, used; /* stmt_kept.c */
};

enum stmt_type {
	STMT_NULL,
	STMT_TEXT,
	STMT_BLOB,
	STMT_INT,
	STMT_REAL /* only in a column, and nothing of emcli's has one */
};

/* A parameter. */
struct stmt_value {
	enum stmt_type type;
	struct str s;
	int64_t n;
};

enum driver_begin {
	DRIVER_READ,  /* all reads see the same moment */
	DRIVER_WRITE, /* one such transaction at a time: waits for the lock */
	DRIVER_ALONE  /* and nobody else adds to the audit log meanwhile */
};

/* Why something failed: what is said of it is in driver.c. */
enum driver_reason {
	DRIVER_FAILED, /* another reason than these */
	DRIVER_BUSY,
	DRIVER_FULL,
	DRIVER_READONLY,
	DRIVER_DAMAGED,
	DRIVER_NO_ACCOUNT, /* the row refers to one that does not exist */
	DRIVER_TAKEN,      /* another row has what must be unique */
	DRIVER_LAST,       /* a table has no number for its next row */
	DRIVER_REASONS
};

/*
 * Functions that fail say so with driver_fail(), and add what the database said
 * with err_because().
 */
struct driver {
	const char *name; /* "sqlite" */
	bool is_file;     /* the store is a file: s->path */
	/* Up to so many runs of a statement cost less than one of a list. */
	size_t few;
	/* All statements are finished.  s stays the caller's. */
	void (*close)(struct store *s);

	/* -- statements: st->s and st->sql are set ----------------------- */
	/* keep: it will be run more than once. */
	int (*prepare)(struct stmt *st, bool keep, struct err *e);
	/* Frees st->of. */
	void (*finish)(struct stmt *st);
	/* Parameter i, from 1; the bytes are borrowed until the step. */
	void (*bind)(struct stmt *st, int i, const struct stmt_value *v);
	/* 1: a row, 0: the end, -1. */
	int (*step)(struct stmt *st, struct err *e);
	/* Ends a run; `unbind` forgets the parameters too. */
	void (*reset)(struct stmt *st, bool unbind);
	/* How many columns a row has, and their names, from 0. */
	int (*columns)(struct stmt *st);
	const char *(*column_name)(struct stmt *st, int i);
	/*
	 * Columns of the row.  NULL is 0 and { NULL, 0 }, which an empty value
	 * may be, too.  A number is also a text: its digits.  The bytes are
	 * borrowed until the next step.
	 */
	enum stmt_type (*type)(struct stmt *st, int i);
	int64_t (*number)(struct stmt *st, int i);
	struct str (*bytes)(struct stmt *st, int i);
	/* Rows that the last INSERT, UPDATE or DELETE changed. */
	int64_t (*changes)(struct store *s);
	/* Fixed SQL with any number of statements. */
	int (*exec)(struct store *s, const char *sql, struct err *e);

	/* -- transactions ------------------------------------------------ */
	int (*begin)(struct store *s, enum driver_begin how, struct err *e);
	int (*commit)(struct store *s, struct err *e);
	/* Harmless if the transaction is gone. */
	void (*rollback)(struct store *s);
	bool (*in_transaction)(const struct store *s);
	/*
	 * Begins a transaction that only adds to the audit log, perhaps while
	 * others do, with a chain as chain() takes it.
	 */
	int (*begin_append)(struct store *s, int want, int *out, struct err *e);
	/*
	 * Takes a chain of the audit log (store/chain_range.h) until the
	 * transaction ends, and nobody else adds to it: that of that number,
	 * or -1: any.  The next row is one of *out.
	 */
	int (*chain)(struct store *s, int want, int *out, struct err *e);
	/* SQL: a new row of the audit log, and its id. */
	const char *asked;
	/* Commits survive a power failure from now on, or need not again. */
	int (*durable)(struct store *s, bool on, struct err *e);

	/* -- the schema -------------------------------------------------- */
	/* Is there such a table?  1, 0, -1. */
	int (*has_table)(struct store *s, const char *table, struct err *e);
	/*
	 * The highest id that a table with AUTOINCREMENT ever gave, in that
	 * chain; 0: none.
	 */
	int (*given)(struct store *s, const char *table, int chain,
	    int64_t *out, struct err *e);
	/*
	 * From now on rows come with the numbers that they have, and none is
	 * counted; or no more.  Both in one transaction.
	 */
	int (*load)(struct store *s, bool on, struct err *e);
	/* Runs a migration's text. */
	int (*migrate)(struct store *s, const char *sql, struct err *e);
	/*
	 * May this connection change the schema, and delete what is old?  1,
	 * 0: another role does so; -1.
	 */
	int (*owns)(struct store *s, struct err *e);
	/* After migrations, in their transaction. */
	int (*migrated)(struct store *s, struct err *e);
	/*
	 * SQL: what the schema is made of, by name: "TYPE NAME" and its
	 * definition.
	 */
	const char *parts;
	/*
	 * SQL: the default of a column, as SQL has it, or NULL: ?1 is the
	 * table, ?2 the column.
	 */
	const char *column_default;
	/* SQL: how many bytes it has on the disk. */
	const char *size;
	/*
	 * Makes *out, which is zero, an empty database of this kind that is
	 * gone when driver_empty_close() closes it, which is called if
	 * this fails, too.
	 */
	int (*empty)(struct store *s, struct store *out, struct err *e);

	/* -- the connection ---------------------------------------------- */
	/*
	 * From now on no code of the database's runs (triggers, views), and
	 * signed_copy_touched() learns of each changed table.
	 */
	void (*be_operator)(struct store *s);
	/* This process is short: nothing is tidied at its end. */
	void (*be_short)(struct store *s);
	/* A number that changes when another connection has committed. */
	int (*version)(struct store *s, int64_t *out, struct err *e);
	/*
	 * Is what was overwritten gone from the database's logs, too?  False:
	 * others use the database, and it will be.
	 */
	bool (*scrub)(struct store *s);
};

/* ERR_DB, or ERR_NOT_FOUND: no such account.  Kept: driver_failed().  -1. */
int driver_fail(struct store *s, enum driver_reason why, struct err *e);
/* Why the last one failed. */
enum driver_reason driver_failed(const struct store *s);
/* What is said of it. */
const char *driver_says(enum driver_reason why);
/* Closes what the driver's empty() made. */
void driver_empty_close(struct store *s);

#endif
