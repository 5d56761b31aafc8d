/* SPDX-License-Identifier: Apache-2.0 */
/* emcli session list: the sessions below the runtime root. */
#include "desk/desk.h"
#include "desk/session_args.h"

static const struct arg_spec args[] = {
	HOME_ARGS_ROOT,
	{ 0 },
};

static const struct field sessions[] = {
	SESSION_ARGS_FIELDS,
	{ 0 },
};

static const struct field result[] = {
	{ "sessions", FIELD_OBJECTS, .help = "the sessions", .sub = sessions },
	{ 0 },
};

static int
session_list_run(struct call *c, struct json *out, struct err *e)
{
	struct session *v = NULL;
	struct sessions s;
	size_t n = 0;
	int r = session_args_open(c, false, &s, e);

	if (r == 0)
		r = session_list(&s, &v, &n, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	json_open_array(out, "sessions");
	for (size_t i = 0; i < n; i++) {
		json_open_object(out, NULL);
		session_args_put(out, c->arena, &v[i]);
		json_close_object(out);
	}
	json_close_array(out);
	return 0;
}

const struct op desk_session_list = {
	.name = "session list",
	.summary = "List the sessions of agents",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.columns = "session_id+ agent_name? tool? state pid? account?",
	.run = session_list_run,
};
