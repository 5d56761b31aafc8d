/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_AUDIT_ROW_H
#define STORE_AUDIT_ROW_H

/*
 * How a row of the audit log is written and linked.  All within an open
 * transaction that may add to the log.
 */
#include "store/chain.h"

/* In a form that anybody can show and hash: invalid UTF-8 is replaced. */
struct str audit_row_clean(struct arena *a, struct str s);
/*
 * A new row in the chain that the transaction took last, and its link's number
 * in *seq, which may be NULL.
 */
int audit_row_put(struct store *s, const struct store_audit *row, int64_t *id,
    int64_t *seq, struct err *e);
/*
 * Runs a statement that changes the row of that id, and links it as chain_add()
 * does.  If it changes no row: ERR_DB.
 */
int audit_row_mark(struct store *s, struct stmt *st, int64_t id, int64_t *seq,
    char hash[CHAIN_HEX], struct err *e);
/* Such a row of what emcli did itself, with all its marks. */
int audit_row_put_done(struct store *s, const struct store_audit *row,
    struct err *e);

#endif
