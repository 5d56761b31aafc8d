/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_MATRIX_H
#define SOURCE_MATRIX_H

/*
 * What each kind of mail source can do of the contract.  "Depends" is a
 * function of the deployment, resolved to yes or no before any source is asked:
 * a source declines what it cannot do, and never emulates it.
 *
 * To add a backend: a row in matrix.c, and conditions for cells that depend.
 */
#include "source/role.h"

/* What a cell may depend on.  Zero means no. */
struct matrix_facts {
	bool drafts; /* a writable folder for drafts */
	bool sent;   /* the folder for sent mail is known */
	bool url;    /* there is a template for addresses of threads */
};

/* The operations that a backend can do with these facts: 1 << op. */
unsigned matrix_supports(struct str backend, const struct matrix_facts *f);
/* Why not, as a sentence without a full stop; NULL if it can.  Static. */
const char *matrix_why(struct str backend, enum role_op op,
    const struct matrix_facts *f);
/* The account's option that would enable it; NULL: there is none.  Static. */
const char *matrix_option(struct str backend, enum role_op op);
/* The kind of its thread ids, "rfc5322-message-id"; NULL: no such backend. */
const char *matrix_id_kind(struct str backend);

#endif
