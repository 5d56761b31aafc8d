#ifndef STORE_CHECK_H
#define STORE_CHECK_H

/* Is the database sound?  Reads all of it; needs the admin key. */
#include "store/store.h"

/*
 * What is wrong, a line each, the first LIMIT_STORE_FAULTS: pages, rows that
 * point nowhere, secrets that do not open, the audit log, and what was changed
 * without emcli.
 */
int store_check(struct store *s, struct arena *a, struct strs *out,
    struct err *e);

#endif
