/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OP_OP_H
#define OP_OP_H

/*
 * The operations that a caller can ask for: one table, one file each.  Doors
 * make everything they show or accept from it.  No operation sees a backend or
 * the store.
 */
#include "gate/gate.h"

/* NULL-terminated, in display order. */
extern const struct op *const op_table[];

/* The same of an agent's own mailbox: for `agents mail` and the gateway alone,
 * whose callers are bound to one. */
extern const struct op *const op_table_mail[];

/* Is each operation's skill one, and does that know of it?  ERR_INTERNAL: the
 * program is not to start.  op/skills.c */
int op_skills_check(const struct op *const *table, struct err *e);
/* By name; "-" and "_" are the same; NULL if there is none. */
const struct op *op_find(struct str name);
const struct op *op_find_mail(struct str name);
/* JSON Schema (2020-12) of an operation: {name, summary, arguments, reply}. */
void op_schema_put(struct json *j, const char *key, const struct op *op);
/* Of all of the table, by name, without arguments that have one of the flags.
 */
void op_schema_put_all(struct json *j, unsigned without);

/*
 * For doors whose callers choose a mailbox by the door's own labels, as a first
 * and required `mailbox` instead of `account`, and which know the turn and so
 * need no `lease`.
 */
struct op_selector {
	struct strs labels; /* none: there is only one mailbox */
	bool optional;      /* it may be omitted */
	struct str help;
};

/* The argument `mailbox`; without help in short form. */
void op_schema_mailbox_put(struct json *j, const struct op_selector *sel);
/* "enum": the choices of an argument ("RO|RW"). */
void op_schema_choices_put(struct json *j, const char *choices);
/* Only the arguments; with sel NULL as in the table. */
void op_schema_arguments_put(struct json *j, const char *key,
    const struct op *op, const struct op_selector *sel);

#endif
