/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_URI_H
#define STORE_POSTGRES_URI_H

/* Where a store in PostgreSQL is: what EMCLI_DB says in place of a path. */
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

enum {
	POSTGRES_WORDS = 32,
	POSTGRES_HOSTS = 16
};

/* One of several; what is not said is "". */
struct postgres_host {
	const char *host, *hostaddr, *port;
};

/* Where the tables are unless EMCLI_DB says otherwise. */
#define POSTGRES_SCHEMA "emcli"

struct postgres_uri {
	/* For PQconnectStartParams(): ends with NULL. */
	const char *words[POSTGRES_WORDS + 1], *values[POSTGRES_WORDS + 1];
	const char *schema; /* of the store's tables */
	bool pooled;        /* prepare=off: others may get the connection
			     * after each transaction */
	/* postgres_hosts.c: 0 of them if there is one, as the words say. */
	struct postgres_host hosts[POSTGRES_HOSTS];
	size_t n_hosts, first_host;
	const char *of_service; /* the same: its one host; or NULL */
};

/*
 * Reads it, in the arena; libpq is loaded.  ERR_CONFIG: it is malformed, or it
 * has a password or another parameter that emcli does not take from there.
 * No error repeats a part of it.
 */
int postgres_uri_read(const char *db, struct arena *a, struct postgres_uri *out,
    struct err *e);
/* The value of that parameter, or NULL. */
const char *postgres_uri_word(const struct postgres_uri *u, const char *word);
/*
 * One more parameter for libpq, or another value of it; both stay the caller's.
 */
void postgres_uri_put(struct postgres_uri *u, const char *word,
    const char *value);
/*
 * Only the schema in it.  Needs no libpq.  ERR_CONFIG.
 */
int postgres_uri_schema(const char *db, struct arena *a, const char **out,
    struct err *e);
/* The second number of locks that are the schema's. */
int postgres_uri_key(const struct postgres_uri *u);

#endif
