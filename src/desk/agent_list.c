/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agent list. */
#include "base/clock.h"
#include "desk/desk.h"
#include "store/agent.h"

static const struct field agents[] = {
	{ "name", FIELD_TEXT, .help = "its name" },
	{ "accounts", FIELD_TEXTS, .nullable = true,
	    .help = "the accounts it may use; null: all" },
	{ "skills", FIELD_TEXTS, .nullable = true,
	    .help = "the skills it may load; null: all" },
	{ "ops", FIELD_TEXTS, .nullable = true,
	    .help = "the operations on mail it may call; null: all" },
	{ "uids", FIELD_INTS,
	    .help = "the users of this machine that it is, for the broker" },
	{ "subject", FIELD_TEXT, .nullable = true,
	    .help = "the identity provider's subject that it is; null: none" },
	{ "issuer", FIELD_TEXT, .nullable = true,
	    .help = "that identity provider; null: none" },
	{ "added", FIELD_TEXT, .help = "when it was added" },
	{ 0 },
};

static const struct field result[] = {
	{ "agents", FIELD_OBJECTS, .help = "the agents", .sub = agents },
	{ 0 },
};

static int
agent_list_run(struct call *c, struct json *out, struct err *e)
{
	struct store_agent *v;
	size_t n;

	if (store_agent_list(operate_store(c), c->arena, &v, &n, e) < 0)
		return -1;
	json_open_array(out, "agents");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		json_put_str(out, "name", v[i].name);
		json_put_words(out, "accounts", v[i].accounts);
		json_put_words(out, "skills", v[i].skills);
		json_put_words(out, "ops", v[i].ops);
		if (store_agent_uids(operate_store(c), c->arena, &v[i], e) < 0)
			return -1;
		json_open_array(out, "uids");
		for (size_t k = 0; k < v[i].uids; k++)
			json_put_int(out, NULL, v[i].uid[k]);
		json_close_array(out);
		json_put_str_or_null(out, "subject", v[i].subject);
		json_put_str_or_null(out, "issuer", v[i].issuer);
		json_put_str(out, "added",
		    clock_rfc3339(c->arena, v[i].made_ms / 1000));
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_agent_list = {
	.name = "agent list",
	.shows = "emcli agent list",
	.summary = "List the agents, never their tokens",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args_none,
	.result = result,
	.columns = "name=AGENT accounts?all skills?all ops=OPERATIONS?all "
		   "uids?- subject?- added",
	.run = agent_list_run,
};
