/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_TRANSFER_H
#define STORE_TRANSFER_H

/*
 * Copies a store into a new one of either kind, row by row: into a file, or
 * into a database of a server.  Every row, its number, and the numbers that
 * were given go along, so the copy opens with the same keys, and its audit log
 * and its signed rows verify as before.
 */
#include "store/audit.h"
#include "store/info.h"
#include "store/store.h"

struct store_transfer {
	/* Opened as the operator, without a transaction; it is only read. */
	struct store *from;
	/* A new file, or a URI as EMCLI_DB may have: a database of a server
	 * with nothing in the store's schema. */
	const char *to;
	const struct store_keys *keys;
	/* Called when the moment is fixed that is copied, before anything is
	 * written; another handle is needed to write to that store. */
	int (*begun)(void *ctx, struct err *e); /* or NULL */
	void *ctx;
	void (*progress)(uint64_t done, uint64_t all); /* or NULL: rows */
};

struct store_transferred {
	struct store_info is; /* the same at both ends: tables, link, head */
	struct store_chain chain;
	struct str place; /* where the copy is, in words */
};

/*
 * All or nothing, as of one moment, while others use the store; the rows of
 * each table are counted, and the audit log and the signed rows verified, at
 * both ends.  The copy is on disk when it returns.  ERR_USAGE: something is
 * there; ERR_CONFIG: it cannot be made there; ERR_DB: a database failed, or one
 * of the two is not as emcli wrote it.
 */
int store_transfer(const struct store_transfer *x, struct arena *a,
    struct store_transferred *out, struct err *e);

#endif
