/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_TX_H
#define STORE_TX_H

/* Transactions. */
#include "store/driver.h"

/* CLEANUP(tx_done) struct tx t = { 0 }: rolled back unless committed. */
struct tx {
	struct store *s;
};

/*
 * Takes the write lock at once: a read that becomes a write would fail if
 * another process wrote in between, whatever the timeout.
 */
int tx_begin(struct store *s, struct tx *t, struct err *e);
/* All reads see the same moment; nothing is written. */
int tx_begin_read(struct store *s, struct tx *t, struct err *e);
int tx_commit(struct tx *t, struct err *e);
void tx_done(struct tx *t);
/* Has one begun? */
bool tx_open(const struct store *s);

#endif
