/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_STMT_H
#define STORE_STMT_H

/*
 * Statements: prepare, bind, step, read.  SQL is static text, or is made of
 * static texts; no value is ever put into it.
 */
#include "base/arena.h"
#include "store/driver.h"

/* -- stmt.c ---------------------------------------------------------------- */

/* CLEANUP(stmt_done) struct stmt *st = NULL. */
int stmt_prepare(struct store *s, const char *sql, struct stmt **out,
    struct err *e);
void stmt_done(struct stmt **st);
/* Parameters count from 1.  The bytes are borrowed until the step. */
void stmt_text(struct stmt *st, int i, struct str s);
void stmt_text_or_null(struct stmt *st, int i, struct str s);
void stmt_int(struct stmt *st, int i, int64_t n);
void stmt_blob(struct stmt *st, int i, struct str s);
/* 1 for a row, 0 at the end, -1. */
int stmt_step(struct store *s, struct stmt *st, struct err *e);
/* For the next run; the parameters stay. */
void stmt_reset(struct stmt *st);
/* Runs a statement without rows, and resets it for the next run. */
int stmt_run(struct store *s, struct stmt *st, struct err *e);
/* Runs an INSERT ... RETURNING of one number, and resets it. */
int stmt_insert(struct store *s, struct stmt *st, int64_t *id, struct err *e);
/* Rows that the last INSERT, UPDATE or DELETE changed. */
int64_t stmt_changes(struct store *s);
/* A parameter: V() of a text or a number. */
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
    struct stmt **out, const struct stmt_value *v, size_t n);
/* Runs a statement that has no rows with the values. */
#define stmt_do(s, e, sql, ...)                                                \
	stmt_do_values(s, e, sql, STMT_VALUES(__VA_ARGS__))
int stmt_do_values(struct store *s, struct err *e, const char *sql,
    const struct stmt_value *v, size_t n);
/* The same of an INSERT ... RETURNING of one number. */
#define stmt_add(s, e, sql, id, ...)                                           \
	stmt_add_values(s, e, sql, id, STMT_VALUES(__VA_ARGS__))
int stmt_add_values(struct store *s, struct err *e, const char *sql,
    int64_t *id, const struct stmt_value *v, size_t n);
/* Runs fixed SQL with any number of statements. */
int stmt_exec(struct store *s, const char *sql, struct err *e);

/* -- stmt_column.c: the row's columns, from 0 ------------------------------ */

/* A copy in the arena; NULL becomes the empty string. */
struct str stmt_column(struct stmt *st, int i, struct arena *a);
/* Borrowed until the next step.  NULL and empty: .p may be NULL. */
struct str stmt_column_raw(struct stmt *st, int i);
int64_t stmt_column_int(struct stmt *st, int i);
/* The nearest that there is. */
uint32_t stmt_column_u32(struct stmt *st, int i);
bool stmt_column_is_null(struct stmt *st, int i);
enum stmt_type stmt_column_type(struct stmt *st, int i);
int stmt_column_count(struct stmt *st);
const char *stmt_column_name(struct stmt *st, int i);

/* -- stmt_kept.c ----------------------------------------------------------- */

/*
 * From now on statements of this store are kept when they are done, and are not
 * prepared again.  A process has one such store; any other keeps none.
 */
void stmt_kept_begin(struct store *s);
/* None is in use. */
bool stmt_kept_rested(const struct store *s);
/* Before it is closed. */
void stmt_kept_end(struct store *s);
/* For stmt.c.  Does the store keep its statements? */
bool stmt_kept_by(const struct store *s);
/* One with that text that is not in use, or NULL. */
struct stmt *stmt_kept_find(const struct store *s, const char *sql);
/* Keeps one, if there is room. */
void stmt_kept_put(struct stmt *st);

#endif
