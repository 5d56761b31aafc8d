/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emcli serve: the broker.  It needs the agents' key, and no call of it is an
 * operator's: who may call is what `agent add --user` says.
 */
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ "user", ARG_TEXT, .help = "become this user first; only root can" },
	{ "socket", ARG_TEXT,
	    .help = "where to listen; unused if systemd passes a socket",
	    .def = "/run/emcli/emcli.sock" },
	{ "http", ARG_TEXT,
	    .help = "also serve operations over HTTP, on this loopback address "
		    "and port, such as 127.0.0.1:8723" },
	{ "http_socket", ARG_TEXT,
	    .help = "the same on a unix socket at this path" },
	{ "foreground", ARG_FLAG,
	    .help = "serve in this process, for a unit or a container" },
	{ 0 },
};

static int
serve_run(struct call *c, struct json *out, struct err *e)
{
	(void)out;
	if (operate_door(c)->broker->serve(operate_env(c), c->args, e) < 0)
		return -1;
	gate_say(c, GATE_PLAIN,
	    args_has(c->args, "foreground") ? "the broker has ended"
					    : "the broker listens");
	return 0;
}

const struct op desk_serve = {
	.name = "serve",
	.summary = "Run agents' calls as a user that alone holds the key",
	.effect = EFFECT_OPERATE,
	.args = args,
	.run = serve_run,
};
