/* SPDX-License-Identifier: Apache-2.0 */
/* emcli store info: where the database is, and how much is in it. */
#include "store/info.h"

#include "desk/desk.h"
#include "desk/store_table.h"

static const struct field result[] = {
	{ "driver", FIELD_TEXT, .help = "sqlite or postgresql" },
	{ "place", FIELD_TEXT, .help = "its file, or its server" },
	{ "version", FIELD_INT, .help = "of the schema" },
	{ "bytes", FIELD_INT, .help = "on the disk, without logs" },
	{ "rows", FIELD_INT, .help = "of all tables" },
	{ "tables", FIELD_OBJECTS, .help = "all of them",
	    .sub = store_table_fields },
	{ "heads", FIELD_OBJECTS,
	    .help = "the newest link of each chain of the audit log",
	    .sub = store_table_heads },
	{ 0 },
};

static int
store_info_run(struct call *c, struct json *out, struct err *e)
{
	struct store_info v;

	if (store_info(operate_store(c), c->arena, &v, e) < 0)
		return -1;
	json_put_text(out, "driver", v.driver);
	json_put_str(out, "place", v.place);
	json_put_int(out, "version", v.version);
	json_put_int(out, "bytes", v.bytes);
	store_table_put(out, &v);
	gate_tell(c, "%s: %.*s", v.driver, STR_ARG(v.place));
	gate_tell(c, "version %lld, %lld bytes, %lld rows",
	    (long long)v.version, (long long)v.bytes, (long long)v.rows);
	for (size_t i = 0; i < v.n; i++)
		if (v.tables[i].rows > 0)
			gate_tell(c, "  %-16s  %lld", v.tables[i].name,
			    (long long)v.tables[i].rows);
	store_table_tell(c, &v);
	return 0;
}

const struct op desk_store_info = {
	.name = "store info",
	.summary = "Say where the database is, and how much is in it",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.report = true,
	.args = args_none,
	.result = result,
	.run = store_info_run,
};
