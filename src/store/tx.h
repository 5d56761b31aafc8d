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
/*
 * Nobody else adds to the audit log meanwhile.  A nested one is part of the
 * outer one as it is, which has taken no chain before.
 */
int tx_begin_alone(struct store *s, struct tx *t, struct err *e);
/*
 * For the marks of a call alone (audit.c): where several processes may add to
 * the audit log at once, it does not wait for the write lock.  It has that
 * chain, -1: any, whose number is in *out.
 */
int tx_begin_append(struct store *s, struct tx *t, int want, int *out,
    struct err *e);
/* All reads see the same moment; nothing is written. */
int tx_begin_read(struct store *s, struct tx *t, struct err *e);
int tx_commit(struct tx *t, struct err *e);
void tx_done(struct tx *t);
/* Has one begun? */
bool tx_open(const struct store *s);

#endif
