#ifndef SOURCE_MATRIX_H
#define SOURCE_MATRIX_H

/*
 * What each kind of mail source can do of the contract.  "Depends" is a
 * function of the deployment, and is settled to yes or no before anybody is
 * asked: a source declines what it cannot do, and never fakes it.
 *
 * To add a backend: a row in matrix.c, and conditions where a cell depends.
 */
#include "source/role.h"

/* What a cell may depend on.  Zero is no. */
struct matrix_facts {
	bool drafts; /* a place for drafts that can be written to */
	bool sent;   /* it is known where what was sent lies */
	bool url;    /* there is a template for addresses of threads */
};

/* The operations a backend of that name can do with these facts: 1 << op. */
unsigned matrix_supports(struct str backend, const struct matrix_facts *f);
/*
 * Why not, in a sentence without a full stop; NULL when it can.  Static.
 */
const char *matrix_why(struct str backend, enum role_op op,
    const struct matrix_facts *f);
/* The account's option that would settle it; NULL: there is none.  Static. */
const char *matrix_option(struct str backend, enum role_op op);
/* The kind of its thread ids, "rfc5322-message-id"; NULL: no such backend. */
const char *matrix_id_kind(struct str backend);

#endif
