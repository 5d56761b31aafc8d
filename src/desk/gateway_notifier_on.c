/* SPDX-License-Identifier: Apache-2.0 */
/* emcli gateway notifier on: the agent is told of new mail in its terminal. */
#include "base/limits.h"
#include "desk/desk.h"
#include "desk/gateway_notifier_args.h"
#include "runtime/notifier.h"

#define INTERVAL 60

static const struct arg_spec args[] = {
	GATEWAY_ARGS_SESSION,
	{ .name = "interval",
	    .type = ARG_COUNT,
	    .help = "seconds between two looks at the mailbox",
	    .min = 1,
	    .max = LIMIT_NOTIFIER_S,
	    .def = "60" },
	{ .name = "renotify",
	    .type = ARG_COUNT,
	    .help = "seconds until it is told again of the same messages; 0: "
		    "never",
	    .max = LIMIT_NOTIFIER_S,
	    .def = "0" },
	{ .name = "snooze_until",
	    .type = ARG_DATE,
	    .help = "tell it nothing before, and then of all unread mail" },
	{ 0 },
};

static const struct field result[] = { GATEWAY_NOTIFIER_ARGS_FIELDS, { 0 } };

static int
gateway_notifier_on_change(struct call *c, const struct session *x, int folder,
    struct err *e)
{
	const struct notifier_settings v = {
		.enabled = true,
		.interval_s = args_count(c->args, "interval", INTERVAL),
		.renotify_s = args_count(c->args, "renotify", 0),
		.snooze_until = args_has(c->args, "snooze_until")
		    ? args_date(c->args, "snooze_until")
		    : 0,
	};

	if (notifier_status_check(folder, &x->manifest, c->arena, e) < 0)
		return -1;
	return notifier_write(folder, &v, c->arena, e);
}

static int
gateway_notifier_on_run(struct call *c, struct json *out, struct err *e)
{
	return gateway_notifier_args_do(c, out, gateway_notifier_on_change, e);
}

const struct op desk_gateway_notifier_on = {
	.name = "gateway notifier on",
	.shows = "emcli session list",
	.summary = "Have a session's agent told of new mail",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = gateway_notifier_on_run,
};
