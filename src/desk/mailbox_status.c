/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox status: what is in a root, and what is wrong with it. */
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	{ 0 },
};

static const struct field result[] = {
	{ "protocol", FIELD_INT, .help = "1; 3 can only be imported" },
	{ "active", FIELD_INT, .help = "registrations" },
	{ "inactive", FIELD_INT, .help = "registrations that ended" },
	{ "stashed", FIELD_INT, .help = "mailboxes that were put aside" },
	{ "messages", FIELD_INT, .help = "how many" },
	{ "unfinished", FIELD_INT,
	    .help = "changes that a process began; the next use of the root "
		    "finishes them" },
	{ "staged", FIELD_INT,
	    .help = "files of messages that are not delivered yet, or never" },
	{ "quarantined", FIELD_INT,
	    .help = "such files that were put aside: see mailbox cleanup" },
	{ "locks", FIELD_TEXTS,
	    .help = "locks of processes that ended; they stop nobody" },
	{ "damaged", FIELD_TEXTS,
	    .help = "messages whose file is missing, and files that are no "
		    "messages" },
	{ "missing_links", FIELD_INT, .help = "see mailbox repair" },
	{ "missing_rows", FIELD_INT, .help = "likewise" },
	{ "moved", FIELD_BOOL,
	    .help = "the root has another path than it had: see mailbox "
		    "repair" },
	{ 0 },
};

static void
mailbox_status_put(struct json *out, const struct agentbox_look *l)
{
	json_put_int(out, "protocol", l->protocol);
	json_put_int(out, "active", (int64_t)l->active);
	json_put_int(out, "inactive", (int64_t)l->inactive);
	json_put_int(out, "stashed", (int64_t)l->stashed);
	json_put_int(out, "messages", (int64_t)l->messages);
	json_put_int(out, "unfinished", (int64_t)l->unfinished);
	json_put_int(out, "staged", (int64_t)l->staged);
	json_put_int(out, "quarantined", (int64_t)l->quarantined);
	json_put_strs(out, "locks", &l->locks);
	json_put_strs(out, "damaged", &l->report.damaged);
	json_put_int(out, "missing_links", (int64_t)l->report.links);
	json_put_int(out, "missing_rows", (int64_t)l->report.rows);
	json_put_bool(out, "moved", l->report.moved);
}

static void
mailbox_status_say_left(struct call *c, const struct agentbox_look *l)
{
	if (l->unfinished > 0)
		gate_say(c, GATE_NOTE,
		    "%.*s that a process began: the next use finishes it",
		    STR_ARG(mailbox_args_count(c, l->unfinished, "change")));
	if (l->staged > 0)
		gate_say(c, GATE_NOTE, "%.*s staged",
		    STR_ARG(mailbox_args_count(c, l->staged, "file")));
	if (l->quarantined > 0)
		gate_say(c, GATE_NOTE,
		    "%.*s put aside: see emcli mailbox cleanup",
		    STR_ARG(mailbox_args_count(c, l->quarantined, "file")));
	for (size_t i = 0; i < l->locks.n; i++)
		gate_say(c, GATE_NOTE, "%.*s is of a process that ended",
		    STR_ARG(l->locks.v[i]));
}

static void
mailbox_status_say(struct call *c, const struct agentbox_look *l)
{
	const struct agentbox_report *p = &l->report;

	gate_tell(c, "protocol %u, %.*s", l->protocol,
	    STR_ARG(mailbox_args_count(c, l->messages, "message")));
	gate_tell(c, "%.*s, %zu inactive, %zu stashed",
	    STR_ARG(mailbox_args_count(c, l->active, "active registration")),
	    l->inactive, l->stashed);
	mailbox_status_say_left(c, l);
	for (size_t i = 0; i < p->damaged.n; i++)
		gate_say(c, GATE_BAD, "damaged: %.*s",
		    STR_ARG(p->damaged.v[i]));
	if (p->links > 0 || p->rows > 0 || p->moved)
		gate_say(c, GATE_BAD,
		    "%zu links and %zu rows are missing%s: run emcli mailbox "
		    "repair",
		    p->links, p->rows,
		    p->moved ? ", and the root was moved" : "");
	if (l->protocol == 3)
		gate_say(c, GATE_NEXT,
		    "copy it into a root of protocol 1 with emcli mailbox "
		    "import");
}

static int
mailbox_status_run(struct call *c, struct json *out, struct err *e)
{
	struct agentbox_look l;

	if (root_look(args_text(c->args, "root"), operate_store(c), c->arena,
		&l, e) < 0)
		return -1;
	mailbox_status_put(out, &l);
	mailbox_status_say(c, &l);
	return 0;
}

const struct op desk_mailbox_status = {
	.name = "mailbox status",
	.summary = "Look at a mailbox root without changing it",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.run = mailbox_status_run,
};
