/*
 * emcli skill cost: what tools and skills take of a model's context.  Tokens
 * are bytes divided by four, for nobody's tokenizer in particular: good to
 * compare with, not to pay by.
 */
#include "base/json.h"
#include "desk/skill_own.h"
#include "door/admin/internal.h"
#include "door/out.h"
#include "op/op.h"

enum {
	COLUMNS = 3,
	ROWS = 64
};

const struct arg_spec admin_skill_cost_args[] = {
	{ .name = "json", .type = ARG_FLAG, .help = "JSON instead of a table" },
	{ 0 },
};

struct cost {
	const char *what;
	size_t tools, bytes;
};

/* The tool as it is in a model request: name, description, schema. */
static size_t
admin_skill_cost_tool_bytes(struct arena *a, const struct op *op)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_text(j, "name", op->name);
	json_put_text(j, "description", op->summary);
	op_schema_arguments_put(j, "inputSchema", op, NULL);
	json_close_object(j);
	return json_text(j, a).n;
}

/* Those of a skill; of none: what is always there; of all that are there. */
static struct cost
admin_skill_cost_tools_of(struct arena *a, const char *what,
    const struct skill *s, bool all)
{
	struct cost c = { .what = what };

	for (size_t i = 0; op_table[i] != NULL; i++) {
		const struct op *op = op_table[i];

		if (!all &&
		    (s == NULL ? op->skill != NULL
			       : !skill_has_op(s, str_of(op->name))))
			continue;
		c.tools++;
		c.bytes += admin_skill_cost_tool_bytes(a, op);
	}
	return c;
}

static size_t
admin_skill_cost_count(struct arena *a, struct cost *v)
{
	const struct skill *s;
	size_t n = 0;

	v[n++] = admin_skill_cost_tools_of(a, "without skills: all tools", NULL,
	    true);
	v[n++] = admin_skill_cost_tools_of(a, "with skills, none loaded", NULL,
	    false);
	for (size_t i = 0; n < ROWS && (s = skill_at(i)) != NULL; i++) {
		if (s->ops[0] == NULL)
			continue;
		v[n] = admin_skill_cost_tools_of(a, NULL, s, false);
		/* The text comes once, in the result of load_skill. */
		v[n].bytes += s->body.n;
		v[n].what =
		    str_fmt(a, "%s loaded: its tools and text, more", s->name)
			.p;
		n++;
	}
	return n;
}

static int
admin_skill_cost_put_json(struct admin_call *c, const struct cost *v, size_t n)
{
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	json_put_text(j, "tokens_are", "bytes divided by four");
	json_open_array(j, "cost");
	for (size_t i = 0; i < n; i++) {
		json_open_object(j, NULL);
		json_put_text(j, "what", v[i].what);
		json_put_int(j, "tools", (int64_t)v[i].tools);
		json_put_int(j, "bytes", (int64_t)v[i].bytes);
		json_put_int(j, "tokens",
		    (int64_t)skill_own_tokens(v[i].bytes));
		json_close_object(j);
	}
	json_close_array(j);
	json_close_object(j);
	out_json(c->out, c->arena, j);
	return 0;
}

int
admin_skill_cost(struct admin_call *c, struct err *e)
{
	static const struct str head[COLUMNS] = { SI("TOOLS"), SI("TOKENS"),
		SI("WHAT") };
	struct str cells[ROWS][COLUMNS];
	struct out_row rows[ROWS + 1] = { { head } };
	struct cost v[ROWS];
	size_t n;

	if (skill_own_load(c->env, e) < 0) {
		(void)fprintf(stderr,
		    "emcli: the operator's own skills are not among these:\n");
		out_complain(e, c->env->admin_key != NULL);
		*e = (struct err){ 0 };
	}
	n = admin_skill_cost_count(c->arena, v);
	if (args_has(c->args, "json"))
		return admin_skill_cost_put_json(c, v, n);
	for (size_t i = 0; i < n; i++) {
		cells[i][0] = str_fmt(c->arena, "%zu", v[i].tools);
		cells[i][1] =
		    str_fmt(c->arena, "%zu", skill_own_tokens(v[i].bytes));
		cells[i][2] = str_of(v[i].what);
		rows[i + 1].cell = cells[i];
	}
	out_table(c->out, rows, n + 1, COLUMNS);
	buf_text(c->out, "Tokens are bytes divided by four.\n");
	return 0;
}
