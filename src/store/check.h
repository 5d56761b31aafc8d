/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H

/* Is a database sound?  Reads all of it. */
#include "store/audit.h"
#include "store/store.h"

struct store_checked {
	struct strs faults; /* a line each, at most LIMIT_STORE_FAULTS; foreign
			     * text may be in them */
	bool foreign;       /* the schema is not emcli's: that is all that was
			     * looked at */
	int64_t version;    /* of the schema; 0: it was not read */
	struct store_chain chain; /* of the audit log */
	struct str signed_ts; /* when accounts, policy and settings were signed;
			       * empty: not known */
};

/*
 * What needs no key: the schema, pages, indexes, and rows that refer to others.
 * Nothing is migrated.  ERR_CONFIG: no database; ERR_DB: what is there is not
 * one, or is busy.
 */
int store_check_file(const char *path, struct arena *a,
    struct store_checked *out, struct err *e);
/*
 * What needs the admin key: the schema, whether each credential opens, the
 * audit log, and what was changed without emcli.  Adds to *out.
 */
int store_check_rows(struct store *s, struct arena *a,
    struct store_checked *out, struct err *e);

#endif
