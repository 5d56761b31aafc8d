/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_STORE_TABLE_H
#define DESK_STORE_TABLE_H

/* The tables of a store, and the end of its audit log, in a result. */
#include "desk/desk.h"
#include "store/info.h"

/* Of a row of "tables", and of one of "heads". */
extern const struct field store_table_fields[], store_table_heads[];
/* "rows", "tables", "heads". */
void store_table_put(struct json *out, const struct store_info *v);
/* The heads, a line each. */
void store_table_tell(struct call *c, const struct store_info *v);
/* "; link 7 0a1b..." for each head. */
struct str store_table_links(struct arena *a, const struct store_info *v);

#endif
