/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli gateway run: in the foreground, for a unit or a container.  The
 * database is not open meanwhile: each request opens it for itself.
 */
#include "desk/desk.h"
#include "desk/gateway_args.h"

static const struct arg_spec args[] = {
	GATEWAY_ARGS_SESSION,
	GATEWAY_ARGS_PLACE,
	{ 0 },
};

static const struct field result[] = {
	{ "session_id", FIELD_TEXT, .help = "which session it served" },
	{ 0 },
};

/* Without the database, nothing that a killed start left can be undone. */
static int
gateway_run_find(struct call *c, struct sessions *s, struct session *x,
    struct session_gateway *g, struct err *e)
{
	struct str id = args_text(c->args, "session");
	struct str agent = args_text(c->args, "agent_name");
	int r;

	if ((id.n > 0) == (agent.n > 0))
		return err_set(e, ERR_USAGE,
		    "name the session by --session, or by --agent-name");
	r = session_open(s, args_text(c->args, "runtime_root"), false, NULL,
	    c->arena, e);
	if (r > 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such session: see emcli session list");
	if (r < 0 || session_list_find(s, id, agent, x, e) < 0)
		return -1;
	if (x->is == SESSION_IS_DAMAGED ||
	    x->manifest.mailbox.transport == TRANSPORT_NONE)
		return err_set(e, ERR_CONFIG,
		    "the session has no mailbox, and so nothing to serve");
	gateway_args_take(c, s);
	return session_gateway_here(s, x, g, e);
}

static int
gateway_run_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session_gateway g;
	struct session x = { 0 };
	int r = gateway_run_find(c, &s, &x, &g, e);

	/* Other commands on sessions go on while it serves. */
	session_close(&s);
	if (r < 0 || operate_door(c)->gateway->here(&g, operate_env(c), e) < 0)
		return -1;
	json_put_str(out, "session_id", x.id);
	gate_say(c, GATE_PLAIN, "the gateway has ended");
	return 0;
}

const struct op desk_gateway_run = {
	.name = "gateway run",
	.shows = "emcli session list",
	.summary = "Serve a session's mailbox in the foreground",
	.effect = EFFECT_OPERATE,
	.needs = NEED_KEY,
	.args = args,
	.result = result,
	.run = gateway_run_run,
};
