/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_SQL_H
#define STORE_POSTGRES_SQL_H

/*
 * The store's SQL in PostgreSQL's words.  A statement of the store is one text;
 * where the two databases differ, a row of a table here says how.
 */
#include <stdbool.h>

#include "base/buf.h"

struct postgres_sql {
	struct str text;  /* with $1 for ?1, and a NUL after it */
	struct str table; /* that it writes; empty: none */
	bool writes;
	bool schema; /* it creates or alters tables */
};

/* In the arena.  The text may be several statements. */
void postgres_sql_of(struct str sql, struct arena *a, struct postgres_sql *out);

#endif
