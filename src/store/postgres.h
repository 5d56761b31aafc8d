/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_H
#define STORE_POSTGRES_H

/* The driver of PostgreSQL.  s->db is a struct postgres. */
#include "store/driver.h"
#include "store/internal.h"
#include "store/postgres_library.h"
#include "store/postgres_sql.h"
#include "store/postgres_uri.h"

enum {
	/* How long a connection may take, an answer, and the wait for a lock:
	 * milliseconds.  Of an operator's command an answer may take longer,
	 * for it may read everything, but not so long that of a commit.  All
	 * waits of a call together end with it: store/until.h. */
	POSTGRES_CONNECT_MS = 10000,
	POSTGRES_ANSWER_MS = 60000,
	POSTGRES_OPERATOR_MS = UNTIL_OPERATOR_MS,
	POSTGRES_COMMIT_MS = 300000,
	POSTGRES_LOCK_MS = 10000,
	POSTGRES_PARAMETERS = 128,
	POSTGRES_NAME = 24,       /* bytes of a prepared statement's name */
	POSTGRES_OLDEST = 130000, /* the oldest server, as libpq counts */
};

/* postgres_known.c: what is prepared. */
struct postgres_known;

struct postgres_stmt;

struct postgres {
	PGconn *c;       /* NULL: lost */
	struct arena *a; /* as long as this */
	struct postgres_uri uri;
	struct postgres_known *known;
	struct postgres_stmt *reading; /* its rows are still to be read */
	int64_t changes;
	bool open, writes;         /* a transaction; it writes */
	bool durable, operates;    /* as the driver was told */
	bool draft;                /* postgres_schema.c: of empty() */
	bool warned;               /* the server warned of something */
	char options[500];         /* of a session; a parameter of uri */
	char xid[24], history[48]; /* of the transaction that writes, */
	int pid;                   /* and of the process that does it */
	char said[200]; /* ERR_CONFIG: why nothing may be done; or empty */
};

/* What a row of a result has. */
struct postgres_cell {
	enum stmt_type type;
	int64_t n;
	struct str s;
	char digits[24]; /* of a number */
};

struct postgres_stmt {
	struct arena *a;
	struct postgres *pg;
	struct postgres_sql sql;
	uint64_t hash;
	int n; /* parameters */
	struct stmt_value v[POSTGRES_PARAMETERS];
	/* The results that were read, of which one is at hand. */
	PGresult **results;
	size_t have, at;
	int row;
	bool ran, ended;
	struct postgres_cell *cells;
	int columns;
};

extern const struct driver postgres_driver;

/* -- postgres_connect.c ---------------------------------------------------- */

/* Connects s, which is closed by the driver's close().  ERR_CONFIG, ERR_DB. */
int postgres_connect(struct store *s, const char *uri, struct err *e);
/* A connection of its own to the same server, as it is now. */
PGconn *postgres_connect_more(struct store *s, struct err *e);
/* Before a request: connects again if the last connection was lost. */
int postgres_connect_again(struct store *s, struct err *e);

/* -- postgres_password.c --------------------------------------------------- */

/*
 * systemd's credential emcli-pgpass as a file in memory, for libpq.  The caller
 * closes it, after an error, too.  -1 in *out: there is none, or PGPASSFILE is
 * set.  ERR_CONFIG.
 */
int postgres_password_open(int *out, struct err *e);

/* -- postgres_lost.c ------------------------------------------------------- */

/* The connection is of no more use. */
void postgres_lost(struct store *s);

/* -- postgres_wait.c ------------------------------------------------------- */

/*
 * Until the socket can be read or written, whichever is asked.  All waits are
 * here, and count as time of s.  0, -1.
 */
int postgres_wait_poll(struct store *s, PGconn *c, bool reads, bool writes,
    int64_t end_ms);
/* Is there something to be read now? */
bool postgres_wait_ready(PGconn *c);
/* The next result of what was sent; NULL at its end.  -1: lost. */
int postgres_wait(struct store *s, PGresult **out, struct err *e);
/*
 * The same on that connection, in the time that s has.  -1: it is lost, or the
 * time is over.
 */
int postgres_wait_on(struct store *s, PGconn *c, int64_t end_ms,
    PGresult **out);
/* Sends that and waits: its last result, for the caller.  NULL: none came. */
PGresult *postgres_wait_ask(struct store *s, PGconn *c, const char *sql,
    int64_t end_ms);
/*
 * To the end of what was sent: the last rows, or NULL, which the caller clears.
 * -1 with the first error.
 */
int postgres_wait_all(struct store *s, PGresult **rows, struct err *e);

/* -- postgres_fail.c ------------------------------------------------------- */

/* The error of a result.  -1. */
int postgres_fail(struct store *s, const PGresult *r, struct err *e);
/* The same of a connection that is not the store's, which goes on.  -1. */
int postgres_fail_other(struct store *s, const PGresult *r, struct err *e);
/* The connection was lost.  -1. */
int postgres_fail_lost(struct store *s, struct err *e);
/* A pool is there that EMCLI_DB does not say.  -1. */
int postgres_fail_pool(struct err *e);
/* It could not be made; what libpq says of it.  -1. */
int postgres_fail_connect(struct store *s, const char *words, struct err *e);

/* -- postgres_read.c ------------------------------------------------------- */

/* Reads one more result: 1 if there are rows in it, 0 at the end, -1. */
int postgres_read_more(struct store *s, struct postgres_stmt *of,
    struct err *e);
/* The statement has that result, which it clears. */
void postgres_read_put(struct postgres_stmt *of, PGresult *r);
/* Takes in what is left to be read, so that something else can be sent. */
int postgres_read_settle(struct store *s, struct err *e);

/* -- postgres_pipeline.c --------------------------------------------------- */

/*
 * What reads, in a transaction of its own and in one round trip: between the
 * two the statement is sent.  -1: the transaction is gone.
 */
int postgres_pipeline_begin(struct store *s, struct err *e);
int postgres_pipeline_end(struct store *s, struct postgres_stmt *of,
    struct err *e);

/* -- postgres_exec.c ------------------------------------------------------- */

/* Runs it; the last rows, or NULL, which the caller clears. */
int postgres_exec(struct store *s, const char *sql, PGresult **rows,
    struct err *e);

/* -- postgres_known.c ------------------------------------------------------ */

/* How a statement is run. */
enum postgres_use {
	POSTGRES_ONCE,    /* with its text */
	POSTGRES_PREPARE, /* under that name, then it is known */
	POSTGRES_KNOWN,   /* under that name */
};
/* With parameters of these types, of which 0 is that of a NULL. */
enum postgres_use postgres_known_find(struct postgres *pg,
    const struct postgres_stmt *st, const Oid *types, char name[POSTGRES_NAME]);
/* It was prepared under that name. */
void postgres_known_prepared(struct postgres *pg,
    const char name[POSTGRES_NAME]);
void postgres_known_forget(struct postgres *pg);

/* -- postgres_row.c -------------------------------------------------------- */

/* Reads the row that is at hand into the cells. */
void postgres_row_read(struct postgres_stmt *st);

/* -- postgres_stmt.c: the driver's functions about statements -------------- */

int postgres_stmt_prepare(struct stmt *st, bool keep, struct err *e);
void postgres_stmt_finish(struct stmt *st);
void postgres_stmt_bind(struct stmt *st, int i, const struct stmt_value *v);
int postgres_stmt_step(struct stmt *st, struct err *e);
void postgres_stmt_reset(struct stmt *st, bool unbind);
int postgres_stmt_columns(struct stmt *st);
const char *postgres_stmt_column_name(struct stmt *st, int i);
enum stmt_type postgres_stmt_type(struct stmt *st, int i);
int64_t postgres_stmt_number(struct stmt *st, int i);
struct str postgres_stmt_bytes(struct stmt *st, int i);
int64_t postgres_stmt_changes(struct store *s);
int postgres_stmt_exec(struct store *s, const char *sql, struct err *e);

/* -- postgres_tx.c --------------------------------------------------------- */

/* SQL: what a session behind a pool does not have, or nothing.  No text in it
 * has a semicolon. */
void postgres_tx_settings(const struct postgres *pg, struct buf *b);
int postgres_tx_begin(struct store *s, enum driver_begin how, struct err *e);
int postgres_tx_begin_append(struct store *s, int want, int *out,
    struct err *e);
int postgres_tx_commit(struct store *s, struct err *e);
void postgres_tx_rollback(struct store *s);
bool postgres_tx_open(const struct store *s);

/* -- postgres_log.c -------------------------------------------------------- */

/* The driver's functions for adding to the audit log. */
int postgres_log_chain(struct store *s, int want, int *out, struct err *e);
extern const char postgres_log_asked[];
/* The number of the chain that the transaction took last; empty: none. */
#define POSTGRES_LOG_SETTING "emcli.chain"
#define POSTGRES_LOG_CHAIN "current_setting('" POSTGRES_LOG_SETTING "', true)"
/* SQL that locks out all others that add to the log. */
void postgres_log_put_alone(const struct postgres *pg, struct buf *b);
/* SQL that takes that chain, -1: any; perhaps none is free. */
void postgres_log_put(const struct postgres *pg, int want, struct buf *b);
/* Whether one was taken: its number, from a column of POSTGRES_LOG_CHAIN. */
bool postgres_log_read(const PGresult *r, int column, int *out);
/* None was free: waits for one. */
int postgres_log_wait(struct store *s, int *out, struct err *e);

/* -- postgres_commit.c ----------------------------------------------------- */

/*
 * SQL: by these the outcome of a transaction that writes is found if its
 * connection is lost, and its wait for a replica is ended.
 */
#define POSTGRES_COMMIT_NOTE                                                   \
	"SELECT "                                                              \
	"pg_catalog.pg_current_xact_id()::text, " POSTGRES_OUTCOME_HISTORY     \
	", pg_catalog.pg_backend_pid()"
enum {
	POSTGRES_COMMIT_NOTES = 3 /* columns of it */
};
/* Keeps that. */
void postgres_commit_note(struct postgres *pg, const PGresult *r);
/*
 * Commits the transaction of which it is known, in so many milliseconds or
 * what the call has left.  pg->warned: it is on the disk, and may be on no
 * replica.
 */
int postgres_commit(struct store *s, int64_t most_ms, struct err *e);

/* -- postgres_outcome.c ---------------------------------------------------- */

/* SQL: this transaction's commit is on the disk, and with a replica where the
 * server is set so; what is stronger stays. */
extern const char postgres_outcome_durable[];
/*
 * SQL: the timeline and the last checkpoint.  A failover changes the one, and
 * the recovery after a crash the other: then another transaction may have a
 * number that was given before.
 */
#define POSTGRES_OUTCOME_HISTORY                                               \
	"substr(pg_catalog.pg_walfile_name("                                   \
	"pg_catalog.pg_current_wal_insert_lsn()), 1, 8) || ' ' ||"             \
	" (SELECT checkpoint_lsn FROM pg_catalog.pg_control_checkpoint())"
/*
 * r is what came of a COMMIT that writes, with its error in *e; pg->warned is
 * of it.  0: it was written, and no wait for a replica was cut off.
 */
int postgres_outcome(struct store *s, int r, struct err *e);

/* -- postgres_roles.c ------------------------------------------------------ */

/* The driver's functions about roles. */
int postgres_roles_owns(struct store *s, struct err *e);
int postgres_roles_renew(struct store *s, struct err *e);
/* Until the transaction ends, as the owner of the schema, if it may be that:
 * what is created belongs to it, whoever migrates. */
int postgres_roles_be_owner(struct store *s, struct err *e);

/* -- postgres_schema.c ----------------------------------------------------- */

/* Before tables are made: the schema, and what numbers rows. */
int postgres_schema_base(struct store *s, struct err *e);
int postgres_schema_has_table(struct store *s, const char *table,
    struct err *e);
int postgres_schema_given(struct store *s, const char *table, int chain,
    int64_t *out, struct err *e);
int postgres_schema_load(struct store *s, bool on, struct err *e);
int postgres_schema_version(struct store *s, int64_t *out, struct err *e);
int postgres_schema_empty(struct store *s, struct store *out, struct err *e);
void postgres_schema_be_operator(struct store *s);
extern const char postgres_schema_parts[], postgres_schema_default[],
    postgres_schema_size[];

/* -- postgres_about.c ------------------------------------------------------ */

/* In words: the server, how it is reached, what is in force. */
struct str postgres_about(struct store *s, struct arena *a);

#endif
