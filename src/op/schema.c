/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON Schema 2020-12 of an operation, made from its struct: MCP and the tests
 * check arguments and replies with it.
 */
#include "base/limits.h"
#include "op/op.h"

static void
schema_put_type(struct json *j, const char *type, bool nullable)
{
	if (!nullable) {
		json_put_text(j, "type", type);
		return;
	}
	json_open_array(j, "type");
	json_put_text(j, NULL, type);
	json_put_text(j, NULL, "null");
	json_close_array(j);
}

void
op_schema_choices_put(struct json *j, const char *choices)
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

/* The members that describe one value of an argument. */
static void
schema_put_arg_value(struct json *j, const struct arg_spec *s)
{
	if (args_is_number(s)) {
		json_put_text(j, "type", "integer");
		json_put_int(j, "minimum", s->type == ARG_COUNT ? s->min : 1);
		json_put_int(j, "maximum",
		    s->type == ARG_COUNT ? s->max : UINT32_MAX);
		return;
	}
	if (s->type == ARG_FLAG) {
		json_put_text(j, "type", "boolean");
		return;
	}
	json_put_text(j, "type", "string");
	if (s->type == ARG_CHOICE)
		op_schema_choices_put(j, s->choices);
	if (s->type == ARG_ADDRESS)
		json_put_text(j, "format", "email");
}

static void
schema_put_arg(struct json *j, const struct arg_spec *s)
{
	json_open_object(j, s->name);
	json_put_text(j, "description", s->help);
	if (s->flags & ARG_MANY) {
		json_put_text(j, "type", "array");
		json_put_int(j, "minItems", 1);
		json_put_int(j, "maxItems", LIMIT_UIDS);
		json_open_object(j, "items");
		schema_put_arg_value(j, s);
		json_close_object(j);
	} else {
		schema_put_arg_value(j, s);
		if (s->def != NULL && s->type == ARG_COUNT) {
			uint32_t n = 0;

			(void)str_to_u32(str_of(s->def), UINT32_MAX, &n);
			json_put_int(j, "default", n);
		} else if (s->def != NULL) {
			json_put_text(j, "default", s->def);
		}
	}
	json_close_object(j);
}

/*
 * Arguments only for the operator, or of a kind that the door does not take;
 * "account" if the door names mailboxes instead, and what the door sets itself:
 * the turn replaces a lease.
 */
static bool
is_left_out(const struct arg_spec *s, const struct op_selector *sel,
    unsigned without)
{
	if (s->flags & (ARG_OPERATOR | without))
		return true;
	return sel != NULL &&
	    (s->type == ARG_ACCOUNT || str_eq(str_of(s->name), S("lease")));
}

void
op_schema_mailbox_put(struct json *j, const struct op_selector *sel)
{
	json_open_object(j, "mailbox");
	json_put_text(j, "type", "string");
	json_put_strs(j, "enum", &sel->labels);
	if (sel->help.n > 0)
		json_put_str(j, "description", sel->help);
	json_close_object(j);
}

static void
schema_put_arguments(struct json *j, const char *key, const struct op *op,
    const struct op_selector *sel, unsigned without)
{
	const struct arg_spec *table = op->args;
	bool choose =
	    sel != NULL && sel->labels.n > 0 && (op->needs & NEED_ACCOUNT);

	json_open_object(j, key);
	json_put_text(j, "type", "object");
	json_put_bool(j, "additionalProperties", false);
	json_open_object(j, "properties");
	if (choose)
		op_schema_mailbox_put(j, sel);
	for (size_t i = 0; table[i].name != NULL; i++)
		if (!is_left_out(&table[i], sel, without))
			schema_put_arg(j, &table[i]);
	json_close_object(j);
	json_open_array(j, "required");
	if (choose && !sel->optional && op->spans == NULL)
		json_put_text(j, NULL, "mailbox");
	for (size_t i = 0; table[i].name != NULL; i++)
		if (!is_left_out(&table[i], sel, without) &&
		    (table[i].flags & ARG_REQUIRED))
			json_put_text(j, NULL, table[i].name);
	json_close_array(j);
	json_close_object(j);
}

void
op_schema_arguments_put(struct json *j, const char *key, const struct op *op,
    const struct op_selector *sel)
{
	schema_put_arguments(j, key, op, sel, 0);
}

static void schema_put_members(struct json *j, const struct field *table,
    bool nullable);

/* Recursion only over our own tables, which are three deep. */
static void
schema_put_field(struct json *j, const struct field *f)
{
	json_open_object(j, f->name);
	json_put_text(j, "description", f->help);
	switch (f->type) {
	case FIELD_TEXT:
		schema_put_type(j, "string", f->nullable);
		break;
	case FIELD_INT:
		schema_put_type(j, "integer", f->nullable);
		break;
	case FIELD_BOOL:
		schema_put_type(j, "boolean", f->nullable);
		break;
	case FIELD_VALUE:
		json_open_array(j, "type");
		json_put_text(j, NULL, "integer");
		json_put_text(j, NULL, "string");
		json_close_array(j);
		break;
	case FIELD_OBJECT:
		schema_put_members(j, f->sub, f->nullable);
		break;
	case FIELD_COUNTS:
		schema_put_type(j, "object", f->nullable);
		json_open_object(j, "additionalProperties");
		json_put_text(j, "type", "integer");
		json_close_object(j);
		break;
	case FIELD_TEXTS:
	case FIELD_INTS:
	case FIELD_OBJECTS:
		schema_put_type(j, "array", f->nullable);
		json_open_object(j, "items");
		if (f->type == FIELD_OBJECTS)
			schema_put_members(j, f->sub, false);
		else
			json_put_text(j, "type",
			    f->type == FIELD_INTS ? "integer" : "string");
		json_close_object(j);
		break;
	case FIELD_END:
		break;
	}
	json_close_object(j);
}

static void
schema_put_members(struct json *j, const struct field *table, bool nullable)
{
	schema_put_type(j, "object", nullable);
	json_put_bool(j, "additionalProperties", false);
	json_open_object(j, "properties");
	for (size_t i = 0; table[i].name != NULL; i++)
		schema_put_field(j, &table[i]);
	json_close_object(j);
	json_open_array(j, "required");
	for (size_t i = 0; table[i].name != NULL; i++)
		if (!table[i].optional)
			json_put_text(j, NULL, table[i].name);
	json_close_array(j);
}

/* {"error":false,"error_detail":{},"data":{...}} */
static void
schema_put_success(struct json *j, const struct op *op)
{
	json_open_object(j, NULL);
	json_open_object(j, "properties");
	json_open_object(j, "error");
	json_put_bool(j, "const", false);
	json_close_object(j);
	json_open_object(j, "error_detail");
	json_put_text(j, "type", "object");
	json_put_int(j, "maxProperties", 0);
	json_close_object(j);
	json_open_object(j, "data");
	schema_put_members(j, op->result, false);
	json_close_object(j);
	json_close_object(j);
	json_close_object(j);
}

static void
schema_put_codes(struct json *j)
{
	json_open_object(j, "code");
	json_open_array(j, "enum");
	for (int k = ERR_NONE + 1; k < ERR_KINDS; k++)
		json_put_text(j, NULL, err_code((enum err_kind)k));
	json_close_array(j);
	json_close_object(j);
}

/* {"error":true,"error_detail":{"code":...,"message":...},"data":{}} */
static void
schema_put_failure(struct json *j, const struct op *op)
{
	json_open_object(j, NULL);
	json_open_object(j, "properties");
	json_open_object(j, "error");
	json_put_bool(j, "const", true);
	json_close_object(j);
	json_open_object(j, "error_detail");
	json_put_text(j, "type", "object");
	json_open_object(j, "properties");
	schema_put_codes(j);
	json_open_object(j, "message");
	json_put_text(j, "type", "string");
	json_close_object(j);
	json_open_object(j, "reason");
	json_put_text(j, "type", "string");
	json_close_object(j);
	json_close_object(j);
	json_open_array(j, "required");
	json_put_text(j, NULL, "code");
	json_put_text(j, NULL, "message");
	json_close_array(j);
	json_close_object(j);
	json_open_object(j, "data");
	json_put_text(j, "type", "object");
	if (!op->report)
		json_put_int(j, "maxProperties", 0);
	json_close_object(j);
	json_close_object(j);
	json_close_object(j);
}

/* {"error":...,"error_detail":{...},"data":{...}} */
static void
schema_put_envelope(struct json *j, const struct op *op)
{
	json_put_text(j, "type", "object");
	json_put_bool(j, "additionalProperties", false);
	json_open_object(j, "properties");
	json_open_object(j, "error");
	json_close_object(j);
	json_open_object(j, "error_detail");
	json_close_object(j);
	json_open_object(j, "data");
	json_close_object(j);
	json_close_object(j);
	json_open_array(j, "required");
	json_put_text(j, NULL, "error");
	json_put_text(j, NULL, "error_detail");
	json_put_text(j, NULL, "data");
	json_close_array(j);
	json_open_array(j, "oneOf");
	schema_put_success(j, op);
	schema_put_failure(j, op);
	json_close_array(j);
}

/* Operator's operations print only their data, and some print no JSON. */
static void
schema_put_reply(struct json *j, const struct op *op)
{
	if (op->result == NULL)
		return;
	json_open_object(j, "reply");
	if (op->effect == EFFECT_OPERATE)
		schema_put_members(j, op->result, false);
	else
		schema_put_envelope(j, op);
	json_close_object(j);
}

static void
schema_put_op(struct json *j, const char *key, const struct op *op,
    unsigned without)
{
	json_open_object(j, key);
	json_put_text(j, "$schema",
	    "https://json-schema.org/draft/2020-12/schema");
	json_put_text(j, "name", op->name);
	json_put_text(j, "description", op->summary);
	schema_put_arguments(j, "arguments", op, NULL, without);
	schema_put_reply(j, op);
	json_close_object(j);
}

void
op_schema_put(struct json *j, const char *key, const struct op *op)
{
	schema_put_op(j, key, op, 0);
}

void
op_schema_put_all(struct json *j, unsigned without)
{
	json_open_object(j, NULL);
	for (size_t i = 0; op_table[i] != NULL; i++)
		schema_put_op(j, op_table[i]->name, op_table[i], without);
	json_close_object(j);
}
