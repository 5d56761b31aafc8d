/* SPDX-License-Identifier: Apache-2.0 */
/* A session as it is named and shown. */
#include "desk/session_args.h"

#include "desk/gateway_args.h"

const struct field session_args_mailbox[] = {
	{ "transport", FIELD_TEXT, .help = "filesystem or stalwart" },
	{ "principal_id", FIELD_TEXT, .help = "who the agent is among agents" },
	{ "address", FIELD_TEXT, .help = "its address" },
	{ "bindings_version", FIELD_TEXT, .help = "changes with the mailbox" },
	{ "filesystem_root", FIELD_TEXT, .optional = true,
	    .help = "the mailbox root" },
	{ "mailbox_path", FIELD_TEXT, .optional = true, .nullable = true,
	    .help = "the mailbox's folder" },
	{ "jmap_url", FIELD_TEXT, .optional = true,
	    .help = "where the server speaks JMAP" },
	{ "management_url", FIELD_TEXT, .optional = true,
	    .help = "where its accounts are managed" },
	{ "login_identity", FIELD_TEXT, .optional = true, .help = "the login" },
	{ "credential_ref", FIELD_TEXT, .optional = true,
	    .help = "what its password is called, see credential list" },
	{ 0 },
};

static void
session_args_put_text(struct json *out, const char *key, struct str s)
{
	if (s.n > 0)
		json_put_str(out, key, s);
	else
		json_put_null(out, key);
}

void
session_args_put_mailbox(struct json *out, const struct binding *b)
{
	if (b->transport == TRANSPORT_NONE) {
		json_put_null(out, "mailbox");
		return;
	}
	json_open_object(out, "mailbox");
	json_put_text(out, "transport", transport_name(b->transport));
	json_put_str(out, "principal_id", b->principal_id);
	json_put_str(out, "address", b->address);
	json_put_str(out, "bindings_version", b->bindings_version);
	if (b->transport == TRANSPORT_FILESYSTEM) {
		json_put_str(out, "filesystem_root", b->filesystem_root);
		session_args_put_text(out, "mailbox_path", b->mailbox_path);
	} else {
		json_put_str(out, "jmap_url", b->jmap_url);
		json_put_str(out, "management_url", b->management_url);
		json_put_str(out, "login_identity", b->login_identity);
		json_put_str(out, "credential_ref", b->credential_ref);
	}
	json_close_object(out);
}

static const char *const states[] = {
	[SESSION_IS_RUNNING] = "running",
	[SESSION_IS_ENDED] = "ended",
	[SESSION_IS_STOPPED] = "stopped",
	[SESSION_IS_DAMAGED] = "damaged",
};

void
session_args_put(struct json *out, struct arena *a, const struct session *x)
{
	const struct manifest *m = &x->manifest;

	json_put_str(out, "session_id", x->id);
	json_put_str(out, "session_root", x->path);
	json_put_str(out, "manifest_path", x->manifest_path);
	json_put_text(out, "state", states[x->is]);
	session_args_put_text(out, "why", x->why);
	session_args_put_text(out, "agent_name", m->agent);
	session_args_put_text(out, "agent_id", m->agent_id);
	session_args_put_text(out, "tool", m->tool);
	session_args_put_mailbox(out, &m->mailbox);
	gateway_args_put(out, a, x);
	session_args_put_text(out, "account", x->state.account);
	session_args_put_text(out, "created_at", m->created_at);
	if (x->is == SESSION_IS_RUNNING)
		json_put_int(out, "pid", x->state.process.pid);
	else
		json_put_null(out, "pid");
	session_args_put_text(out, "tmux_session_name", m->tmux);
	if (x->is == SESSION_IS_DAMAGED)
		json_put_null(out, "generation");
	else
		json_put_int(out, "generation", x->state.generation);
}

void
session_args_say(struct call *c, const struct session *x)
{
	const struct manifest *m = &x->manifest;
	const struct {
		const char *name;
		struct str value;
	} rows[] = {
		{ "session", x->id },
		{ "state", str_of(states[x->is]) },
		{ "why", x->why },
		{ "agent", m->agent },
		{ "tool", m->tool },
		{ "address", m->mailbox.address },
		{ "mailbox root", m->mailbox.filesystem_root },
		{ "mail server", m->mailbox.jmap_url },
		{ "credential", m->mailbox.credential_ref },
		{ "account", x->state.account },
		{ "folder", x->path },
		{ "manifest", x->manifest_path },
		{ "tmux session", m->tmux },
		{ "log",
		    m->tmux.n > 0
			? S("")
			: str_fmt(c->arena, "%.*s/log", STR_ARG(x->path)) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value.n > 0)
			gate_say_pair(c, rows[i].name, rows[i].value);
	if (x->is == SESSION_IS_RUNNING && m->tmux.n > 0)
		gate_say(c, GATE_NEXT, "its terminal: tmux attach -t %.*s",
		    STR_ARG(m->tmux));
	if (x->is == SESSION_IS_ENDED || x->is == SESSION_IS_STOPPED)
		gate_say(c, GATE_NEXT, "emcli session resume %.*s",
		    STR_ARG(x->id));
}

void
session_args_put_rebound(struct json *out, const struct session_rebound *was)
{
	session_args_put_text(out, "former_root", was->root);
	session_args_put_text(out, "former_address", was->address);
	json_put_bool(out, "deactivated", was->ended);
}

void
session_args_say_rebound(struct call *c, const struct session_rebound *was)
{
	if (was->root.n > 0)
		gate_say(c, GATE_NOTE,
		    "the registration of %.*s in %.*s %s; its mail stays there",
		    STR_ARG(was->address), STR_ARG(was->root),
		    was->ended ? "ended" : "was not active");
}

static int
session_args_execute(void *ctx, struct arena *a, struct err *e)
{
	return process_become(ctx, a, e);
}

void
session_args_become(struct call *c, const struct session *x)
{
	struct process_plan *last = arena_new(c->arena, struct process_plan);

	if (!x->foreground)
		return;
	*last = session_launch_plan(c->arena, x);
	operate_then(c, session_args_execute, last);
}

int
session_args_open(struct call *c, bool make, struct sessions *s, struct err *e)
{
	int r = session_open(s, args_text(c->args, "runtime_root"), make,
	    operate_store(c), c->arena, e);

	return r == 0 ? session_settle(s, e) : r;
}

int
session_args_find(struct call *c, struct sessions *s, struct session *out,
    struct err *e)
{
	struct str id = args_text(c->args, "session");
	struct str agent = args_text(c->args, "agent_name");
	int r;

	if ((id.n > 0) == (agent.n > 0))
		return err_set(e, ERR_USAGE,
		    "name the session by its id, or by --agent-name");
	r = session_args_open(c, false, s, e);
	if (r > 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such session: see emcli session list");
	return r < 0 ? -1 : session_list_find(s, id, agent, out, e);
}

void
session_args_close(struct call *c, struct sessions *s)
{
	for (size_t i = 0; i < s->notes.n; i++)
		operate_note(c, "emcli: note: %.*s", STR_ARG(s->notes.v[i]));
	session_close(s);
}
