/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

/*
 * Shared by the room's files: the handle, statements, transactions.  SQL is
 * always static text, never assembled from strings.
 */
#include <sqlite3.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"
#include "store/keeper.h"
#include "store/signed.h"
#include "store/store.h"

struct signed_set;

/* A file that SQLite has open: the database, its log, the log's index. */
enum {
	STORE_FILES = 3
};
struct store_file {
	dev_t dev;
	ino_t ino;
};

struct store {
	sqlite3 *db;
	struct secret *dek; /* what seals the accounts' secrets; only keeper.c,
			     * and the files that change it, use it */
	struct store_keeper keeper; /* STORE_SERVED: who has it instead */
	struct secret
	    *audit_key;    /* for the chain's signatures; the operator's */
	int64_t dek_count; /* how often the DEK had changed when it was read */
	enum store_role role;
	bool older;                /* than signed copies of the rows */
	bool taken;                /* it was older when it was opened */
	bool draft;                /* nobody else has it: store_open_draft() */
	struct store_taken took;   /* with this in it */
	struct signed_set *before; /* rows before the transaction */
	struct arena *before_in;
	struct outbox_lock *sending; /* outbox_lock.c; NULL: nothing */
	int64_t version;             /* same.c */
	bool durable;                /* durable.c */
	int64_t busy_ms;             /* connect.c: since when it waits */
	struct store_file file[STORE_FILES]; /* again.c: at these names, */
	unsigned char opened[32];            /* and with this in it */
	mode_t mode_was; /* the file's mode if others could read it; else 0 */
};

/* -- stmt.c -------------------------------------------------------------- */

int stmt_prepare(struct store *s, const char *sql, sqlite3_stmt **out,
    struct err *e);
void stmt_done(sqlite3_stmt **st);
/*
 * From now on statements of this store are kept when they are done, and are not
 * prepared again.  A process has one such store; any other keeps none.
 */
void stmt_keep(struct store *s);
/* None is in use. */
bool stmt_rested(const struct store *s);
/* Before it is closed. */
void stmt_drop(struct store *s);
/* Parameters count from 1.  The bytes are borrowed until the step. */
void stmt_text(sqlite3_stmt *st, int i, struct str s);
void stmt_text_or_null(sqlite3_stmt *st, int i, struct str s);
void stmt_int(sqlite3_stmt *st, int i, int64_t n);
void stmt_blob(sqlite3_stmt *st, int i, struct str s);
/* 1 for a row, 0 at the end, -1. */
int stmt_step(struct store *s, sqlite3_stmt *st, struct err *e);
/* Runs a statement without rows, and resets it for the next run. */
int stmt_run(struct store *s, sqlite3_stmt *st, struct err *e);
/* A parameter: V() of a text or a number. */
struct stmt_value {
	enum {
		STMT_NULL,
		STMT_TEXT,
		STMT_BLOB,
		STMT_INT
	} type;
	struct str s;
	int64_t n;
};
struct stmt_value stmt_v_text(struct str s);
struct stmt_value stmt_v_int(int64_t n);
struct stmt_value stmt_v_blob(struct str s);
struct stmt_value stmt_v_or_null(struct str s);
#define V(...)                                                                 \
	_Generic((__VA_ARGS__), struct str                                     \
		 : stmt_v_text, default                                        \
		 : stmt_v_int)(__VA_ARGS__)
#define STMT_VALUES(...)                                                       \
	(const struct stmt_value[]){ __VA_ARGS__ },                            \
	    sizeof((const struct stmt_value[]){ __VA_ARGS__ }) /               \
	    sizeof(struct stmt_value)
/* Prepares a statement and binds the values, whose bytes are borrowed. */
#define stmt_ask(s, e, sql, out, ...)                                          \
	stmt_ask_values(s, e, sql, out, STMT_VALUES(__VA_ARGS__))
int stmt_ask_values(struct store *s, struct err *e, const char *sql,
    sqlite3_stmt **out, const struct stmt_value *v, size_t n);
/* Runs a statement that has no rows with the values. */
#define stmt_do(s, e, sql, ...)                                                \
	stmt_do_values(s, e, sql, STMT_VALUES(__VA_ARGS__))
int stmt_do_values(struct store *s, struct err *e, const char *sql,
    const struct stmt_value *v, size_t n);
/* Columns count from 0; a copy in the arena; NULL becomes the empty string. */
struct str stmt_column(sqlite3_stmt *st, int i, struct arena *a);
uint32_t stmt_column_u32(sqlite3_stmt *st, int i);
/* Runs fixed SQL with any number of statements. */
int stmt_exec(struct store *s, const char *sql, struct err *e);
/*
 * ERR_DB with SQLite's reason as detail; ERR_NOT_FOUND if the row's account
 * does not exist.
 */
int stmt_fail(struct store *s, struct err *e);
/* Of a write that found no room: has a table no number for its next row? */
bool stmt_last(struct store *s);
int stmt_last_fail(struct err *e);

/* -- tx.c ---------------------------------------------------------------- */

/* CLEANUP(tx_done) struct tx t = { 0 }: rolled back unless committed. */
struct tx {
	struct store *s;
};

/*
 * Takes the write lock at once: a read that becomes a write would fail if
 * another process wrote in between, whatever the timeout.
 */
int tx_begin(struct store *s, struct tx *t, struct err *e);
/* All reads see the same moment; nothing is written. */
int tx_begin_read(struct store *s, struct tx *t, struct err *e);
int tx_commit(struct tx *t, struct err *e);
void tx_done(struct tx *t);

/* -- key.c, setting.c ---------------------------------------------------- */

/* Refuses a store that was not opened as the operator. */
int store_key_need_admin(const struct store *s, struct err *e);
/*
 * purge.c.  Runs `drop` if `find` has a row: both with the time before which
 * rows are older than the audit log's retention.
 */
int purge_old(struct store *s, int64_t now_s, const char *find,
    const char *drop, struct err *e);
/* How long rows are kept; 0: forever. */
int store_setting_days(struct store *s, uint32_t *days, struct err *e);

/*
 * SQL: the agent that the parameter names, and those that share a user of the
 * machine with it: what one of them sent, read or claimed counts for all.
 */
#define STORE_KIN(name)                                                        \
	"(SELECT " name " UNION"                                               \
	" SELECT b.name FROM agent a JOIN agent_uid u ON u.agent_id = a.id"    \
	" JOIN agent_uid v ON v.uid = u.uid"                                   \
	" JOIN agent b ON b.id = v.agent_id WHERE a.name = " name ")"

#endif
