/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_OPEN_H
#define STORE_POSTGRES_OPEN_H

/* A store in PostgreSQL, for those who open stores. */
#include <stdbool.h>

#include "base/err.h"

struct store;

/* "postgresql://", "postgres://" or "service=": EMCLI_DB is no path. */
bool postgres_open_is(const char *db);
/*
 * Connects an empty handle, which the caller closes.  ERR_CONFIG: the URI may
 * not be so, libpq is missing, or the server refuses; ERR_DB: no server answers
 * within ten seconds.
 */
int postgres_open(struct store *s, const char *uri, struct err *e);

#endif
