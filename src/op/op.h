#ifndef OP_OP_H
#define OP_OP_H

/*
 * What a caller can ask for: one table, one file each.  Everything a door
 * shows or accepts is made from it.  No operation sees a backend or the store.
 */
#include "gate/gate.h"

/* NULL-terminated, in the order they are shown. */
extern const struct op *const op_table[];

/* The same of an agent's own mailbox: for `agents mail` and the gateway alone,
 * whose callers are bound to one. */
extern const struct op *const op_table_mail[];

/* Is each operation's skill one, and does that know of it?  ERR_INTERNAL: the
 * program is not to start.  op/skills.c */
int op_skills_check(const struct op *const *table, struct err *e);
/* By name, with "-" and "_" alike; NULL when there is none. */
const struct op *op_find(struct str name);
const struct op *op_find_mail(struct str name);
/* JSON Schema (2020-12) of an operation: {name, summary, arguments, reply}. */
void op_schema_put(struct json *j, const char *key, const struct op *op);

/* For doors whose callers choose a mailbox by a label of the door's own, as a
 * first and required `mailbox` instead of `account`, and that knows the turn
 * and so needs no `lease`. */
struct op_selector {
	struct strs labels; /* none: there is one mailbox, and no choice */
	bool optional;      /* it may be left out */
	struct str help;
};

/* The argument `mailbox`; without help it says less. */
void op_schema_mailbox_put(struct json *j, const struct op_selector *sel);
/* "enum": of an argument's choices ("RO|RW"). */
void op_schema_choices_put(struct json *j, const char *choices);
/* The arguments alone; with sel NULL as the table has them. */
void op_schema_arguments_put(struct json *j, const char *key,
    const struct op *op, const struct op_selector *sel);

#endif
