/* SPDX-License-Identifier: Apache-2.0 */
/* emcli mailbox messages: what is in a mailbox, without the bodies. */
#include "base/limits.h"
#include "desk/desk.h"
#include "desk/mailbox_args.h"

static const struct arg_spec args[] = {
	MAILBOX_ARGS_ROOT,
	MAILBOX_ARGS_ADDRESS,
	{ .name = "box",
	    .type = ARG_TEXT,
	    .help = "only this one: inbox, sent, archive or another; default: "
		    "all" },
	{ .name = "unread", .type = ARG_FLAG, .help = "only what is unread" },
	{ .name = "limit",
	    .type = ARG_COUNT,
	    .help = "how many at most",
	    .min = 1,
	    .max = LIMIT_PAGE,
	    .def = "50" },
	{ 0 },
};

static const struct field party_fields[] = {
	{ "address", FIELD_TEXT, .help = "its address" },
	{ "principal_id", FIELD_TEXT, .help = "who it is among agents" },
	{ 0 },
};

static const struct field messages[] = {
	{ "message_id", FIELD_TEXT, .help = "the message" },
	{ "thread_id", FIELD_TEXT, .help = "its thread" },
	{ "created_at", FIELD_TEXT, .help = "when it was sent" },
	{ "subject", FIELD_TEXT, .help = "as its sender wrote it" },
	{ "box", FIELD_TEXT, .help = "where it is" },
	{ "read", FIELD_BOOL, .help = "was it read?" },
	{ "answered", FIELD_BOOL, .help = "was it answered?" },
	{ "archived", FIELD_BOOL, .help = "was it put away?" },
	{ "damaged", FIELD_BOOL,
	    .help = "its file is missing or no message; then the members below "
		    "are null" },
	{ "sender", FIELD_OBJECT, .nullable = true, .help = "who sent it",
	    .sub = party_fields },
	{ "sender_auth", FIELD_TEXT, .nullable = true,
	    .help = "pass: emcli delivered exactly this for that sender; "
		    "unchecked: another program did" },
	{ "to", FIELD_OBJECTS, .nullable = true, .help = "to whom",
	    .sub = party_fields },
	{ "cc", FIELD_OBJECTS, .nullable = true, .help = "copies to",
	    .sub = party_fields },
	{ "attachments", FIELD_INT, .nullable = true, .help = "how many" },
	{ 0 },
};

static const struct field result[] = {
	{ "messages", FIELD_OBJECTS, .help = "the newest first",
	    .sub = messages },
	{ "total", FIELD_INT, .help = "how many there are in all" },
	{ 0 },
};

static void
mailbox_messages_put_party(struct json *j, const char *key,
    const struct agentbox_party *p)
{
	json_open_object(j, key);
	json_put_str(j, "address", p->address);
	json_put_str(j, "principal_id", p->principal);
	json_close_object(j);
}

static void
mailbox_messages_put_parties(struct json *j, const char *key,
    const struct root_message *m, const struct agentbox_parties *l)
{
	if (m->damaged) {
		json_put_null(j, key);
		return;
	}
	json_open_array(j, key);
	for (size_t i = 0; i < l->n; i++)
		mailbox_messages_put_party(j, NULL, &l->v[i]);
	json_close_array(j);
}

static void
mailbox_messages_put(struct json *j, const struct root_message *m)
{
	const struct agentbox_entry *v = &m->entry;

	json_open_object(j, NULL);
	json_put_str(j, "message_id", v->id);
	json_put_str(j, "thread_id", v->thread);
	json_put_str(j, "created_at", v->created);
	json_put_str(j, "subject", v->subject);
	json_put_str(j, "box", v->box);
	json_put_bool(j, "read", v->read);
	json_put_bool(j, "answered", v->answered);
	json_put_bool(j, "archived", v->archived);
	json_put_bool(j, "damaged", m->damaged);
	if (m->damaged)
		json_put_null(j, "sender");
	else
		mailbox_messages_put_party(j, "sender", &m->from);
	json_put_text(j, "sender_auth",
	    m->damaged         ? NULL
		: m->authentic ? "pass"
			       : "unchecked");
	mailbox_messages_put_parties(j, "to", m, &m->to);
	mailbox_messages_put_parties(j, "cc", m, &m->cc);
	if (m->damaged)
		json_put_null(j, "attachments");
	else
		json_put_int(j, "attachments", (int64_t)m->attachments);
	json_close_object(j);
}

static int
mailbox_messages_run(struct call *c, struct json *out, struct err *e)
{
	const struct agentbox_want w = {
		.box = args_text(c->args, "box"),
		.read =
		    args_has(c->args, "unread") ? AGENTBOX_NO : AGENTBOX_ANY,
		.limit = args_count(c->args, "limit", LIMIT_PAGE_DEFAULT),
	};
	struct root_messages l = { 0 };
	struct root r;
	int got = mailbox_args_open(c, false, &r, e);

	if (got == 0)
		got = root_message_list(&r, args_text(c->args, "address"), &w,
		    &l, e);
	mailbox_args_close(c, &r);
	if (got < 0)
		return -1;
	json_open_array(out, "messages");
	for (size_t i = 0; i < l.n; i++)
		mailbox_messages_put(out, &l.v[i]);
	json_close_array(out);
	json_put_int(out, "total", (int64_t)l.total);
	if (l.total > l.n)
		gate_tell(c, "the newest %zu of %zu", l.n, l.total);
	return 0;
}

const struct op desk_mailbox_messages = {
	.name = "mailbox messages",
	.summary = "List the messages of a mailbox, without their text",
	.effect = EFFECT_OPERATE,
	.needs = NEED_STORE,
	.args = args,
	.result = result,
	.columns = "created_at=SENT box read sender.address?=FROM "
		   "sender_auth?=AUTH subject",
	.run = mailbox_messages_run,
};
