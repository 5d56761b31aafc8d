/*
 * A tool's schemas (JSON Schema 2020-12).  Every byte here is read by a model
 * at every turn, so they say what a caller needs and no more; `emcli schema`
 * has all of it.
 */
#include "base/limits.h"
#include "door/mcp/internal.h"

static bool
is_number(const struct arg_spec *s)
{
	return s->type == ARG_COUNT || s->type == ARG_UID ||
	    s->type == ARG_UIDS;
}

static bool
is_lease(const struct arg_spec *s)
{
	return str_eq(str_of(s->name), S("lease"));
}

static void
put_choices(struct json *j, const char *choices)
{
	struct str rest = str_of(choices), one;
	bool more = true;

	json_open_array(j, "enum");
	while (more) {
		more = str_cut(rest, '|', &one, &rest);
		json_put_str(j, NULL, one);
	}
	json_close_array(j);
}

static void
put_value(struct json *j, const struct arg_spec *s)
{
	if (s->type == ARG_FLAG) {
		json_put_text(j, "type", "boolean");
	} else if (is_number(s)) {
		json_put_text(j, "type", "integer");
		json_put_int(j, "minimum", s->type == ARG_COUNT ? s->min : 1);
		if (s->type == ARG_COUNT)
			json_put_int(j, "maximum", s->max);
	} else {
		json_put_text(j, "type", "string");
		if (s->type == ARG_CHOICE)
			put_choices(j, s->choices);
	}
}

static void
put_arg(struct json *j, const struct arg_spec *s)
{
	uint32_t n = 0;

	json_open_object(j, s->name);
	if (s->flags & ARG_MANY) {
		json_put_text(j, "type", "array");
		json_open_object(j, "items");
		put_value(j, s);
		json_close_object(j);
	} else {
		put_value(j, s);
		if (s->def != NULL && s->type == ARG_COUNT &&
		    str_to_u32(str_of(s->def), UINT32_MAX, &n))
			json_put_int(j, "default", n);
		else if (s->def != NULL)
			json_put_text(j, "default", s->def);
	}
	/* It stands in every tool, and load_skill tells of it. */
	if (!is_lease(s))
		json_put_text(j, "description", s->help);
	json_close_object(j);
}

void
mcp_schema_put_input(struct json *j, const struct op *op, bool lease)
{
	bool any = false;

	json_open_object(j, "inputSchema");
	json_put_text(j, "type", "object");
	json_open_object(j, "properties");
	for (size_t i = 0; op->args[i].name != NULL; i++) {
		if (lease || !is_lease(&op->args[i]))
			put_arg(j, &op->args[i]);
		any = any || (op->args[i].flags & ARG_REQUIRED);
	}
	json_close_object(j);
	if (any) {
		json_open_array(j, "required");
		for (size_t i = 0; op->args[i].name != NULL; i++)
			if (op->args[i].flags & ARG_REQUIRED)
				json_put_text(j, NULL, op->args[i].name);
		json_close_array(j);
	}
	json_put_bool(j, "additionalProperties", false);
	json_close_object(j);
}

static void
put_plain(struct json *j, const char *key, const char *type)
{
	json_open_object(j, key);
	json_put_text(j, "type", type);
	json_close_object(j);
}

/*
 * The envelope, of success and of failure.  What data holds is the skill's to
 * tell, once, and `emcli schema` has it: in each tool it would double the list.
 */
void
mcp_schema_put_output(struct json *j)
{
	static const char *const all[] = { "error", "error_detail", "data" };

	json_open_object(j, "outputSchema");
	json_put_text(j, "type", "object");
	json_open_object(j, "properties");
	put_plain(j, all[0], "boolean");
	put_plain(j, all[1], "object");
	put_plain(j, all[2], "object");
	json_close_object(j);
	json_open_array(j, "required");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		json_put_text(j, NULL, all[i]);
	json_close_array(j);
	json_close_object(j);
}
