/*
 * A tool's schemas (JSON Schema 2020-12).  Every byte here is read by a model
 * at every turn, so they say what a caller needs and no more; `emcli schema`
 * has all of it.
 */
#include "door/mcp/internal.h"
#include "op/op.h"

enum {
	BOUND_TOLD = 1000000 /* beyond, a bound is no news to a model */
};

static bool
is_lease(const struct arg_spec *s)
{
	return str_eq(str_of(s->name), S("lease"));
}

/* Its name says it; of the lease, which stands everywhere, load_skill tells. */
static bool
is_plain(const struct arg_spec *s)
{
	bool place = s->type == ARG_ACCOUNT || s->type == ARG_FOLDER;

	return is_lease(s) || (place && (s->flags & ARG_REQUIRED));
}

static void
put_value(struct json *j, const struct arg_spec *s)
{
	if (s->type == ARG_FLAG) {
		json_put_text(j, "type", "boolean");
	} else if (args_is_number(s)) {
		json_put_text(j, "type", "integer");
		/* The call is held to the others, too. */
		if (s->type == ARG_COUNT && s->max <= BOUND_TOLD)
			json_put_int(j, "maximum", s->max);
	} else {
		json_put_text(j, "type", "string");
		if (s->type == ARG_CHOICE)
			op_schema_choices_put(j, s->choices);
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
	if (!is_plain(s))
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

/*
 * The envelope, of success and of failure.  What data holds is the skill's to
 * tell, once, and `emcli schema` has it: in each tool it would double the list.
 */
void
mcp_schema_put_output(struct json *j)
{
	json_open_object(j, "outputSchema");
	json_put_text(j, "type", "object");
	json_close_object(j);
}
