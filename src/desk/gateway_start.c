/* SPDX-License-Identifier: Apache-2.0 */
/* emcli gateway start: in the background. */
#include "base/path.h"
#include "desk/desk.h"
#include "desk/gateway_args.h"

static const struct arg_spec args[] = {
	GATEWAY_ARGS_SESSION,
	GATEWAY_ARGS_PLACE,
	{ 0 },
};

static const struct field result[] = { GATEWAY_ARGS_FIELDS, { 0 } };

static int
gateway_start_one(struct call *c, struct sessions *s, struct session *x,
    struct err *e)
{
	CLEANUP(path_close) int folder = -1;
	struct instance now;

	if (x->is == SESSION_IS_DAMAGED)
		return err_set(e, ERR_CONFIG, "the session is damaged: %.*s",
		    STR_ARG(str_first(x->why, 90)));
	if (x->manifest.mailbox.transport == TRANSPORT_NONE)
		return err_set(e, ERR_CONFIG,
		    "the session has no mailbox, and so nothing to serve");
	folder = session_folder(s, x, false, e);
	if (folder < 0)
		return -1;
	/* A damaged record is replaced. */
	if (instance_read(folder, s->a, &now, &(struct err){ 0 }) == 0 &&
	    instance_is_alive(&now)) {
		operate_note(c, "emcli: note: the gateway runs already");
		return 0;
	}
	return session_gateway_do(s, x, folder, e);
}

static int
gateway_start_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x;
	int r = session_args_find(c, &s, &x, e);

	if (r == 0) {
		gateway_args_take(c, &s);
		r = gateway_start_one(c, &s, &x, e);
	}
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return gateway_args_put_all(c, out, &x, e);
}

const struct op desk_gateway_start = {
	.name = "gateway start",
	.shows = "emcli session list",
	.summary = "Start the gateway to a session's mailbox",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.hosts = true,
	.args = args,
	.result = result,
	.run = gateway_start_run,
};
