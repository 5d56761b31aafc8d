#ifndef OP_OP_H
#define OP_OP_H

/*
 * What a caller can ask for: one table, one file each.  Everything a door
 * shows or accepts is made from it.  No operation sees a backend or the store.
 */
#include "gate/gate.h"

/* NULL-terminated, in the order they are shown. */
extern const struct op *const op_table[];

/* By name, with "-" and "_" alike; NULL when there is none. */
const struct op *op_find(struct str name);
/* JSON Schema (2020-12) of an operation: {name, summary, arguments, reply}. */
void op_schema_put(struct json *j, const char *key, const struct op *op);

#endif
