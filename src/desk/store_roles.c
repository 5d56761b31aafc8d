/* SPDX-License-Identifier: Apache-2.0 */
/* emcli store roles: what the roles of a store in PostgreSQL may do, as SQL. */
#include "store/roles.h"

#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ "prefix", ARG_TEXT,
	    .help =
		"what the names of the roles begin with; without it emcli" },
	{ 0 },
};

static const struct field tables[] = {
	{ "table", FIELD_TEXT, .help = "its name" },
	{ "reads", FIELD_BOOL, .help = "whether the gate reads it" },
	{ "inserts", FIELD_TEXT,
	    .help =
		"the columns that the gate inserts; *: all; -x: all but x" },
	{ "updates", FIELD_TEXT, .help = "the columns that it changes" },
	{ "deletes", FIELD_BOOL, .help = "whether it deletes rows" },
	{ "audited", FIELD_BOOL,
	    .help = "whether the audit's reader reads it" },
	{ 0 },
};

static const struct field result[] = {
	{ "sql", FIELD_TEXT, .help = "for psql, as a superuser" },
	{ "tables", FIELD_OBJECTS, .help = "the rights", .sub = tables },
	{ 0 },
};

static int
store_roles_run(struct call *c, struct json *out, struct err *e)
{
	const struct roles_right *r;
	struct str prefix = S("emcli"), sql;

	if (args_has(c->args, "prefix"))
		prefix = args_text(c->args, "prefix");
	if (roles_print(operate_env(c)->db, prefix, c->arena, &sql, e) < 0)
		return -1;
	json_put_str(out, "sql", sql);
	json_open_array(out, "tables");
	for (size_t i = 0; (r = roles_right_at(i)) != NULL; i++) {
		json_open_object(out, NULL);
		json_put_str(out, "table", str_of(r->table));
		json_put_bool(out, "reads", r->reads);
		json_put_str(out, "inserts", str_of(r->inserts));
		json_put_str(out, "updates", str_of(r->updates));
		json_put_bool(out, "deletes", r->deletes);
		json_put_bool(out, "audited", r->audited);
		json_close_object(out);
	}
	json_close_array(out);
	gate_say_raw(c, str_first(sql, sql.n - 1));
	return 0;
}

const struct op desk_store_roles = {
	.name = "store roles",
	.summary = "Print the SQL of roles for a store in PostgreSQL",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = store_roles_run,
};
