#ifndef STORE_MARK_H
#define STORE_MARK_H

#include "store/store.h"

/*
 * HMAC-SHA-256 (hex) of a text under a key of its own, derived from the data
 * key: who has no key of this store can make none.  `what` keeps marks for one
 * purpose from being taken for another's.
 */
int store_mark(struct store *s, struct arena *a, struct str what,
    struct str text, struct str *hex, struct err *e);

#endif
