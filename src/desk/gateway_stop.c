/* SPDX-License-Identifier: Apache-2.0 */
/* emcli gateway stop: its program and its mailbox stay. */
#include "base/path.h"
#include "desk/desk.h"
#include "desk/gateway_args.h"

static const struct arg_spec args[] = { GATEWAY_ARGS_SESSION, { 0 } };

static const struct field result[] = { GATEWAY_ARGS_FIELDS, { 0 } };

static int
gateway_stop_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	if (r == 0) {
		CLEANUP(path_close)
		int folder = session_folder(&s, &x, false, e);

		r = folder < 0 ? -1 : session_gateway_stop(&s, &x, folder, e);
	}
	if (r > 0)
		operate_note(c, "emcli: note: no gateway runs");
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return gateway_args_put_all(c, out, &x, e);
}

const struct op desk_gateway_stop = {
	.name = "gateway stop",
	.shows = "emcli session list",
	.summary = "End the gateway to a session's mailbox",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = gateway_stop_run,
};
