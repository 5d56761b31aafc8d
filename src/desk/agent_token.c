/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agent token: a new token for an agent that is there. */
#include "base/secret.h"
#include "desk/desk.h"
#include "desk/token.h"
#include "store/agent.h"

static const struct arg_spec args[] = {
	{ "agent", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "the agent; its old token and its sessions end" },
	{ 0 },
};

static int
agent_token_run(struct call *c, struct json *out, struct err *e)
{
	struct str name = args_text(c->args, "agent");
	char text[TOKEN_TEXT];
	int r = token_make(text, e);

	(void)out;
	if (r == 0)
		r = store_agent_change_token(operate_store(c), c->arena, name,
		    (struct str){ text, TOKEN_TEXT - 1 }, e);
	if (r == 0 &&
	    operate_door(c)->write((struct str){ text, TOKEN_TEXT }, false) <
		0) {
		(void)err_set(e, ERR_INTERNAL,
		    "the token cannot be written: ask for another");
		r = err_errno(e, "standard output");
	}
	secret_wipe(text, sizeof(text));
	if (r == 0)
		operate_note(c,
		    "emcli: the token is shown only once; the old one opens "
		    "nothing any more");
	return r;
}

const struct op desk_agent_token = {
	.name = "agent token",
	.shows = "emcli agent list",
	.summary = "Print a new token of an agent, once; the old one ends",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.run = agent_token_run,
};
