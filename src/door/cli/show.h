/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOOR_CLI_SHOW_H
#define DOOR_CLI_SHOW_H

/* A reply's data as text, by the fields of its result. */
#include "base/buf.h"
#include "gate/gate.h"

/* A reply for the operator: its table, then its lines. */
void show_put(struct buf *b, const struct op *op, const struct reply *r,
    bool coloured);
/* The result's first array of objects; NULL if there is none. */
const struct json_value *show_list(const struct op *op,
    const struct json_value *data);
/* That array as the table of op->columns, with bold headings. */
void show_table(struct buf *b, const struct op *op,
    const struct json_value *data, bool coloured);

#endif
