/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tool's schemas (JSON Schema 2020-12).  A model reads every byte here in
 * every turn, so they have only what a caller needs; `emcli schema` has
 * everything.
 */
#include "door/mcp/schema.h"
#include "op/op.h"

enum {
	BOUND_TOLD = 1000000 /* larger bounds are useless to a model */
};

static bool
is_lease(const struct arg_spec *s)
{
	return str_eq(str_of(s->name), S("lease"));
}

/*
 * Is the argument's name enough?  load_skill explains those that every tool
 * has: the lease, and the account if the roles choose one.
 */
static bool
mcp_schema_is_plain(const struct op *op, const struct arg_spec *s)
{
	static const char *const plain[] = { "lease", "limit", "body" };

	if (s->type == ARG_FOLDER)
		return !(op->needs & NEED_SUBMIT);
	if (s->type == ARG_ACCOUNT)
		return op->needs & NEED_SOURCE;
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (str_eq(str_of(s->name), str_of(plain[i])))
			return true;
	return false;
}

/* The operator's, or an account, which a mailbox replaces. */
static bool
is_replaced(const struct op *op, const struct arg_spec *s)
{
	return s->flags & ARG_OPERATOR ||
	    (s->type == ARG_ACCOUNT && (op->needs & NEED_ACCOUNT));
}

static void
mcp_schema_put_value(struct json *j, const struct arg_spec *s)
{
	if (s->type == ARG_FLAG) {
		json_put_text(j, "type", "boolean");
	} else if (args_is_number(s)) {
		json_put_text(j, "type", "integer");
		/* The call checks the other bounds, too. */
		if (s->type == ARG_COUNT && s->max <= BOUND_TOLD)
			json_put_int(j, "maximum", s->max);
	} else {
		json_put_text(j, "type", "string");
		if (s->type == ARG_CHOICE)
			op_schema_choices_put(j, s->choices);
	}
}

static void
mcp_schema_put_skills(struct json *j, const struct strs *skills)
{
	json_put_text(j, "type", "string");
	json_put_strs(j, "enum", skills);
}

static void
mcp_schema_put_arg(struct json *j, const struct op *op,
    const struct arg_spec *s, const struct strs *skills)
{
	uint32_t n = 0;

	json_open_object(j, s->name);
	if (s->flags & ARG_MANY) {
		json_put_text(j, "type", "array");
		json_open_object(j, "items");
		mcp_schema_put_value(j, s);
		json_close_object(j);
	} else if (str_eq(str_of(s->name), S("skill")) && skills->n > 0) {
		mcp_schema_put_skills(j, skills);
	} else {
		mcp_schema_put_value(j, s);
		if (s->def != NULL && s->type == ARG_COUNT &&
		    str_to_u32(str_of(s->def), UINT32_MAX, &n))
			json_put_int(j, "default", n);
		else if (s->window != NULL || s->def != NULL)
			json_put_text(j, "default",
			    s->window != NULL ? s->window : s->def);
	}
	if (!mcp_schema_is_plain(op, s))
		json_put_text(j, "description", s->help);
	json_close_object(j);
}

static bool
is_required(const struct op *op, const struct arg_spec *s)
{
	return args_is_required(s) && !is_replaced(op, s);
}

static void
mcp_schema_put_required(struct json *j, const struct op *op, bool mailbox)
{
	bool any = mailbox;

	for (size_t i = 0; op->args[i].name != NULL; i++)
		any = any || is_required(op, &op->args[i]);
	if (!any)
		return;
	json_open_array(j, "required");
	if (mailbox)
		json_put_text(j, NULL, "mailbox");
	for (size_t i = 0; op->args[i].name != NULL; i++)
		if (is_required(op, &op->args[i]))
			json_put_text(j, NULL, op->args[i].name);
	json_close_array(j);
}

void
mcp_schema_put_input(struct json *j, const struct op *op,
    const struct op_selector *boxes, const struct strs *skills, bool lease)
{
	/* Repeating their addresses in each tool would be too long. */
	struct op_selector short_of = { boxes->labels, boxes->optional, S("") };
	bool chooses = (op->needs & NEED_ACCOUNT) && boxes->labels.n > 0;

	json_open_object(j, "inputSchema");
	json_put_text(j, "type", "object");
	json_open_object(j, "properties");
	if (chooses)
		op_schema_mailbox_put(j, &short_of);
	for (size_t i = 0; op->args[i].name != NULL; i++)
		if (!is_replaced(op, &op->args[i]) &&
		    (lease || !is_lease(&op->args[i])))
			mcp_schema_put_arg(j, op, &op->args[i], skills);
	json_close_object(j);
	mcp_schema_put_required(j, op,
	    chooses && !boxes->optional && op->spans == NULL);
	json_put_bool(j, "additionalProperties", false);
	json_close_object(j);
}

/*
 * The envelope of success and of failure.  The skill describes data, once, and
 * `emcli schema` has it: in each tool it would double the list.
 */
void
mcp_schema_put_output(struct json *j)
{
	json_open_object(j, "outputSchema");
	json_put_text(j, "type", "object");
	json_close_object(j);
}
