/* SPDX-License-Identifier: Apache-2.0 */
/* emcli gateway status: does it run, and where? */
#include "desk/desk.h"
#include "desk/gateway_args.h"

static const struct arg_spec args[] = { GATEWAY_ARGS_SESSION, { 0 } };

static const struct field result[] = { GATEWAY_ARGS_FIELDS, { 0 } };

static int
gateway_status_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	session_args_close(c, &s);
	return r < 0 ? -1 : gateway_args_put_all(c, out, &x, e);
}

const struct op desk_gateway_status = {
	.name = "gateway status",
	.shows = "emcli session list",
	.summary = "Show where the gateway to a session's mailbox listens",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.run = gateway_status_run,
};
