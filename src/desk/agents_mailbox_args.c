/* SPDX-License-Identifier: Apache-2.0 */
#include "desk/agents_mailbox_args.h"

/* The name of the agent of that id; empty: there is none. */
static int
agents_mailbox_name(struct sessions *s, struct str id, struct str *out,
    struct err *e)
{
	struct session *v;
	size_t n;

	if (session_list(s, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (v[i].manifest.agent_id.n > 0 &&
		    str_eq(v[i].manifest.agent_id, id)) {
			*out = v[i].manifest.agent;
			return 0;
		}
	return err_set(e, ERR_NOT_FOUND,
	    "there is no such session: see emcli session list");
}

int
agents_mailbox_args_find(struct call *c, struct sessions *s,
    struct session *out, struct err *e)
{
	struct str id = args_text(c->args, "session");
	struct str agent = args_text(c->args, "agent_name");
	struct str agent_id = args_text(c->args, "agent_id");
	int r;

	if ((id.n > 0) + (agent.n > 0) + (agent_id.n > 0) != 1)
		return err_set(e, ERR_USAGE,
		    "name the session by one of --session, --agent-name and "
		    "--agent-id");
	r = session_args_open(c, false, s, e);
	if (r > 0)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such session: see emcli session list");
	if (r < 0 ||
	    (agent_id.n > 0 && agents_mailbox_name(s, agent_id, &agent, e) < 0))
		return -1;
	return session_list_find(s, id, agent, out, e);
}

void
agents_mailbox_args_put(struct json *out, const struct session *x)
{
	json_put_str(out, "session_id", x->id);
	json_put_str_or_null(out, "agent_name", x->manifest.agent);
	json_put_str_or_null(out, "account", x->state.account);
	session_args_put_mailbox(out, &x->manifest.mailbox);
}

void
agents_mailbox_args_say(struct call *c, const struct session *x)
{
	const struct binding *b = &x->manifest.mailbox;

	gate_say_pair(c, "session", x->id);
	if (b->transport == TRANSPORT_NONE) {
		gate_say_pair(c, "mailbox", S("none"));
		return;
	}
	gate_say_pair(c, "address", b->address);
	gate_say_pair(c, "principal", b->principal_id);
	if (b->transport == TRANSPORT_FILESYSTEM)
		gate_say_pair(c, "mailbox root", b->filesystem_root);
	if (x->state.account.n > 0)
		gate_say_pair(c, "account", x->state.account);
}
