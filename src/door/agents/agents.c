/* SPDX-License-Identifier: Apache-2.0 */
/* One call: argv to a verb, to a session, to its mailbox, and the answer. */
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/agents/internal.h"
#include "door/argv.h"
#include "door/out.h"
#include "door/usage.h"
#include "op/op.h"

#define PREFIX "agents mail "
#define STYLE "HOUMAO_CLI_PRINT_STYLE"

/* -- for help, completion and the manual ----------------------------------- */

static const struct op *
agents_op(const struct agents_verb *v)
{
	return v->op != NULL ? op_find_mail(str_of(v->op)) : NULL;
}

/* Those of the envelope, and those of the model that it has not. */
static const struct field *
agents_result(struct arena *a, const struct op *op)
{
	struct field *v;
	size_t own = 0, n = 0, all;

	if (op == NULL)
		return agents_resolve_fields;
	while (agents_put_fields[own].name != NULL)
		own++;
	while (op->result[n].name != NULL)
		n++;
	v = arena_array(a, own + n + 1, sizeof(*v));
	for (all = 0; all < own; all++)
		v[all] = agents_put_fields[all];
	for (size_t i = 0; i < n; i++) {
		struct str name = str_of(op->result[i].name);

		if (!str_eq(name, S("schema_version")) &&
		    !str_eq(name, S("operation")))
			v[all++] = op->result[i];
	}
	return v;
}

bool
agents_command_at(struct arena *a, size_t i, struct agents_command *out)
{
	const struct agents_verb *v = &agents_verb_table[i];
	const struct op *op;

	if (v->name == NULL)
		return false;
	op = agents_op(v);
	*out = (struct agents_command){
		.name = str_fmt(a, PREFIX "%s", v->name),
		.summary = v->summary != NULL ? v->summary : op->summary,
		.args = agents_verb_args(a, v),
		.result = agents_result(a, op),
	};
	return true;
}

bool
agents_command_find(struct arena *a, struct str name,
    struct agents_command *out)
{
	for (size_t i = 0; agents_command_at(a, i, out); i++)
		if (str_eq(out->name, name))
			return true;
	return false;
}

bool
agents_is_upstream(int argc, char **argv)
{
	struct str rest = argc > 0 ? str_of(argv[0]) : S(""), name;

	while (str_cut(rest, '/', &name, &rest))
		;
	return str_eq(name, S(AGENTS_UPSTREAM));
}

/* -- a call ---------------------------------------------------------------- */

static const struct agents_verb *
agents_named(struct str name)
{
	for (const struct agents_verb *v = agents_verb_table; v->name != NULL;
	     v++)
		if (str_starts(name, S(PREFIX)) &&
		    str_eq(str_from(name, sizeof(PREFIX) - 1), str_of(v->name)))
			return v;
	err_bug("no verb is named %.*s", STR_ARG(name));
}

static const char *
agents_env(const char *name)
{
	return getenv(name);
}

static int
agents_find(struct agents_call *c, struct err *e)
{
	const struct find_by by = {
		.agent_name = args_text(&c->given, "agent_name"),
		.agent_id = args_text(&c->given, "agent_id"),
		.manifest_path = args_text(&c->given, "manifest_path"),
		.runtime_root = args_text(&c->given, "runtime_root"),
		.env = agents_env,
	};

	return find_session(&by, c->a, &c->session, e);
}

static int
agents_call_do(struct agents_call *c, struct agents_answer *x, struct err *e)
{
	if (args_check(&c->given, c->a, e) < 0 || agents_find(c, e) < 0 ||
	    (c->op != NULL &&
		agents_verb_call(c->verb, &c->given, c->a, &c->args, e) < 0))
		return -1;
	return agents_path_take(c, x, e);
}

static int
agents_put_usage(struct arena *a, struct str name)
{
	struct agents_command cmd;
	struct usage u;
	struct buf b;

	buf_init(&b, a, 1 << 20);
	if (agents_command_find(a, name, &cmd)) {
		u = (struct usage){ .name = cmd.name,
			.summary = cmd.summary,
			.args = cmd.args,
			.result = cmd.result };
		usage_put(&b, &u);
	}
	return out_done(&b);
}

/* A line that cannot be read is answered as it asks, even so. */
static bool
agents_asks_json(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (str_eq(str_of(argv[i]), S("--print-json")))
			return true;
	return false;
}

int
agents_run(struct str name, int argc, char **argv, const struct env *env,
    const struct err *broken, agents_show *show)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct agents_call c = { .verb = agents_named(name),
		.session = { .folder = -1 },
		.env = env,
		.broken = broken,
		.a = a };
	struct agents_answer x = { 0 };
	struct err e = { 0 };
	bool help = false;
	int r;

	c.op = agents_op(c.verb);
	r = argv_parse(agents_verb_args(a, c.verb), argc, argv, a, &c.given,
	    &help, &e);
	if (r == 0 && help)
		return agents_put_usage(a, name);
	c.json = agents_asks_json(argc, argv) ||
	    agents_put_is_json(&c.given, getenv(STYLE), isatty(STDOUT_FILENO));
	if (r == 0)
		r = agents_call_do(&c, &x, &e);
	find_close(&c.session);
	if (r == 0)
		return agents_put_answer(&c, &x, show);
	e.reason = agents_code_of(&e);
	if (e.hint == NULL && e.reason != NULL)
		e.hint = agents_code_next(str_of(e.reason));
	out_help(&e, a, name);
	return agents_put_error(&c, &x, &e);
}
