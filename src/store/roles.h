/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_ROLES_H
#define STORE_ROLES_H

/*
 * Roles of a store in PostgreSQL: PREFIX_operator owns the schema and changes
 * it, PREFIX_gate does the agents' work, PREFIX_audit reads the audit log.
 */
#include "store/store.h"

/* What the gate's role may do with a table. */
struct roles_right {
	const char *table;
	/* Columns, with commas between; "": none, "*": all. */
	const char *inserts; /* "-x": all but x, which is a number that the
			      * table gives */
	const char *updates;
	bool reads, deletes;
	bool audited; /* the role of the audit's reader reads it */
};

/* NULL after the last; by name. */
const struct roles_right *roles_right_at(size_t i);

/* -- roles_sql.c ----------------------------------------------------------- */

/* The longest prefix, in bytes: a name of a role has 63. */
enum {
	ROLES_PREFIX = 50
};

/* How the comment on the schema begins that says the prefix. */
#define ROLES_MARK "emcli roles: "
/* ERR_USAGE: no roles can have names that begin so. */
int roles_sql_prefix(struct str prefix, struct err *e);
/*
 * SQL for a superuser: makes the roles and the schema where they are missing,
 * and gives each role its rights.  It may be run again at any time.
 */
struct str roles_sql(struct arena *a, struct str schema, struct str prefix);
/* The part that the owner of the schema runs. */
struct str roles_sql_rights(struct arena *a, struct str schema,
    struct str prefix);

/* -- roles_print.c --------------------------------------------------------- */

/* roles_sql() of the schema in EMCLI_DB; of a file: of the usual one.  Opens
 * nothing.  ERR_CONFIG, ERR_USAGE. */
int roles_print(const char *db, struct str prefix, struct arena *a,
    struct str *out, struct err *e);

/* -- roles_look.c ---------------------------------------------------------- */

/* What the role of a connection is and may do. */
struct store_roles {
	struct str role;
	bool owns;       /* the schema: it may do everything */
	struct str more; /* tables of which it may change what the gate's
			  * role may not, with commas between; and "the
			  * schema": it may put code there, or be its owner */
	struct str less; /* and of which it may do less */
};

/* 0: a store in a file has no roles; 1; -1. */
int store_roles_look(struct store *s, struct arena *a, struct store_roles *out,
    struct err *e);

#endif
