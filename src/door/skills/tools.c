/* Operations as the three wire formats have tools. */
#include "door/skills/nova.h"
#include "gate/grant.h"

/* Ours that need no skill and find one; what else is always there follows. */
static const char *const control[] = { "list_skills", "load_skill",
	"unload_skill", "read_skill_resource" };

enum {
	CONTROLS = sizeof(control) / sizeof(control[0])
};

static bool
is_control(const struct op *op)
{
	for (size_t i = 0; i < CONTROLS; i++)
		if (str_eq(str_of(op->name), str_of(control[i])))
			return true;
	return false;
}

struct str
tools_text(struct skills_call *c, const struct op *op, struct str name)
{
	bool nested = c->format == TURN_OPENAI;
	struct json *j = json_new(c->arena);

	json_open_object(j, NULL);
	if (c->format != TURN_ANTHROPIC)
		json_put_text(j, "type", "function");
	if (nested)
		json_open_object(j, "function");
	json_put_str(j, "name", name);
	json_put_str(j, "description",
	    selector_describe(&c->boxes, op, c->arena));
	/* Strict is the default there, and wants every argument required. */
	if (c->format == TURN_RESPONSES)
		json_put_bool(j, "strict", false);
	op_schema_arguments_put(j,
	    c->format == TURN_ANTHROPIC ? "input_schema" : "parameters", op,
	    &c->boxes.shown);
	if (nested)
		json_close_object(j);
	json_close_object(j);
	return json_text(j, c->arena);
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
add(struct tools *t, const struct op *op, bool visible)
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
add_skill(struct skills_call *c, struct tools *t, const struct skill *s)
{
	for (size_t i = 0; s->ops[i] != NULL; i++) {
		const struct op *op = op_find(str_of(s->ops[i]));

		if (op != NULL && gate_caller_may(c->gate, str_of(op->name)))
			add(t, op, true);
	}
}

static int
may(struct skills_call *c, const struct op *op, bool *out, struct err *e)
{
	const struct skill *s = skill_of_op(str_of(op->name));

	*out = s != NULL && gate_caller_may(c->gate, str_of(op->name));
	return *out ? gate_grant_may(c->gate, c->arena, s, out, e) : 0;
}

static bool
is_active(const struct skills_call *c, const struct op *op)
{
	for (size_t i = 0; i < c->turn.n; i++)
		if (skill_has_op(c->turn.active[i], str_of(op->name)))
			return true;
	return false;
}

/* Every skill's, in the table's order, but those this caller cannot load. */
static int
add_all(struct skills_call *c, struct tools *out, struct err *e)
{
	for (size_t i = 0; op_table[i] != NULL; i++) {
		bool ok;

		if (may(c, op_table[i], &ok, e) < 0)
			return -1;
		if (ok)
			add(out, op_table[i], is_active(c, op_table[i]));
	}
	return 0;
}

static int
any_skill(struct skills_call *c, bool *any, struct err *e)
{
	*any = false;
	for (size_t i = 0; !*any && skill_at(i) != NULL; i++)
		if (gate_grant_may(c->gate, c->arena, skill_at(i), any, e) < 0)
			return -1;
	return 0;
}

/*
 * First what is always there, then the skills' in the order of their loads, so
 * that loading one more only adds at the end: a provider's cache of what stands
 * before stays good.
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
	if (any_skill(c, &any, e) < 0)
		return -1;
	for (size_t i = 0; any && i < CONTROLS; i++) {
		const struct op *op = op_find(str_of(control[i]));

		if (op != NULL)
			add(out, op, true);
	}
	for (size_t i = 0; i < n; i++)
		if (op_table[i]->skill == NULL && !is_control(op_table[i]))
			add(out, op_table[i], true);
	for (size_t i = 0; !all && i < c->turn.n; i++)
		add_skill(c, out, c->turn.active[i]);
	if (all && add_all(c, out, e) < 0)
		return -1;
	for (size_t i = 0; i < out->n; i++)
		out->v[i].text = tools_text(c, out->v[i].op, out->v[i].name);
	return 0;
}
