/* SPDX-License-Identifier: Apache-2.0 */
/* emcli agents mailbox status: the mailbox of a session, and can it be used? */
#include "desk/agents_mailbox_args.h"
#include "desk/desk.h"

static const struct arg_spec args[] = {
	AGENTS_MAILBOX_ARGS_ONE,
	{ 0 },
};

static const struct field result[] = {
	AGENTS_MAILBOX_ARGS_FIELDS,
	{ "actionable", FIELD_BOOL, .help = "it can be used" },
	{ "why", FIELD_TEXT, .nullable = true, .help = "why it cannot" },
	{ 0 },
};

static void
agents_mailbox_status_put(struct call *c, struct sessions *s,
    const struct session *x, struct json *out)
{
	const struct binding *b = &x->manifest.mailbox;
	struct str why = { 0 };
	struct err no = { 0 };

	if (b->transport == TRANSPORT_NONE)
		why = S("the session has no mailbox");
	else if (session_mailbox_check(s, b, &no) < 0)
		why = str_fmt(c->arena, "%s", no.say);
	agents_mailbox_args_put(out, x);
	json_put_bool(out, "actionable", why.n == 0);
	json_put_str_or_null(out, "why", why);
	agents_mailbox_args_say(c, x);
	if (why.n > 0)
		gate_say(c, GATE_BAD, "%.*s", STR_ARG(why));
	else
		gate_say(c, GATE_GOOD, "the mailbox can be used");
}

static int
agents_mailbox_status_run(struct call *c, struct json *out, struct err *e)
{
	struct sessions s = { .fd = -1, .place = { .fd = -1 } };
	struct session x;
	int r = agents_mailbox_args_find(c, &s, &x, e);

	if (r == 0 && x.is == SESSION_IS_DAMAGED)
		r = err_set(e, ERR_CONFIG, "the session is damaged: %.*s",
		    STR_ARG(str_first(x.why, 90)));
	if (r == 0)
		agents_mailbox_status_put(c, &s, &x, out);
	session_args_close(c, &s);
	return r;
}

const struct op desk_agents_mailbox_status = {
	.name = "agents mailbox status",
	.shows = "emcli session list",
	.summary = "Show the mailbox of an agent's session",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = agents_mailbox_status_run,
};
