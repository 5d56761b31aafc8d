/* SPDX-License-Identifier: Apache-2.0 */
/* emcli serve status: what the broker says of itself. */
#include "base/limits.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	{ "socket", ARG_TEXT,
	    .help = "where the broker listens; without it EMCLI_SOCKET, or "
		    "/run/emcli/emcli.sock" },
	{ 0 },
};

static const struct field wires[] = {
	{ "account", FIELD_TEXT,
	    .help = "the account; null: it asks name servers for keys of "
		    "DKIM" },
	{ "state", FIELD_TEXT, .help = "what it does" },
	{ "since_s", FIELD_INT, .help = "for how many seconds" },
	{ 0 },
};

static const struct field http[] = {
	{ "address", FIELD_TEXT, .help = "a loopback address, or null" },
	{ "socket", FIELD_TEXT, .help = "a unix socket, or null" },
	{ "pid", FIELD_INT,
	    .help = "its process; null: it is being started again" },
	{ 0 },
};

static const struct field teller[] = {
	{ "running", FIELD_BOOL,
	    .help = "false: it has ended, and the broker is to be started "
		    "again" },
	{ "last", FIELD_TEXT,
	    .help = "its last notice: given, or failed, and doctor says why; "
		    "null: there was none" },
	{ "since_s", FIELD_INT, .help = "so many seconds ago, or null" },
	{ 0 },
};

static const struct field confined[] = {
	{ "monitor", FIELD_TEXT, .help = "accepts connections" },
	{ "spawner", FIELD_TEXT, .help = "starts all others" },
	{ "keeper", FIELD_TEXT, .help = "unseals" },
	{ "worker", FIELD_TEXT, .help = "runs a call" },
	{ "wire", FIELD_TEXT,
	    .help = "connects to a server, or reads files of mail" },
	{ "reader", FIELD_TEXT, .help = "reads messages" },
	{ "http", FIELD_TEXT,
	    .help = "speaks HTTP; missing: nothing is served over it" },
	{ 0 },
};

static const struct field result[] = {
	{ "level", FIELD_TEXT, .help = "broker" },
	{ "socket", FIELD_TEXT, .help = "where it listens" },
	{ "uid", FIELD_INT, .help = "the user that it is" },
	{ "pid", FIELD_INT, .help = "of its monitor: SIGTERM ends all of it" },
	{ "workers", FIELD_INT, .help = "processes that run calls" },
	{ "calls", FIELD_INT,
	    .help = "calls that run, without this one; emcli watch is one for "
		    "as long as it waits" },
	{ "pipes", FIELD_INT,
	    .help = "sessions of emcli mcp and emcli skills" },
	{ "waiting", FIELD_INT, .help = "connections that wait" },
	{ "wires", FIELD_OBJECTS,
	    .help = "processes with an account's connection or files",
	    .sub = wires },
	{ "http", FIELD_OBJECT,
	    .help = "where operations are served over HTTP; null: nowhere",
	    .sub = http },
	{ "teller", FIELD_OBJECT,
	    .help = "the process that runs the program of notify",
	    .sub = teller },
	{ "confined", FIELD_OBJECT,
	    .help = "of each process, what confines it, and what this "
		    "kernel lacks",
	    .sub = confined },
	{ 0 },
};

static void
serve_status_say(struct call *c, const struct json_value *v, const char *key)
{
	struct str text;
	int64_t n;

	if (json_parse_str(json_parse_member(v, key), &text))
		gate_say_pair(c, key, str_dup(c->arena, text));
	else if (json_parse_int(json_parse_member(v, key), &n))
		gate_say_pair(c, key, str_fmt(c->arena, "%lld", (long long)n));
}

static void
serve_status_say_wires(struct call *c, const struct json_value *v)
{
	struct str account, state;
	int64_t since;

	for (size_t i = 0; i < json_parse_count(v); i++) {
		const struct json_value *w = json_parse_item(v, i);

		if (!json_parse_str(json_parse_member(w, "account"), &account))
			account = S("name servers");
		if (json_parse_str(json_parse_member(w, "state"), &state) &&
		    json_parse_int(json_parse_member(w, "since_s"), &since))
			gate_say_pair(c, "wire",
			    str_fmt(c->arena, "%.*s, %.*s for %lld s",
				STR_ARG(account), STR_ARG(state),
				(long long)since));
	}
}

static void
serve_status_say_http(struct call *c, const struct json_value *v)
{
	struct str said = { 0 }, at = { 0 };

	if (json_parse_str(json_parse_member(v, "address"), &at))
		said = at;
	if (json_parse_str(json_parse_member(v, "socket"), &at))
		said = str_fmt(c->arena, "%.*s%s%.*s", STR_ARG(said),
		    said.n > 0 ? ", " : "", STR_ARG(at));
	if (said.n > 0)
		gate_say_pair(c, "http", str_dup(c->arena, said));
}

static void
serve_status_say_teller(struct call *c, const struct json_value *v)
{
	struct str last;
	int64_t since;
	bool running;

	if (!json_parse_bool(json_parse_member(v, "running"), &running))
		return;
	gate_say_pair(c, "teller",
	    running ? S("running") : S("gone: start the broker again"));
	if (json_parse_str(json_parse_member(v, "last"), &last) &&
	    json_parse_int(json_parse_member(v, "since_s"), &since))
		gate_say_pair(c, "last notice",
		    str_fmt(c->arena, "%.*s %lld s ago%s", STR_ARG(last),
			(long long)since,
			str_eq(last, S("failed")) ? ": see emcli doctor" : ""));
}

static struct str
serve_status_socket(const struct call *c)
{
	const char *named = operate_env(c)->socket;

	if (args_has(c->args, "socket"))
		return args_text(c->args, "socket");
	/* none: calls do not use one. */
	if (named != NULL && strcmp(named, "none") != 0)
		return str_of(named);
	return S("/run/emcli/emcli.sock");
}

static int
serve_status_run(struct call *c, struct json *out, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct str socket = serve_status_socket(c), json;
	const struct json_value *v, *m;
	struct str name = { 0 };

	if (operate_door(c)->broker->status(socket, c->arena, &json, e) < 0 ||
	    json_parse_open(json, LIMIT_FRAME, &doc, e) < 0)
		return -1;
	v = json_parse_root(doc);
	while ((m = json_parse_next(v, &name)) != NULL) {
		json_copy_put(out, str_c(c->arena, name), m);
		/* As it is named here, since its own process may be told
		 * another name by systemd. */
		if (str_eq(name, S("level")))
			json_put_str(out, "socket", socket);
	}
	for (const struct field *f = result; f->name != NULL; f++) {
		serve_status_say(c, v, f->name);
		if (strcmp(f->name, "level") == 0)
			gate_say_pair(c, "socket", socket);
	}
	m = json_parse_member(v, "wires");
	if (json_parse_is_array(m))
		serve_status_say_wires(c, m);
	serve_status_say_http(c, json_parse_member(v, "http"));
	serve_status_say_teller(c, json_parse_member(v, "teller"));
	m = json_parse_member(v, "confined");
	for (const struct field *f = confined; f->name != NULL; f++)
		serve_status_say(c, m, f->name);
	return 0;
}

const struct op desk_serve_status = {
	.name = "serve status",
	.summary = "Show the broker's processes and what confines them",
	.effect = EFFECT_OPERATE,
	.args = args,
	.result = result,
	.run = serve_status_run,
};
