/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of SQLite: transactions, the schema, the connection. */
#include "store/sqlite.h"

#include "store/chain.h"
#include "store/internal.h"

int
sqlite_open(struct store *s, const char *name, int flags)
{
	sqlite3 *db = NULL;
	int r = sqlite3_open_v2(name, &db, flags, NULL);

	s->driver = &sqlite_driver;
	s->db = db;
	return r;
}

static void
sqlite_close(struct store *s)
{
	if (sqlite3_close(s->db) != SQLITE_OK)
		err_bug("store: closed with a statement open");
	s->db = NULL;
}

/* -- transactions ---------------------------------------------------------- */

static int
sqlite_begin(struct store *s, enum driver_begin how, struct err *e)
{
	return sqlite_stmt_exec(s,
	    how == DRIVER_READ ? "BEGIN" : "BEGIN IMMEDIATE", e);
}

static int
sqlite_commit(struct store *s, struct err *e)
{
	return sqlite_stmt_exec(s, "COMMIT", e);
}

static void
sqlite_rollback(struct store *s)
{
	/*
	 * Some errors have already rolled back; then this one fails,
	 * harmlessly.
	 */
	(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

static bool
sqlite_in_transaction(const struct store *s)
{
	return sqlite3_get_autocommit(s->db) == 0;
}

/* Whoever writes is alone.  Other chains came from a server, and stay. */
static int
sqlite_chain(struct store *s, int want, int *out, struct err *e)
{
	(void)s;
	(void)e;
	*out = want < 0 ? 0 : want;
	return 0;
}

static int
sqlite_begin_append(struct store *s, int want, int *out, struct err *e)
{
	(void)sqlite_chain(s, want, out, e);
	return sqlite_begin(s, DRIVER_WRITE, e);
}

/* SQLite itself would number it above all others. */
static const char asked[] =
    "INSERT INTO audit_log"
    " (id, ts, principal, account, action, target, result, reason, state)"
    " VALUES (CASE WHEN EXISTS (SELECT 1 FROM sqlite_sequence"
    " WHERE name GLOB 'audit_l*.*') THEN coalesce((SELECT seq"
    " FROM sqlite_sequence WHERE name = 'audit_log'), 0) + 1 END,"
    " ?1, ?2, ?3, ?4, ?5, 'blocked', 'interrupted', 'asked')"
    " RETURNING id";

static int
sqlite_durable(struct store *s, bool on, struct err *e)
{
	return sqlite_stmt_exec(s,
	    on ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL",
	    e);
}

/* -- the schema ------------------------------------------------------------ */

static int
sqlite_has_table(struct store *s, const char *table, struct err *e)
{
	static const char sql[] = "SELECT 1 FROM main.sqlite_master"
				  " WHERE type = 'table' AND name = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;

	/* The usual case, and faster; what is not found may be an error. */
	if (sqlite3_table_column_metadata(s->db, "main", table, NULL, NULL,
		NULL, NULL, NULL, NULL) == SQLITE_OK)
		return 1;
	if (stmt_ask(s, e, sql, &st, V(str_of(table))) < 0)
		return -1;
	return stmt_step(s, st, e);
}

static int
sqlite_given(struct store *s, const char *table, int chain, int64_t *out,
    struct err *e)
{
	char name[CHAIN_COUNTER];
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, "SELECT seq FROM sqlite_sequence WHERE name = ?1",
		&st, V(chain_counter(table, chain, name))) < 0)
		return -1;
	r = stmt_step(s, st, e);
	*out = r == 1 ? stmt_column_int(st, 0) : 0;
	return r < 0 ? -1 : 0;
}

/* A row that has a number is counted as it is written, at no cost. */
static int
sqlite_load(struct store *s, bool on, struct err *e)
{
	(void)s;
	(void)on;
	(void)e;
	return 0;
}

/* Whoever can write to the file can. */
static int
sqlite_owns(struct store *s, struct err *e)
{
	(void)s;
	(void)e;
	return 1;
}

static int
sqlite_migrated(struct store *s, struct err *e)
{
	(void)s;
	(void)e;
	return 0;
}

/* emcli's are far shorter, and fewer: what is cut is not emcli's. */
static const char parts[] = "SELECT type || ' ' || substr(name, 1, 256),"
			    " substr(sql, 1, 65536) FROM sqlite_master"
			    " WHERE substr(name, 1, 11) <> 'sqlite_stat'"
			    " ORDER BY 1 LIMIT 1000";

static const char size[] = "SELECT c.page_count * s.page_size FROM"
			   " pragma_page_count c, pragma_page_size s";

static const char column_default[] =
    "SELECT dflt_value FROM pragma_table_info(?1) WHERE name = ?2";

static int
sqlite_empty(struct store *s, struct store *out, struct err *e)
{
	const int flags =
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;

	(void)s;
	return sqlite_open(out, ":memory:", flags) == SQLITE_OK
	    ? 0
	    : sqlite_fail(out, e);
}

/* -- the connection -------------------------------------------------------- */

static void
sqlite_touched(void *store, int what, const char *db, const char *table,
    sqlite3_int64 row)
{
	(void)what;
	(void)db;
	(void)row;
	signed_copy_touched(store, table);
}

static void
sqlite_be_operator(struct store *s)
{
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	(void)sqlite3_update_hook(s->db, sqlite_touched, s);
}

/*
 * A checkpoint at its end would cost more than everything else.  The WAL is
 * left to the next one; a commit after 200 pages empties it, so that reading it
 * takes less than 1 ms.
 */
static void
sqlite_be_short(struct store *s)
{
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
	    NULL);
	(void)sqlite3_wal_autocheckpoint(s->db, 200);
}

static int
sqlite_version(struct store *s, int64_t *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (stmt_prepare(s, "PRAGMA data_version", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column_int(st, 0);
	return 0;
}

static bool
sqlite_scrub(struct store *s)
{
	return sqlite3_wal_checkpoint_v2(s->db, NULL,
		   SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL) == SQLITE_OK;
}

const struct driver sqlite_driver = {
	.name = "sqlite",
	.is_file = true,
	.few = 32,
	.close = sqlite_close,
	.prepare = sqlite_stmt_prepare,
	.finish = sqlite_stmt_finish,
	.bind = sqlite_stmt_bind,
	.step = sqlite_stmt_step,
	.reset = sqlite_stmt_reset,
	.columns = sqlite_stmt_columns,
	.column_name = sqlite_stmt_column_name,
	.type = sqlite_stmt_type,
	.number = sqlite_stmt_number,
	.bytes = sqlite_stmt_bytes,
	.changes = sqlite_stmt_changes,
	.exec = sqlite_stmt_exec,
	.begin = sqlite_begin,
	.commit = sqlite_commit,
	.rollback = sqlite_rollback,
	.in_transaction = sqlite_in_transaction,
	.begin_append = sqlite_begin_append,
	.chain = sqlite_chain,
	.asked = asked,
	.durable = sqlite_durable,
	.has_table = sqlite_has_table,
	.given = sqlite_given,
	.load = sqlite_load,
	.migrate = sqlite_stmt_exec,
	.owns = sqlite_owns,
	.migrated = sqlite_migrated,
	.parts = parts,
	.column_default = column_default,
	.size = size,
	.empty = sqlite_empty,
	.be_operator = sqlite_be_operator,
	.be_short = sqlite_be_short,
	.version = sqlite_version,
	.scrub = sqlite_scrub,
};
