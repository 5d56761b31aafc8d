/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_POSTGRES_ADDRESS_H
#define STORE_POSTGRES_ADDRESS_H

/*
 * The addresses of a server's name.  libpq goes on to the next one only when
 * the one before has failed: one that is silent would cost all of the time.
 */
#include "store/postgres_uri.h"

enum {
	POSTGRES_ADDRESSES = 8, /* that are tried; more are not looked at */
	POSTGRES_ADDRESS = 64   /* bytes of one as text, with its interface */
};

struct postgres_addresses {
	/* 0: libpq finds the place itself, since it is a socket of this
	 * machine's, an address already, or none that is named. */
	size_t n;
	char v[POSTGRES_ADDRESSES][POSTGRES_ADDRESS];
};

/*
 * Looks up the host of a URI with one host, in the order of getaddrinfo(3), or
 * from anywhere in it with `load_balance_hosts=random`.  Whatever end_ms says
 * of clock_mono_ms(), a lookup may take longer: each of two rounds waits for
 * each name server one second, or three if more than six are left.  NULL, or
 * why it has no address.
 */
const char *postgres_address_find(const struct postgres_uri *u, int64_t end_ms,
    struct postgres_addresses *out);

#endif
