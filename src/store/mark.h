/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_MARK_H
#define STORE_MARK_H

#include "store/keeper.h"

/*
 * HMAC-SHA-256 (hex) of a text under a key derived from the data key: nobody
 * without a key of this store can make one.  The label separates marks for
 * different purposes.
 */
int store_mark(struct store *s, struct arena *a, enum store_label label,
    struct str text, struct str *hex, struct err *e);
/* What a mailbox root signs with, for every account of this store: mac and fits
 * of struct agentbox_use and of struct backend_account. */
int store_mark_root(void *store, struct str bytes, unsigned char out[32],
    struct err *e);
int store_mark_root_fits(void *store, struct str bytes,
    const unsigned char mac[32], struct err *e);

#endif
