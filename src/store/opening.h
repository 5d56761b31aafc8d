/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_OPENING_H
#define STORE_OPENING_H

/* Steps of opening a store. */
#include "store/internal.h"

/* -- connect.c ----------------------------------------------------------- */

/*
 * Opens an existing file and sets up the connection, without a key.  A file
 * that is no store is not written.
 */
int store_connect_open(const char *path, struct store **out, struct err *e);
/* Before a file becomes a store. */
int store_connect_use_wal(struct store *s, struct err *e);

/* opened.c: so many more. */
void store_opened(int more);

/* same.c: for store_same(), before anything is read. */
void store_same_note(struct store *s);

/* again.c: before the keeper is asked anything. */
void store_again_note(struct store *s, const char *path);

/* -- open.c -------------------------------------------------------------- */

/* ERR_CONFIG: there is no database at that path. */
int store_open_no_database(const char *path, struct err *e);
/* Makes a connected store the operator's, whose key opens it.  ERR_CONFIG. */
struct key;
int store_open_operate(struct store *s, const struct key *k, struct err *e);
/*
 * Opens a copy that this process has made, as the operator: migrations keep no
 * copy of it.
 */
int store_open_draft(const char *path, const struct store_keys *k,
    struct store **out, struct err *e);

/* -- file.c -------------------------------------------------------------- */

/*
 * 1 if there is a usable database file, 0 if there is none.  *was is its mode
 * if others may read it, else 0.  ERR_CONFIG if others own it or may write to
 * it.
 */
int store_file_check(const char *path, mode_t *was, struct err *e);
/* Removes the permissions of others. */
void store_file_shut(const char *path);
/* ERR_CONFIG if others may replace files in its folder, which exists. */
int store_file_guarded(const char *path, struct err *e);
/* Creates its folder, mode 0700, if it is missing. */
int store_file_folder(const char *path, struct err *e);
/* Creates an empty file, mode 0600, and its folder, mode 0700, if missing. */
int store_file_make(const char *path, struct err *e);

/* -- migrate.c ----------------------------------------------------------- */

struct migration {
	int version; /* from 1, without gaps; 0 ends the list */
	const char *checksum;
	const char *sql;
};

/* Made by tools/migrations out of migrations/NNN_*.sql. */
extern const struct migration migrations_all[];

/* Was it an emcli store before?  1, 0, -1. */
int migrate_known(struct store *s, struct err *e);
/* Is the table of migrations as emcli makes it?  Reads none of it.  1, 0, -1.
 */
int migrate_is_ours(struct store *s, struct err *e);
/*
 * Applies all missing migrations, or none.  Of a store that had some before,
 * a copy is made first (copy_before.c).  ERR_CONFIG if an applied one
 * has changed, or if the store is newer than this emcli; ERR_DB.
 */
int migrate_run(struct store *s, const struct migration *list, struct err *e);

/* The version of today. */
int64_t migrate_newest(void);
/* ERR_CONFIG as from migrate_run(), which would refuse it; changes nothing. */
int migrate_fits(struct store *s, struct err *e);

/* -- check_bound.c ------------------------------------------------------- */

/* A check of the file: CLEANUP(check_bound_end). */
struct check_bound {
	struct store *s; /* NULL: none */
	int64_t end_ms;  /* on clock_mono_ms() */
	int length, pattern;
};
/*
 * Until it ends, the file's constraints are not evaluated, other expressions of
 * the file have little memory, and everything is interrupted at that time.
 */
void check_bound_begin(struct store *s, int64_t end_ms, struct check_bound *b);
/* -1, with ERR_LIMIT in place of *e if that was why. */
int check_bound_fail(const struct check_bound *b, struct err *e);
void check_bound_end(struct check_bound *b);

/* -- check_numbers.c ------------------------------------------------------- */

/* Can the numbers that rows were given be emcli's?  1, 0, -1. */
int check_numbers(struct store *s, struct err *e);

/* -- look.c -------------------------------------------------------------- */

/* Opens a store without a key, as it is.  1; 0: there is none; -1. */
int store_look_open(const char *path, struct store **out, struct err *e);

/* -- refused.c ----------------------------------------------------------- */

/* Writes an audit row: an operator's key was given and was wrong. */
void store_refused_note(const char *path, const struct store_keys *k,
    const struct err *why);

#endif
