/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a store in a result. */
#include "desk/store_table.h"

#include "base/buf.h"

const struct field store_table_fields[] = {
	{ "table", FIELD_TEXT, .help = "its name" },
	{ "rows", FIELD_INT, .help = "how many it has" },
	{ 0 },
};

const struct field store_table_heads[] = {
	{ "link", FIELD_INT, .help = "its number" },
	{ "hash", FIELD_TEXT, .help = "its hash" },
	{ 0 },
};

static void
store_table_put_heads(struct json *out, const struct store_info *v)
{
	json_open_array(out, "heads");
	for (size_t i = 0; i < v->n_heads; i++) {
		json_open_object(out, NULL);
		json_put_int(out, "link", v->heads[i].link);
		json_put_str(out, "hash", v->heads[i].hash);
		json_close_object(out);
	}
	json_close_array(out);
}

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
	store_table_put_heads(out, v);
}

void
store_table_tell(struct call *c, const struct store_info *v)
{
	for (size_t i = 0; i < v->n_heads; i++)
		gate_tell(c, "the audit log's newest link%s: %lld %.*s",
		    v->n_heads > 1 ? " of a chain" : "",
		    (long long)v->heads[i].link, STR_ARG(v->heads[i].hash));
}

struct str
store_table_links(struct arena *a, const struct store_info *v)
{
	struct buf b;

	buf_init(&b, a, 32 << 10);
	for (size_t i = 0; i < v->n_heads; i++)
		buf_fmt(&b, "; link %lld %.*s", (long long)v->heads[i].link,
		    STR_ARG(v->heads[i].hash));
	return buf_view(&b);
}
