/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_HOSTS_H
#define STORE_POSTGRES_HOSTS_H

/*
 * Several hosts in one URI.  libpq would try them one after the other, but
 * leave one that is silent only after its own time, which there is none of
 * where it is asked without blocking.
 */
#include "store/postgres_uri.h"

/*
 * Takes the URI's list of hosts apart, or that of its service, which libpq
 * reads here.  A list that is malformed stays whole: libpq says why.
 */
void postgres_hosts_read(struct postgres_uri *u, struct arena *a);
/* The host of a URI, or of its service, that has one; or NULL. */
const char *postgres_hosts_name(const struct postgres_uri *u);
/* Are they tried from anywhere in their order? */
bool postgres_hosts_balances(const struct postgres_uri *u);
/* How many there are to try: 1 or more. */
size_t postgres_hosts_count(const struct postgres_uri *u);
/*
 * The same URI with one of them, from 0: those of `load_balance_hosts=random`
 * begin anywhere.
 */
void postgres_hosts_one(const struct postgres_uri *u, size_t i,
    struct postgres_uri *out);

#endif
