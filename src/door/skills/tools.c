/* SPDX-License-Identifier: Apache-2.0 */
/* Operations as tools in the three wire formats. */
#include "door/skills/nova.h"
#include "gate/grant.h"

/* Tools that find skills and need none; the others without a skill follow. */
static const char *const control[] = { "list_skills", "load_skill",
	"unload_skill", "read_skill_resource" };

enum {
	CONTROLS = sizeof(control) / sizeof(control[0])
};

static bool
tools_is_control(const struct op *op)
{
	for (size_t i = 0; i < CONTROLS; i++)
		if (str_eq(str_of(op->name), str_of(control[i])))
			return true;
	return false;
}

struct str
tools_name(struct skills_call *c, struct str tool)
{
	struct str v = { 0 }, name = { 0 };

	if (c->format == TURN_OPENAI && !span_member(tool, "function", &tool))
		return name;
	if (span_member(tool, "name", &v))
		(void)span_text(c->arena, v, &name);
	return name;
}

static void
tools_add(struct tools *t, const struct op *op, bool visible)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].op == op)
			return;
	t->v[t->n++] = (struct tool){
		.op = op,
		.name = str_of(op->name),
		.visible = visible,
	};
}

static void
tools_add_skill(struct skills_call *c, struct tools *t, const struct skill *s)
{
	for (size_t i = 0; s->ops[i] != NULL; i++) {
		const struct op *op = op_find(str_of(s->ops[i]));

		if (op != NULL && gate_caller_may(c->gate, str_of(op->name)))
			tools_add(t, op, true);
	}
}

static int
tools_may(struct skills_call *c, const struct op *op, bool *out, struct err *e)
{
	const struct skill *s = skill_of_op(str_of(op->name));

	*out = s != NULL && gate_caller_may(c->gate, str_of(op->name));
	return *out ? gate_grant_may(c->gate, c->arena, s, out, e) : 0;
}

static bool
tools_is_active(const struct skills_call *c, const struct op *op)
{
	for (size_t i = 0; i < c->turn.n; i++)
		if (skill_has_op(c->turn.active[i], str_of(op->name)))
			return true;
	return false;
}

/* Every skill's tools in table order, except those this caller cannot load. */
static int
tools_add_all(struct skills_call *c, struct tools *out, struct err *e)
{
	for (size_t i = 0; op_table[i] != NULL; i++) {
		bool ok;

		if (tools_may(c, op_table[i], &ok, e) < 0)
			return -1;
		if (ok)
			tools_add(out, op_table[i],
			    tools_is_active(c, op_table[i]));
	}
	return 0;
}

static int
tools_any_skill(struct skills_call *c, bool *any, struct err *e)
{
	*any = false;
	for (size_t i = 0; !*any && skill_at(i) != NULL; i++)
		if (gate_grant_may(c->gate, c->arena, skill_at(i), any, e) < 0)
			return -1;
	return 0;
}

/*
 * First the tools that are always there, then those of skills in the order of
 * their loads, so that another load only appends: a provider's cache of the
 * text before it stays valid.
 */
int
tools_make(struct skills_call *c, bool all, struct tools *out, struct err *e)
{
	size_t n = 0;
	bool any;

	if (c->nova)
		return nova_tools(c, all, out, e);
	while (op_table[n] != NULL)
		n++;
	*out =
	    (struct tools){ arena_array(c->arena, n, sizeof(struct tool)), 0 };
	if (tools_any_skill(c, &any, e) < 0)
		return -1;
	for (size_t i = 0; any && i < CONTROLS; i++) {
		const struct op *op = op_find(str_of(control[i]));

		if (op != NULL)
			tools_add(out, op, true);
	}
	for (size_t i = 0; i < n; i++)
		if (op_table[i]->skill == NULL &&
		    !tools_is_control(op_table[i]))
			tools_add(out, op_table[i], true);
	for (size_t i = 0; !all && i < c->turn.n; i++)
		tools_add_skill(c, out, c->turn.active[i]);
	if (all && tools_add_all(c, out, e) < 0)
		return -1;
	for (size_t i = 0; i < out->n; i++)
		out->v[i].text = tools_text(c, out->v[i].op, out->v[i].name);
	return 0;
}
