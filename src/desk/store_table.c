/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a store in a result. */
#include "desk/store_table.h"

const struct field store_table_fields[] = {
	{ "table", FIELD_TEXT, .help = "its name" },
	{ "rows", FIELD_INT, .help = "how many it has" },
	{ 0 },
};

void
store_table_put(struct json *out, const struct store_info *v)
{
	json_put_int(out, "rows", v->rows);
	json_open_array(out, "tables");
	for (size_t i = 0; i < v->n; i++) {
		json_open_object(out, NULL);
		json_put_text(out, "table", v->tables[i].name);
		json_put_int(out, "rows", v->tables[i].rows);
		json_close_object(out);
	}
	json_close_array(out);
	json_put_int(out, "link", v->link);
	json_put_str_or_null(out, "head", v->head);
}
