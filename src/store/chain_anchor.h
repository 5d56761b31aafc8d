/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CHAIN_ANCHOR_H
#define STORE_CHAIN_ANCHOR_H

/* Rows in which a chain of the audit log names the others. */
#include "store/chain.h"

/*
 * After a link of that number was added, in its transaction: an anchor, if its
 * turn has come and there are other chains.
 */
int chain_anchor(struct store *s, int64_t seq, struct err *e);
/* Is the row one? */
bool chain_anchor_is(const struct chain_row *r);
/* Compares the links that it names with those that are there. */
int chain_anchor_check(struct store *s, const struct chain_row *r,
    struct store_chain *out, struct err *e);

#endif
