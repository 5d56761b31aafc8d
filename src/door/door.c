/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the door for a command line. */
#include "door/door.h"

#include "base/limits.h"
#include "desk/desk.h"
#include "door/agents/agents.h"
#include "door/cli/cli.h"
#include "door/cli/human.h"
#include "door/form/face.h"
#include "door/http/http.h"
#include "door/http/standby.h"
#include "door/internal.h"
#include "door/line.h"
#include "door/mcp/mcp.h"
#include "door/notice.h"
#include "door/out.h"
#include "door/remote/remote.h"
#include "door/serve/serve.h"
#include "door/serve/session.h"
#include "door/skills/skills.h"
#include "gate/notice.h"
#include "op/op.h"

/* The broker, and what runs beside it. */
static int
door_serve(const struct env *env, const struct args *args, struct err *e)
{
	return serve(env, args, &http_ops, e);
}

static const struct operate_broker broker = { door_serve, remote_status };
static const struct cli_beside beside = { face_ask, &http_standby, &broker };

/* -- commands that another process can run --------------------------------- */

/* Without --http nothing serves. */
static int
door_run_mcp(const struct far_pipe *p, int argc, char **argv,
    const struct env *env)
{
	(void)p;
	return mcp_run(argc, argv, env, NULL, NULL, &serve_session);
}

static int
door_run_skills(const struct far_pipe *p, int argc, char **argv,
    const struct env *env)
{
	return skills_run(p->cmd, argc, argv, env, NULL);
}

void
door_pipes(void)
{
	/* One that talks to a model and a person does so where they are. */
	static struct far_pipe v[SKILLS_COMMANDS + 2];
	size_t n = 0;

	v[n++] = (struct far_pipe){ "mcp", mcp_args, true, NULL, door_run_mcp };
	for (const struct skills_command *c = skills_table; c->name != NULL;
	     c++)
		if (c->pipe != NULL)
			v[n++] = (struct far_pipe){ c->name, c->args, false, c,
				door_run_skills };
	far_pipe_table(v);
}

static bool
door_asks_help(const struct line *l)
{
	struct line last = { 1, l->argv + l->argc - 1, l->a };

	return line_is_word(&last, "--help", "-h");
}

/* One line for a person, the envelope for all others. */
static int
door_refuse(const struct err *e, const struct env *env)
{
	if (!isatty(STDOUT_FILENO))
		return cli_run_refuse("unknown", env, e);
	out_complain(e, false);
	return out_status(e);
}

/* What is not printed is refused. */
static int
door_printed(int r, const struct err *e, const struct env *env)
{
	return r < 0 ? door_refuse(e, env) : r;
}

/* Does a broker hold the key and the store? */
static bool
door_is_far(const struct env *usable)
{
	return usable != NULL && remote_far.is(usable);
}

/* Its model and its person are here, and the model's key is not. */
static int
door_refuse_past(void)
{
	struct err e = { 0 };

	(void)err_set(&e, ERR_UNSUPPORTED,
	    "the broker does not serve ask: the operator's model and its key "
	    "stay with the broker");
	(void)err_hint(&e,
	    "let your own model use emcli mcp, or emcli skills filter and "
	    "skills run");
	out_complain(&e, false);
	return out_status(&e);
}

/* A stream of calls, in the process that holds the key. */
static int
door_far_pipe(const struct line *l, int words, const struct env *env)
{
	const struct far_pipe *p = far_pipe_find(line_join(l, words));
	struct err e = { 0 };
	int argc = l->argc - words;
	char **argv = l->argv + words;

	if (p == NULL)
		return door_refuse_past();
	if (far_pipe_check(p, argc, argv, &e) < 0) {
		out_complain(&e, false);
		return out_status(&e);
	}
	if (p->turns)
		mcp_tell_person();
	return remote_far.pipe(env, p, argc, argv);
}

/* No command: "account --help" is about those that begin so. */
static int
door_other(struct line *l, const struct env *usable)
{
	struct err e = { 0 };

	if (l->argc > 1 && door_asks_help(l)) {
		l->argc--;
		return door_printed(print_help(l, &e), &e, usable);
	}
	return door_printed(words_unknown(l, &e), &e, usable);
}

/* Under the upstream program's name. */
static int
door_upstream(struct line *l, const struct env *env, const struct err *broken)
{
	static char *about[] = { "agents", "mail" };
	const struct line help = { 2, about, l->a };
	struct line last = { 1, l->argv + l->argc - 1, l->a };
	struct str name = words_find_agents(l);
	struct err e = { 0 };

	if (name.n > 0)
		return agents_run(name, l->argc - LINE_WORDS,
		    l->argv + LINE_WORDS, env, broken, human_put);
	if (l->argc == 0 || line_is_word(&last, "--help", "-h"))
		return door_printed(print_help(&help, &e), &e, env);
	(void)err_set(&e, ERR_USAGE,
	    "as " AGENTS_UPSTREAM " it knows only agents mail: see emcli help "
	    "agents mail");
	return door_refuse(&e, broken == NULL ? env : NULL);
}

/*
 * An agent's operation, unless one of the operator's with a longer name is
 * meant, or one with the same name by whoever holds the key.
 */
static const struct op *
door_find(const struct line *l, const struct env *usable)
{
	int words;
	const struct op *op = op_find(str_of(l->argv[0]));

	if (op == NULL || words_find_desk(l, &words) == NULL)
		return op;
	return words > 1 || (usable != NULL && operate_means(usable)) ? NULL
								      : op;
}

int
door_main(int argc, char **argv, const struct env *env,
    const struct err *broken, const char *commit)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct line l = { argc > 0 ? argc - 1 : 0, argv + 1, a };
	struct line rest = { l.argc - 1, l.argv + 1, a };
	const struct env *usable = broken == NULL ? env : NULL;
	const struct skills_command *pipe;
	const struct op *op;
	struct err bad = { 0 };
	struct str name;
	int words = 0;

	notice_by(notice_apart);
	if (op_skills_check(op_table, &bad) < 0)
		err_bug("%s", bad.say);
	door_pipes();
	if (agents_is_upstream(argc, argv))
		return door_upstream(&l, env, broken);
	if (l.argc == 0 || line_is_word(&l, "-h", NULL))
		return print_brief(&l);
	if (line_is_word(&l, "help", "--help"))
		return door_printed(print_help(&rest, &bad), &bad, usable);
	if (line_is_word(&l, "version", "--version") ||
	    line_is_word(&l, "-V", NULL))
		return print_version(&rest, commit);
	if (line_is_word(&l, "schema", NULL))
		return door_printed(print_schema(&rest, &bad), &bad, usable);
	/* "mcp install" is an operator's command. */
	if (line_is_word(&l, "mcp", NULL) &&
	    words_find_desk(&l, &words) == NULL)
		return door_is_far(usable) && !door_asks_help(&l)
		    ? door_far_pipe(&l, 1, env)
		    : mcp_run(rest.argc, rest.argv, env, broken, http_serve,
			  &serve_session);
	if (line_is_word(&l, "completion", NULL))
		return print_completion(&rest, usable);
	if (line_is_word(&l, "manual", NULL))
		return print_part(&rest,
		    "operations, commands, agents, pipes, errors, results, "
		    "warnings",
		    manual_put);
	op = door_find(&l, usable);
	if (op != NULL)
		return cli_run(op, rest.argc, rest.argv, env, broken,
		    &remote_far);
	pipe = words_find_pipe(&l, &words);
	if (pipe != NULL && door_is_far(usable) && !door_asks_help(&l))
		return door_far_pipe(&l, words, env);
	if (pipe != NULL)
		return skills_run(pipe, l.argc - words, l.argv + words, env,
		    broken);
	op = words_find_desk(&l, &words);
	if (op != NULL)
		return cli_operate(op, l.argc - words, l.argv + words, env,
		    broken, &beside);
	name = words_find_agents(&l);
	if (name.n > 0)
		return agents_run(name, l.argc - LINE_WORDS,
		    l.argv + LINE_WORDS, env, broken, human_put);
	return door_other(&l, usable);
}
