/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agents mailbox unregister: a session goes on without its mailbox. */
#include "desk/agents_mailbox_args.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	AGENTS_MAILBOX_ARGS_ONE,
	{ 0 },
};

static const struct field result[] = {
	AGENTS_MAILBOX_ARGS_FIELDS,
	SESSION_ARGS_REBOUND_FIELDS,
	{ 0 },
};

static int
agents_mailbox_unregister(struct sessions *s, struct session *x,
    struct session_rebound *was, struct err *e)
{
	struct binding next = { .transport = TRANSPORT_NONE };

	if (x->is != SESSION_IS_DAMAGED &&
	    x->manifest.mailbox.transport == TRANSPORT_NONE) {
		(void)err_set(e, ERR_CONFIG, "the session has no mailbox");
		e->reason = "no_mailbox";
		return -1;
	}
	return session_rebind(s, x, &next, was, e);
}

static int
agents_mailbox_unregister_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session_rebound was = { 0 };
	struct session x;
	int r = agents_mailbox_args_find(c, &s, &x, e);

	if (r == 0)
		r = agents_mailbox_unregister(&s, &x, &was, e);
	session_args_close(c, &s);
	if (r < 0)
		return -1;
	agents_mailbox_args_put(out, &x);
	session_args_put_rebound(out, &was);
	agents_mailbox_args_say(c, &x);
	session_args_say_rebound(c, &was);
	c->note = str_fmt(c->arena, "session %.*s", STR_ARG(x.id));
	return 0;
}

const struct op desk_agents_mailbox_unregister = {
	.name = "agents mailbox unregister",
	.shows = "emcli session list",
	.summary = "Take the mailbox of a session away; its mail stays",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = agents_mailbox_unregister_run,
};
