/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli.sqlite's data about messages: the signature of each, the idempotency
 * key that created it, the state that protocol 1 has no columns for, and which
 * folders of messages were scanned.
 */
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

/* Runs a statement with up to four texts; NULL p binds NULL. */
static int
keep_run(struct db *d, const char *sql, const struct str *v, size_t n,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (v[i].p != NULL)
			db_stmt_text(st, (int)i + 1, v[i]);
	return db_stmt_run(d, st, e);
}

int
db_keep_mac_put(struct db *d, struct str id, struct str digest, struct str mac,
    struct err *e)
{
	static const char sql[] = "INSERT OR REPLACE INTO mac (message_id,"
				  " digest, mac) VALUES (?1, ?2, ?3)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	if (db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	db_stmt_text(st, 2, digest);
	db_stmt_blob(st, 3, mac);
	return db_stmt_run(d, st, e);
}

int
db_keep_mac(struct db *d, struct str id, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, "SELECT mac FROM mac WHERE message_id = ?1", &st,
		e) < 0)
		return -1;
	db_stmt_text(st, 1, id);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*out = db_stmt_column(st, 0, a);
	return r;
}

int
db_keep_mac_drop(struct db *d, const struct strs *ids, struct err *e)
{
	for (size_t i = 0; i < ids->n; i++)
		if (keep_run(d, "DELETE FROM mac WHERE message_id = ?1",
			&ids->v[i], 1, e) < 0)
			return -1;
	return 0;
}

int
db_keep_key_put(struct db *d, struct str address, struct str key,
    struct str digest, struct str id, struct err *e)
{
	const struct str v[] = { address, key, digest, id };

	return keep_run(d,
	    "INSERT INTO keys (address, key, digest, message_id)"
	    " VALUES (?1, ?2, ?3, ?4)",
	    v, 4, e);
}

int
db_keep_key(struct db *d, struct str address, struct str key, struct arena *a,
    struct str *digest, struct str *id, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d,
		"SELECT digest, message_id FROM keys WHERE address = ?1 AND"
		" key = ?2",
		&st, e) < 0)
		return -1;
	db_stmt_text(st, 1, address);
	db_stmt_text(st, 2, key);
	r = db_stmt_step(d, st, e);
	if (r == 1) {
		*digest = db_stmt_column(st, 0, a);
		*id = db_stmt_column(st, 1, a);
	}
	return r;
}

int
db_keep_box(struct db *d, struct str address, struct str id, struct str box,
    struct err *e)
{
	const struct str v[] = { address, id, box };

	if (keep_run(d,
		"INSERT INTO view (address, message_id, box) VALUES"
		" (?1, ?2, ?3) ON CONFLICT(address, message_id) DO UPDATE SET"
		" box = excluded.box",
		v, 3, e) < 0)
		return -1;
	return keep_run(d,
	    "INSERT OR REPLACE INTO moved (address, message_id)"
	    " VALUES (?1, ?2)",
	    v, 2, e);
}

int
db_keep_answered(struct db *d, struct str address, struct str id, bool yes,
    struct err *e)
{
	const struct str v[] = { address, id, yes ? S("1") : S("0") };

	return keep_run(d,
	    "INSERT INTO view (address, message_id, answered)"
	    " VALUES (?1, ?2, CAST(?3 AS INTEGER))"
	    " ON CONFLICT(address, message_id) DO UPDATE SET"
	    " answered = excluded.answered",
	    v, 3, e);
}

int
db_keep_forget(struct db *d, struct str address, struct err *e)
{
	if (keep_run(d, "DELETE FROM moved WHERE address = ?1", &address, 1,
		e) < 0)
		return -1;
	return keep_run(d, "DELETE FROM view WHERE address = ?1", &address, 1,
	    e);
}

int
db_keep_rename(struct db *d, struct str from, struct str to, struct err *e)
{
	const struct str v[] = { from, to };

	if (keep_run(d, "DELETE FROM moved WHERE address = ?1", &from, 1, e) <
	    0)
		return -1;
	return keep_run(d,
	    "UPDATE OR REPLACE view SET address = ?2 WHERE address = ?1", v, 2,
	    e);
}

int
db_keep_day(struct db *d, struct str day, int64_t *mtime_ns, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, "SELECT mtime_ns FROM days WHERE day = ?1", &st,
		e) < 0)
		return -1;
	db_stmt_text(st, 1, day);
	r = db_stmt_step(d, st, e);
	if (r == 1)
		*mtime_ns = db_stmt_number(st, 0);
	return r;
}

int
db_keep_day_put(struct db *d, struct str day, int64_t mtime_ns, struct err *e)
{
	static const char sql[] =
	    "INSERT OR REPLACE INTO days (day, mtime_ns) VALUES (?1, ?2)";
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;

	/* If a power failure loses this, the folder is scanned again. */
	if (db_stmt_exec(d, "PRAGMA synchronous = NORMAL", e) < 0 ||
	    db_stmt_prepare(d, sql, &st, e) < 0)
		return -1;
	db_stmt_text(st, 1, day);
	db_stmt_int(st, 2, mtime_ns);
	return db_stmt_run(d, st, e) < 0
	    ? -1
	    : db_stmt_exec(d, "PRAGMA synchronous = FULL", e);
}

int
db_keep_damaged_put(struct db *d, struct str name, struct str why,
    struct err *e)
{
	const struct str v[] = { name, why };

	return keep_run(d,
	    "INSERT OR REPLACE INTO damaged (name, why) VALUES (?1, ?2)", v, 2,
	    e);
}

int
db_keep_damaged(struct db *d, struct arena *a, struct strs *out, struct err *e)
{
	CLEANUP(db_stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (db_stmt_prepare(d, "SELECT name FROM damaged ORDER BY name", &st,
		e) < 0)
		return -1;
	while ((r = db_stmt_step(d, st, e)) == 1)
		str_push(a, out, db_stmt_column(st, 0, a));
	return r;
}

int
db_keep_damaged_clear(struct db *d, struct err *e)
{
	return db_stmt_exec(d, "DELETE FROM damaged; DELETE FROM days", e);
}
