#ifndef STORE_OPENING_H
#define STORE_OPENING_H

/* What opening a store takes. */
#include "store/internal.h"

/* -- connect.c ----------------------------------------------------------- */

/* Opens the file, which is there, and sets the connection up.  No key yet. */
int store_connect_open(const char *path, struct store **out, struct err *e);

/* -- file.c -------------------------------------------------------------- */

/*
 * 1 when there is a database file and it is fit to be used, 0 when there is
 * none.  *was is its mode when others may read it, else 0.  ERR_CONFIG for one
 * that others own or may write to.
 */
int store_file_check(const char *path, mode_t *was, struct err *e);
/* Takes others' permissions off. */
void store_file_shut(const char *path);
/* ERR_CONFIG when others may replace files in its folder, which is there. */
int store_file_guarded(const char *path, struct err *e);
/* Makes the folder it is in, mode 0700, where missing. */
int store_file_folder(const char *path, struct err *e);
/* Makes an empty one, mode 0600, and its folder, mode 0700, where missing. */
int store_file_make(const char *path, struct err *e);

/* -- migrate.c ----------------------------------------------------------- */

struct migration {
	int version; /* from 1, without gaps; 0 ends the list */
	const char *checksum;
	const char *sql;
};

/* Made by tools/migrations out of migrations/NNN_*.sql. */
extern const struct migration migrations_all[];

/* Has it been an emcli store before?  1, 0, -1. */
int migrate_known(struct store *s, struct err *e);
/*
 * Applies what is missing, each in a transaction of its own.  ERR_CONFIG when
 * one that was applied has changed, or when the store is newer than we are.
 */
int migrate_run(struct store *s, const struct migration *list, struct err *e);

/* -- refused.c ----------------------------------------------------------- */

/* A row of the audit log: the operator's key was given, and was none. */
void store_refused_note(const char *path, const struct store_keys *k,
    const struct err *why);

#endif
