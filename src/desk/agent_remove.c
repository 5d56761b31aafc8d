/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agent remove. */
#include "desk/desk.h"
#include "store/agent.h"

static const struct arg_spec args[] = {
	{ "agent", ARG_TEXT, ARG_REQUIRED | ARG_POSITIONAL,
	    .help = "its name; its token and sessions end at once" },
	{ 0 },
};

static const struct field result[] = {
	{ "removed", FIELD_TEXT, .help = "the agent's name" },
	{ 0 },
};

static int
agent_remove_run(struct call *c, struct json *out, struct err *e)
{
	struct str name = args_text(c->args, "agent");

	if (store_agent_remove(operate_store(c), name, e) < 0)
		return -1;
	json_put_str(out, "removed", name);
	gate_tell(c, "removed %.*s", STR_ARG(name));
	return 0;
}

const struct op desk_agent_remove = {
	.name = "agent remove",
	.shows = "emcli agent list",
	.summary = "Remove an agent, its token and its sessions",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = agent_remove_run,
};
