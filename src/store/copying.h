#ifndef STORE_COPYING_H
#define STORE_COPYING_H

/* Steps of copying a store; copy.c. */
#include "store/copy.h"
#include "store/internal.h"

/* A database without keys: CLEANUP(store_copy_close) sqlite3 *db.  ERR_CONFIG.
 */
int store_copy_open(const char *path, bool writes, sqlite3 **out,
    struct err *e);
void store_copy_close(sqlite3 **db);
/* All of a database in place of another, or nothing.  ERR_CONFIG. */
int store_copy_pages(sqlite3 *from, sqlite3 *to, struct err *e);

#endif
