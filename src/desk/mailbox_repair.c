/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox repair: makes what is missing in a root. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ 0 },
};

static const struct field result[] = {
	{ "messages", FIELD_INT, .help = "how many there are" },
	{ "active", FIELD_INT, .help = "registrations" },
	{ "links", FIELD_INT, .help = "made again" },
	{ "rows", FIELD_INT, .help = "made again" },
	{ "locks", FIELD_INT, .help = "of ended processes, removed" },
	{ "damaged", FIELD_TEXTS,
	    .help = "what cannot be repaired: messages whose file is missing, "
		    "and files that are no messages" },
	{ "set_aside", FIELD_TEXTS,
	    .help = "unreadable databases; new ones are in their place" },
	{ "moved", FIELD_BOOL, .help = "the root was moved; its paths follow" },
	{ 0 },
};

static void
mailbox_repair_say(struct call *c, const struct agentbox_report *p)
{
	gate_say(c, GATE_GOOD, "%.*s read, %.*s and %.*s made again",
	    STR_ARG(mailbox_args_count(c, p->messages, "message")),
	    STR_ARG(mailbox_args_count(c, p->links, "link")),
	    STR_ARG(mailbox_args_count(c, p->rows, "row")));
	if (p->moved)
		gate_tell(c, "the root was moved, and its paths follow");
	for (size_t i = 0; i < p->set_aside.n; i++)
		gate_say(c, GATE_NOTE, "unreadable, kept and made again: %.*s",
		    STR_ARG(p->set_aside.v[i]));
	for (size_t i = 0; i < p->damaged.n; i++)
		gate_say(c, GATE_BAD, "damaged: %.*s",
		    STR_ARG(p->damaged.v[i]));
}

static int
mailbox_repair_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_report p;

	if (root_repair(args_text(c->args, "root"), operate_store(c), c->arena,
		&p, e) < 0)
		return -1;
	json_put_int(out, "messages", (int64_t)p.messages);
	json_put_int(out, "active", (int64_t)p.registrations);
	json_put_int(out, "links", (int64_t)p.links);
	json_put_int(out, "rows", (int64_t)p.rows);
	json_put_int(out, "locks", (int64_t)p.locks);
	json_put_strs(out, "damaged", &p.damaged);
	json_put_strs(out, "set_aside", &p.set_aside);
	json_put_bool(out, "moved", p.moved);
	mailbox_repair_say(c, &p);
	c->note = str_fmt(c->arena, "%zu links, %zu rows, %zu damaged", p.links,
	    p.rows, p.damaged.n);
	return 0;
}

const struct op desk_mailbox_repair = {
	.name = "mailbox repair",
	.summary = "Read all messages of a root, and make what is missing",
	.effect = EFFECT_OPERATE,
	.needs = NEED_RECORD,
	.args = args,
	.result = result,
	.run = mailbox_repair_run,
};
