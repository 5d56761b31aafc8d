/* SPDX-License-Identifier: Apache-2.0 */
/* The common start of the pipes: options, the request, the gate, the turn. */
#include "door/skills/skills.h"

#include <errno.h>
#include <unistd.h>

#include "base/limits.h"
#include "door/argv.h"
#include "door/out.h"
#include "door/skills/internal.h"
#include "door/usage.h"

/* All of standard input. */
static int
skills_read_request(struct arena *a, struct str *out, struct err *e)
{
	struct buf b;

	buf_init(&b, a, LIMIT_REQUEST);
	for (;;) {
		char block[65536];
		ssize_t n = read(STDIN_FILENO, block, sizeof(block));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			(void)err_set(e, ERR_CONFIG,
			    "standard input cannot be read");
			return err_errno(e, "read");
		}
		if (n == 0)
			break;
		buf_add(&b, block, (size_t)n);
		if (b.over)
			return err_set(e, ERR_LIMIT,
			    "the request is longer than %lu bytes",
			    LIMIT_REQUEST);
	}
	*out = buf_view(&b);
	return 0;
}

static int
skills_find_tools(struct skills_call *c, struct err *e)
{
	c->request = span_root(c->text);
	if (!span_member(c->request, "tools", &c->theirs))
		return 0;
	if (span_is_null(c->theirs))
		c->theirs = S("");
	else if (!span_is_array(c->theirs))
		return err_set(e, ERR_USAGE, "\"tools\" is not an array");
	return 0;
}

int
skills_boxes(struct skills_call *c, struct err *e)
{
	struct selector_opts o = selector_opts(c->args);

	return selector_open(&c->boxes, c->gate, c->arena, &o, e);
}

int
skills_look(struct skills_call *c, const struct turn_opts *o,
    struct str conversation, struct err *e)
{
	struct gate_caller who = {
		.conversation = conversation,
		.grants = true,
		.consent = c->consent,
		.mailboxes = c->boxes.called.n > 0 ? &c->boxes.called : NULL,
	};

	if (span_check(c->text, e) < 0 || skills_find_tools(c, e) < 0)
		return -1;
	gate_caller_set(c->gate, &who);
	if (gate_turn_read(c->gate, c->arena, c->request, c->format, o,
		&c->turn, e) < 0)
		return -1;
	who.turn = c->turn.token;
	gate_caller_set(c->gate, &who);
	return 0;
}

/* A load's mark separates conversations, if it can be read again. */
static int
skills_check_conversation(struct skills_call *c, const struct turn_opts *o,
    struct str conversation, struct err *e)
{
	if (conversation.n > 0)
		return 0;
	if (c->nova)
		return err_set(e, ERR_USAGE,
		    "--profile nova needs --conversation NAME: its results "
		    "cannot carry the conversation's mark");
	if (o->id.n > 0)
		return err_set(e, ERR_USAGE,
		    "--turn needs --conversation NAME: another conversation "
		    "may have a turn with that name");
	return 0;
}

static int
skills_run_calls(const struct skills_command *cmd, struct skills_call *c,
    const struct env *env, struct err *e)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct turn_opts o = {
		.prefixes = *args_list(c->args, "synthetic_prefix"),
		.names = *args_list(c->args, "synthetic_name"),
		.id = args_text(c->args, "turn"),
	};
	struct str conversation = args_text(c->args, "conversation");

	if (!turn_format_find(args_text(c->args, "format"), &c->format))
		err_bug("a format that is none");
	c->nova = str_eq(args_text(c->args, "profile"), S("nova"));
	if (skills_check_conversation(c, &o, conversation, e) < 0)
		return -1;
	if (skills_read_request(c->arena, &c->text, e) < 0 ||
	    gate_open(env, &g, e) < 0)
		return -1;
	c->gate = g;
	if (skills_boxes(c, e) < 0 || skills_look(c, &o, conversation, e) < 0)
		return -1;
	return cmd->pipe(c, e);
}

static int
skills_put_usage(struct arena *a, const struct skills_command *cmd)
{
	struct usage u = { .name = str_of(cmd->name),
		.summary = cmd->summary,
		.args = cmd->args };
	struct buf b;

	buf_init(&b, a, 1 << 20);
	usage_put(&b, &u);
	return out_done(&b);
}

/* A request contains strangers' texts, as the caller had them. */
static int
skills_put_out(struct skills_call *c)
{
	struct str text = buf_view(&c->out);
	struct buf b;

	if (c->out.over || isatty(STDOUT_FILENO) != 1)
		return out_done(&c->out);
	text = json_shown(c->arena, text);
	buf_init(&b, c->arena, text.n + 1);
	buf_str(&b, text);
	return out_done(&b);
}

int
skills_run(const struct skills_command *cmd, int argc, char **argv,
    const struct env *env, const struct err *broken)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct skills_call c = { .arena = a };
	struct env own = *env;
	struct err e = { 0 };
	struct args args;
	bool help;
	int r = argv_parse(cmd->args, argc, argv, a, &args, &help, &e);

	if (r == 0 && help)
		return skills_put_usage(a, cmd);
	if (r == 0 && broken != NULL) {
		e = *broken;
		r = -1;
	}
	env_command_for_agents(&own);
	c.args = &args;
	buf_init(&c.out, a, LIMIT_ARENA);
	if (r == 0)
		r = args_check(&args, a, &e);
	if (cmd->talk != NULL)
		return cmd->talk(&c, &own, &e);
	if (r == 0)
		r = skills_run_calls(cmd, &c, &own, &e);
	if (r == 0)
		return skills_put_out(&c);
	out_complain(&e, false);
	return out_status(&e);
}
