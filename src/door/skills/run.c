/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli skills run: passes the calls of a model's last step through the gate,
 * and writes the messages to add to the request.  Loads run first, because
 * models load and use a skill in one step.
 */
#include "door/out.h"
#include "door/selector_args.h"
#include "door/skills/nova.h"

const struct arg_spec run_args[] = { SKILLS_ARGS, { 0 } };

/*
 * Is it one of ours?  A tool of the request with that name is its own, unless
 * it is our tool, returned.
 */
static const struct op *
run_ours(struct skills_call *c, struct str name)
{
	const struct op *op =
	    c->nova ? nova_op(name) : op_find(turn_tool(name));
	struct str one;
	size_t at = 0;

	while (op != NULL && span_next(c->theirs, &at, &one))
		if (str_eq(tools_name(c, one), name) && known_op(c, one) != op)
			return NULL;
	return op;
}

static bool
is_load(const struct op *op)
{
	return op != NULL && turn_is_tool(str_of(op->name), "load_skill");
}

/* The reply to a load in a turn gets the mark by which filter finds it. */
static int
run_put_mark(struct skills_call *c, const struct turn_call *call,
    struct reply *r, struct err *e)
{
	struct str data, skill, mark;
	struct json *j;

	if (c->turn.token.n == 0)
		return 0;
	data = json_text(r->data, c->arena);
	if (!span_member(data, "skill", &data) ||
	    !span_text(c->arena, data, &skill))
		return 0;
	if (gate_turn_mark(c->gate, c->arena, &c->turn, skill, call->id, &mark,
		e) < 0)
		return -1;
	j = json_new(c->arena);
	json_open_object(j, NULL);
	json_put_members(j, r->data);
	json_put_str(j, "mark", mark);
	json_close_object(j);
	r->data = j;
	return 0;
}

/*
 * Does the door allow the call?  ERR_USAGE or ERR_POLICY in *bad; op NULL: it
 * is not one of ours.
 */
static void
run_prepare(struct skills_call *c, const struct op *op,
    const struct turn_call *call, struct args *args, struct str *say,
    struct err *bad)
{
	if (call->twice) {
		(void)err_set(bad, ERR_USAGE,
		    "two calls have this id: neither was made");
		return;
	}
	if (op == NULL) {
		(void)err_set(bad, ERR_USAGE, "there is no tool %.*s",
		    STR_ARG(out_quote(c->arena, call->name)));
		return;
	}
	if (arguments_read(c, op, call, args, say, bad) == 0 &&
	    c->watch != NULL)
		(void)c->watch->allow(c->watch->ctx, bad);
}

static int
run_one(struct skills_call *c, const struct op *op, struct answer *out,
    struct err *e)
{
	struct reply r = { 0 };
	struct str say = { 0 };
	struct err bad = { 0 };
	struct args args;

	if (c->nova)
		return nova_run(c, op, out, e);
	if (c->watch != NULL)
		c->watch->begin(c->watch->ctx, out->call);
	run_prepare(c, op, out->call, &args, &say, &bad);
	if (bad.kind != ERR_NONE || op == NULL) {
		gate_refuse(c->gate, op != NULL ? op->name : "unknown", &bad,
		    c->arena, &r);
		selector_args_tell(&r, say);
	} else {
		gate_call(c->gate, op, &args, c->arena, &r);
	}
	if (r.err.kind == ERR_NONE && is_load(op) &&
	    run_put_mark(c, out->call, &r, e) < 0)
		return -1;
	out->failed = r.err.kind != ERR_NONE;
	if (c->watch != NULL)
		c->watch->end(c->watch->ctx, out->call, &r);
	return answer_text(c, op, &r, &out->text, e);
}

int
run_calls(struct skills_call *c, struct answer **out, size_t *n, struct err *e)
{
	const struct turn *t = &c->turn.turn;
	struct answer *v = arena_array(c->arena, t->calls, sizeof(*v));
	const struct op **op =
	    arena_array(c->arena, t->calls, sizeof(struct op *));

	*out = v;
	*n = 0;
	for (size_t i = 0; i < t->calls; i++) {
		op[*n] = run_ours(c, t->call[i].name);
		/* If others have their own tools, the call is theirs. */
		if (op[*n] != NULL || c->watch != NULL)
			v[(*n)++].call = &t->call[i];
	}
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < *n; i++)
			if (is_load(op[i]) == (pass == 0) &&
			    run_one(c, op[i], &v[i], e) < 0)
				return -1;
	return 0;
}

int
run_run(struct skills_call *c, struct err *e)
{
	struct json *j = json_new(c->arena);
	struct answer *v;
	size_t n;

	if (run_calls(c, &v, &n, e) < 0)
		return -1;
	answer_put(j, c->format, v, n);
	out_json(&c->out, c->arena, j);
	return 0;
}
