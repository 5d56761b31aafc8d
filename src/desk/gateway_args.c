/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/gateway_args.h"

#include <fcntl.h>

#include "base/path.h"

const struct field gateway_args_fields[] = {
	{ "base_url", FIELD_TEXT, .help = "on TCP, with the token" },
	{ "host", FIELD_TEXT, .help = "its name" },
	{ "port", FIELD_INT, .help = "of TCP" },
	{ "unix_socket", FIELD_TEXT, .help = "without a token, for its user" },
	{ "token_file", FIELD_TEXT, .help = "the file that holds the token" },
	{ "pid", FIELD_INT, .help = "of its process" },
	{ 0 },
};

int
gateway_args_read(struct arena *a, const struct session *x,
    struct instance *out, struct err *e)
{
	CLEANUP(path_close)
	int fd = path_dir_open(AT_FDCWD, str_c(a, x->path));
	int r = fd < 0 ? 1 : instance_read(fd, a, out, e);

	return r == 0 && !instance_is_alive(out) ? 1 : r;
}

static void
gateway_args_put_one(struct json *out, const struct instance *i)
{
	json_open_object(out, "gateway");
	json_put_str(out, "base_url", i->base_url);
	json_put_str(out, "host", i->host);
	json_put_int(out, "port", i->port);
	json_put_str(out, "unix_socket", i->socket);
	json_put_str(out, "token_file", i->token_file);
	json_put_int(out, "pid", i->process.pid);
	json_close_object(out);
}

void
gateway_args_put(struct json *out, struct arena *a, const struct session *x)
{
	struct instance i;
	struct err none = { 0 };

	if (gateway_args_read(a, x, &i, &none) == 0)
		gateway_args_put_one(out, &i);
	else
		json_put_null(out, "gateway");
}

int
gateway_args_put_all(struct call *c, struct json *out, const struct session *x,
    struct err *e)
{
	struct instance i;
	int r = gateway_args_read(c->arena, x, &i, e);

	if (r < 0)
		return -1;
	json_put_str(out, "session_id", x->id);
	json_put_str(out, "session_root", x->path);
	json_put_bool(out, "running", r == 0);
	gate_say_pair(c, "session", x->id);
	gate_say_pair(c, "gateway", r == 0 ? S("running") : S("not running"));
	if (r > 0) {
		json_put_null(out, "gateway");
		return 0;
	}
	gateway_args_put_one(out, &i);
	gate_say_pair(c, "on TCP", i.base_url);
	gate_say_pair(c, "token", i.token_file);
	gate_say_pair(c, "socket", i.socket);
	return 0;
}

void
gateway_args_take(struct call *c, struct sessions *s)
{
	s->gateway = operate_door(c)->gateway->start;
	s->gateway_host = args_text(c->args, "host");
	s->gateway_port_given = args_has(c->args, "port");
	s->gateway_port = args_count(c->args, "port", 0);
}
