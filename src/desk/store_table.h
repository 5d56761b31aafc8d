/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_STORE_TABLE_H
#define DESK_STORE_TABLE_H

/* The tables of a store, and the end of its audit log, in a result. */
#include "desk/desk.h"
#include "store/info.h"

/* Of a row of "tables". */
extern const struct field store_table_fields[];
/* "rows", "tables", "link", "head". */
void store_table_put(struct json *out, const struct store_info *v);

#endif
