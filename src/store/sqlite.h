/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_SQLITE_H
#define STORE_SQLITE_H

/*
 * The driver of SQLite, and SQLite itself for the files that are about a
 * store's file: its copies, its checks.  s->db is its connection.
 */
#include <sqlite3.h>

#include "store/driver.h"

/* -- sqlite.c -------------------------------------------------------------- */

extern const struct driver sqlite_driver;
/* As sqlite3_open_v2(), whose result it returns; s is closed if it fails, too.
 */
int sqlite_open(struct store *s, const char *name, int flags);

/* -- sqlite_fail.c --------------------------------------------------------- */

/* driver_fail() with the connection's last error.  -1. */
int sqlite_fail(struct store *s, struct err *e);

/* -- sqlite_stmt.c: the driver's functions about statements ---------------- */

int sqlite_stmt_prepare(struct stmt *st, bool keep, struct err *e);
void sqlite_stmt_finish(struct stmt *st);
void sqlite_stmt_bind(struct stmt *st, int i, const struct stmt_value *v);
int sqlite_stmt_step(struct stmt *st, struct err *e);
void sqlite_stmt_reset(struct stmt *st, bool unbind);
int sqlite_stmt_columns(struct stmt *st);
const char *sqlite_stmt_column_name(struct stmt *st, int i);
enum stmt_type sqlite_stmt_type(struct stmt *st, int i);
int64_t sqlite_stmt_number(struct stmt *st, int i);
struct str sqlite_stmt_bytes(struct stmt *st, int i);
int64_t sqlite_stmt_changes(struct store *s);
int sqlite_stmt_exec(struct store *s, const char *sql, struct err *e);

#endif
