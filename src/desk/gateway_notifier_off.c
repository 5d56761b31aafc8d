/* SPDX-License-Identifier: Apache-2.0 */
/* emcli gateway notifier off: its settings are kept for another time. */
#include "desk/desk.h"
#include "desk/gateway_notifier_args.h"
#include "runtime/notifier.h"

static const struct arg_spec args[] = { GATEWAY_ARGS_SESSION, { 0 } };

static const struct field result[] = { GATEWAY_NOTIFIER_ARGS_FIELDS, { 0 } };

static int
gateway_notifier_off_change(struct call *c, const struct session *x, int folder,
    struct err *e)
{
	(void)x;
	return notifier_off(folder, c->arena, e);
}

static int
gateway_notifier_off_run(struct call *c, struct json *out, struct err *e)
{
	return gateway_notifier_args_do(c, out, gateway_notifier_off_change, e);
}

const struct op desk_gateway_notifier_off = {
	.name = "gateway notifier off",
	.shows = "emcli session list",
	.summary = "Tell a session's agent of new mail no more",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = gateway_notifier_off_run,
};
