/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli skill cost: how much of a model's context tools and skills take.
 * Tokens are bytes divided by four, which is no real tokenizer: good for
 * comparison, not for billing.
 */
#include "desk/desk.h"
#include "desk/skill_own.h"

static const struct field costs[] = {
	{ "what", FIELD_TEXT, .help = "which tools and texts" },
	{ "tools", FIELD_INT, .help = "how many" },
	{ "bytes", FIELD_INT, .help = "of a model's request" },
	{ "tokens", FIELD_INT, .help = "about as many" },
	{ 0 },
};

static const struct field result[] = {
	{ "tokens_are", FIELD_TEXT, .help = "how tokens are counted" },
	{ "cost", FIELD_OBJECTS, .help = "without skills, and with each",
	    .sub = costs },
	{ 0 },
};

struct cost {
	size_t tools, bytes;
};

/* The tools of a skill; without one, those that are always there; or all. */
static struct cost
skill_cost_of_tools(struct call *c, const struct skill *s, bool all)
{
	struct operate_tool tool;
	struct cost sum = { 0 };

	for (size_t i = 0; operate_door(c)->tool(c->arena, i, &tool); i++) {
		const struct op *op = tool.op;

		if (!all &&
		    (s == NULL ? op->skill != NULL
			       : !skill_has_op(s, str_of(op->name))))
			continue;
		sum.tools++;
		sum.bytes += tool.text.n;
	}
	return sum;
}

static void
skill_cost_put(struct json *j, struct str what, struct cost x)
{
	json_open_object(j, NULL);
	json_put_str(j, "what", what);
	json_put_int(j, "tools", (int64_t)x.tools);
	json_put_int(j, "bytes", (int64_t)x.bytes);
	json_put_int(j, "tokens", (int64_t)skill_own_tokens(x.bytes));
	json_close_object(j);
}

static void
skill_cost_put_loaded(struct call *c, struct json *j, const struct skill *s)
{
	struct cost x = skill_cost_of_tools(c, s, false);

	/* The text occurs once, in the result of load_skill. */
	x.bytes += s->body.n;
	skill_cost_put(j,
	    str_fmt(c->arena, "%s loaded: its tools and text, more", s->name),
	    x);
}

static int
skill_cost_run(struct call *c, struct json *out, struct err *e)
{
	const struct skill *s;

	(void)e;
	skill_own_add(c);
	json_put_text(out, "tokens_are", "bytes divided by four");
	json_open_array(out, "cost");
	skill_cost_put(out, S("without skills: all tools"),
	    skill_cost_of_tools(c, NULL, true));
	skill_cost_put(out, S("with skills, none loaded"),
	    skill_cost_of_tools(c, NULL, false));
	for (size_t i = 0; (s = skill_at(i)) != NULL; i++)
		if (s->ops[0] != NULL)
			skill_cost_put_loaded(c, out, s);
	json_close_array(out);
	gate_tell(c, "Tokens are bytes divided by four.");
	return 0;
}

const struct op desk_skill_cost = {
	.name = "skill cost",
	.summary = "Show what tools and skills cost in tokens",
	.effect = EFFECT_OPERATE,
	.args = args_none,
	.result = result,
	.columns = "tools tokens what",
	.run = skill_cost_run,
};
