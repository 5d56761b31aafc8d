/* emcli send: plain text, to all recipients or to none. */
#include "gate/outbox.h"

#include "base/clock.h"
#include "op/fields.h"
#include "op/internal.h"
#include "op/send_reply.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT,
	    .help = "account to send from; optional if there is only one" },
	{ "to", ARG_ADDRESS, ARG_REQUIRED | ARG_MANY, .help = "recipients",
	    .unless = "reply_all" },
	{ "cc", ARG_ADDRESS, ARG_MANY, .help = "copies" },
	{ "bcc", ARG_ADDRESS, ARG_MANY,
	    .help = "Bcc recipients: nobody else sees them" },
	{ "subject", ARG_TEXT,
	    .help = "subject; a reply without one uses the original's" },
	{ "body", ARG_LONG_TEXT, ARG_REQUIRED, .help = "text of the message" },
	{ "attach", ARG_PATH, ARG_MANY | ARG_FILE,
	    .help = "files below the account's attach_dir" },
	{ "reply_to", ARG_UID, .help = "uid of the message this answers" },
	{ "reply_all", ARG_FLAG,
	    .help = "with reply_to: to its author and its other recipients, "
		    "besides to and cc" },
	{ "quote", ARG_FLAG,
	    .help = "with reply_to: quote its text below the body" },
	{ "folder", ARG_FOLDER, .help = "folder that uid is in",
	    .def = "INBOX" },
	{ "idempotency_key", ARG_TEXT,
	    .help = "a name for this send: repeating the call with it sends "
		    "nothing twice" },
	{ "as_is", ARG_FLAG,
	    .help = "send it although it looks unfinished; this is recorded" },
	{ "dry_run", ARG_FLAG,
	    .help = "send nothing; say what would become of it" },
	FIELDS_ARG_LEASE,
	{ 0 },
};

static const struct field fields_reason[] = {
	{ "reason", FIELD_TEXT, .help = "secret, loop, rate_limited ..." },
	{ "effect", FIELD_TEXT, .help = "hold or refuse" },
	{ "message", FIELD_TEXT, .nullable = true,
	    .help = "of a refusal: what it would say" },
	{ "hint", FIELD_TEXT, .nullable = true,
	    .help = "of a refusal: what to do about it" },
	{ 0 },
};

static const struct field result[] = {
	{ "id", FIELD_INT, .optional = true,
	    .help = "of this send, for send_status" },
	{ "state", FIELD_TEXT, .help = "sent, or dry_run" },
	{ "again", FIELD_BOOL,
	    .help = "an earlier call with this key is the answer; this one "
		    "sent nothing" },
	{ "message_id", FIELD_TEXT, .optional = true,
	    .help = "of the sent message" },
	{ "recipients", FIELD_OBJECTS, .help = "each address once",
	    .sub = fields_recipient },
	{ "verdict", FIELD_TEXT, .optional = true,
	    .help = "of a dry run: send, hold, refuse, or again: an earlier "
		    "call with this key is the answer" },
	{ "reasons", FIELD_OBJECTS, .optional = true,
	    .help = "of a dry run: all that would hold or refuse it",
	    .sub = fields_reason },
	{ "bytes", FIELD_INT, .optional = true,
	    .help = "of a dry run: size of the message" },
	{ "digest", FIELD_TEXT, .optional = true,
	    .help = "of a dry run: SHA-256 of its bytes; what is sent later "
		    "has another date and Message-ID" },
	FIELDS_WARNINGS,
	{ 0 },
};

static void
send_put_sent(struct call *c, struct json *j, const struct sent *s)
{
	json_put_int(j, "id", s->id);
	json_put_text(j, "state", s->state);
	json_put_bool(j, "again", s->again);
	json_put_str(j, "message_id", s->message_id);
	fields_put_recipients(j, s);
	if (s->reason != NULL && s->expires_s > 0 &&
	    !str_eq(str_of(s->state), S("sent")))
		json_put_str(j, "expires",
		    clock_rfc3339(c->arena, s->expires_s));
}

/* The details of a message that was not sent, or may not have been. */
static void
send_put_detail(struct call *c, const struct sent *s)
{
	if (s->id == 0)
		return;
	c->detail = json_new(c->arena);
	json_open_object(c->detail, NULL);
	send_put_sent(c, c->detail, s);
	json_close_object(c->detail);
}

static void
send_put_reason(struct json *j, const struct outbox_finding *f)
{
	json_open_object(j, NULL);
	json_put_text(j, "reason", f->reason);
	json_put_text(j, "effect", f->refuses ? "refuse" : "hold");
	json_put_str_or_null(j, "message", f->say);
	json_put_text(j, "hint", f->hint);
	json_close_object(j);
}

static int
send_try(struct call *c, struct outgoing *m, struct json *j, struct err *e)
{
	struct outbox_tried t;

	if (send_reply(c, m, e) < 0 || outbox_try(c->outbox, m, &t, e) < 0)
		return -1;
	json_put_text(j, "state", "dry_run");
	json_put_bool(j, "again", str_eq(str_of(t.verdict), S("again")));
	fields_put_recipients(j, &t.sent);
	json_put_text(j, "verdict", t.verdict);
	json_open_array(j, "reasons");
	for (size_t i = 0; i < t.found.n; i++)
		send_put_reason(j, &t.found.v[i]);
	json_close_array(j);
	json_put_int(j, "bytes", (int64_t)t.bytes);
	json_put_str(j, "digest", t.digest);
	return 0;
}

static int
send_once(struct call *c, struct outgoing *m, struct sent *sent, struct err *e)
{
	/* Before the answered message is read, which may be gone. */
	int r = outbox_again(c->outbox, m, sent, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	if (send_reply(c, m, e) < 0)
		return -1;
	return outbox_send(c->outbox, m, sent, e);
}

static int
send_run(struct call *c, struct json *out, struct err *e)
{
	struct outgoing m = {
		.to = args_list(c->args, "to"),
		.cc = args_list(c->args, "cc"),
		.bcc = args_list(c->args, "bcc"),
		.subject = args_text(c->args, "subject"),
		.body = args_text(c->args, "body"),
		.attach = args_list(c->args, "attach"),
		.key = args_text(c->args, "idempotency_key"),
		.as_is = args_has(c->args, "as_is"),
	};
	struct sent sent = { 0 };

	if (!args_has(c->args, "subject") && !args_has(c->args, "reply_to"))
		return err_set(e, ERR_USAGE, "subject is missing");
	if (fields_key(m.key, e) < 0)
		return -1;
	if (args_has(c->args, "dry_run"))
		return send_try(c, &m, out, e);
	if (send_once(c, &m, &sent, e) < 0) {
		send_put_detail(c, &sent);
		return -1;
	}
	send_put_sent(c, out, &sent);
	return 0;
}

const struct op op_send = {
	.name = "send",
	.summary = "Send a plain-text message, or a reply",
	.effect = EFFECT_SEND,
	.needs = NEED_ACCOUNT | NEED_SUBMIT,
	.skill = "mail-send",
	.args = args,
	.result = result,
	.run = send_run,
	.put_sent = send_put_sent,
};
