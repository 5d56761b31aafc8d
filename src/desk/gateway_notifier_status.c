/* SPDX-License-Identifier: Apache-2.0 */
/* emcli gateway notifier status */
#include "desk/desk.h"
#include "desk/gateway_notifier_args.h"

static const struct arg_spec args[] = { GATEWAY_ARGS_SESSION, { 0 } };

static const struct field result[] = { GATEWAY_NOTIFIER_ARGS_FIELDS, { 0 } };

static int
gateway_notifier_status_run(struct call *c, struct json *out, struct err *e)
{
	return gateway_notifier_args_do(c, out, NULL, e);
}

const struct op desk_gateway_notifier_status = {
	.name = "gateway notifier status",
	.shows = "emcli session list",
	.summary = "Show whether a session's agent is told of new mail",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.run = gateway_notifier_status_run,
};
