/* SPDX-License-Identifier: Apache-2.0 */
/* emcli forward: a message that the agent sees, passed on. */
#include "mime/forward.h"
#include "base/clean.h"
#include "op/internal.h"
#include "op/send_reply.h"

static const struct arg_spec args[] = {
	{ "account", ARG_ACCOUNT,
	    .help = "account to send from; optional if there is only one" },
	{ "uid", ARG_UID, ARG_REQUIRED, .help = "uid of the message" },
	{ "folder", ARG_FOLDER, .help = "folder that uid is in",
	    .def = "INBOX" },
	{ "to", ARG_ADDRESS, ARG_REQUIRED | ARG_MANY, .help = "recipients" },
	{ "cc", ARG_ADDRESS, ARG_MANY, .help = "copies" },
	{ "bcc", ARG_ADDRESS, ARG_MANY,
	    .help = "Bcc recipients: nobody else sees them" },
	{ "subject", ARG_TEXT, .help = "default: Fwd: and the original's" },
	{ "body", ARG_LONG_TEXT, .help = "text above it" },
	{ "inline", ARG_FLAG,
	    .help = "its text in the message, and its attachments; the "
		    "default" },
	{ "as_attachment", ARG_FLAG,
	    .help = "the whole message as one attachment, unchanged" },
	SEND_OUT_ARGS_LAST,
	{ 0 },
};

/* What `get` shows of it, and every other leaf as a file. */
static int
forward_fill_inline(struct call *c, const struct mail *mail, struct str raw,
    struct outgoing *m, struct err *e)
{
	struct mime_message msg;
	struct mime_reading reading;
	struct forward f = { .env = &mail->env };

	mime_message_parse(c->arena, raw, &msg);
	if (msg.over) {
		(void)err_set(e, ERR_LIMIT,
		    "the message has more parts than can be read");
		return err_hint(e, "forward it with as_attachment");
	}
	mime_reading_make(c->arena, &msg, &reading);
	f.text = clean_text(c->arena, reading.text, NULL);
	f.cut = reading.truncated;
	m->below = forward_block(c->arena, &f);
	m->part = forward_files(c->arena, &reading);
	m->parts = reading.n;
	return 0;
}

/* Which message it is: its fields, marked as not ours. */
static void
forward_put_which(struct call *c, struct buf *b, struct str raw)
{
	struct strs which = forward_which(c->arena, raw);

	for (size_t i = 0; i < which.n; i++)
		buf_fmt(b, "  | %.*s\n",
		    STR_ARG(clean_address(c->arena, which.v[i], NULL)));
}

/* The person who is asked is told what goes along. */
static int
forward_ask(struct call *c, const struct outgoing *m, struct err *e)
{
	struct outgoing shown = *m;
	struct buf b;

	buf_init(&b, c->arena, LIMIT_OUTGOING);
	buf_str(&b, m->below);
	for (size_t i = 0; i < m->parts; i++) {
		buf_fmt(&b, "[attachment: %.*s, %zu bytes]\n",
		    STR_ARG(clean_address(c->arena, m->part[i].name, NULL)),
		    m->part[i].bytes.n);
		if (str_eq(m->part[i].type, S("message/rfc822")))
			forward_put_which(c, &b, m->part[i].bytes);
	}
	shown.below = buf_view(&b);
	return send_reply_ask(c, &shown, e);
}

/* Its thread, and what a check must know of it. */
static void
forward_refer(struct call *c, const struct mime_envelope *v, struct outgoing *m)
{
	send_reply_refer(c, v, m);
	send_reply_add_known(c->arena, &v->from, &m->origin);
	send_reply_add_known(c->arena, &v->reply_to, &m->origin);
	m->answers_automatic = v->automatic;
	m->answers_list = v->from_list;
	m->subject_taken = !args_has(c->args, "subject");
	if (m->subject_taken)
		m->subject = compose_forward_subject(c->arena, v->subject);
}

/* Its header goes along, with those whom nobody else was to see. */
static int
forward_fill_whole(struct call *c, struct str raw, struct outgoing *m,
    struct err *e)
{
	struct mime_message msg;

	mime_message_parse(c->arena, str_first(raw, LIMIT_MIME_HEAD), &msg);
	if (msg.n > 0 &&
	    mime_header_get(&msg.part[0].header, "Bcc", 0) != NULL) {
		(void)err_set(e, ERR_USAGE,
		    "the message names its Bcc recipients, and they would be "
		    "disclosed");
		return err_hint(e,
		    "forward it inline, without as_attachment: its text does "
		    "not name them");
	}
	m->part = forward_whole(c->arena, raw);
	m->parts = 1;
	return 0;
}

static int
forward_fill(struct call *c, struct outgoing *m, struct err *e)
{
	struct mail mail;
	struct str raw;

	if (mailbox_get(c->mailbox, args_text(c->args, "folder"),
		args_uid(c->args, "uid"), &mail, &raw, e) < 0)
		return -1;
	forward_refer(c, &mail.env, m);
	if ((args_has(c->args, "as_attachment")
		    ? forward_fill_whole(c, raw, m, e)
		    : forward_fill_inline(c, &mail, raw, m, e)) < 0)
		return -1;
	return forward_ask(c, m, e);
}

static int
forward_run(struct call *c, struct json *out, struct err *e)
{
	struct outgoing m = {
		.to = args_list(c->args, "to"),
		.cc = args_list(c->args, "cc"),
		.bcc = args_list(c->args, "bcc"),
		.subject = args_text(c->args, "subject"),
		.body = args_text(c->args, "body"),
		.key = args_text(c->args, "idempotency_key"),
		.as_is = args_has(c->args, "as_is"),
		.forwards = true,
	};

	if (args_has(c->args, "inline") && args_has(c->args, "as_attachment"))
		return err_set(e, ERR_USAGE,
		    "inline and as_attachment do not go together");
	return send_out(c, &m, forward_fill, out, e);
}

const struct op op_forward = {
	.name = "forward",
	.summary = "Forward a message with its attachments",
	.effect = EFFECT_SEND,
	.needs = NEED_ACCOUNT | NEED_READ | NEED_SUBMIT,
	.forwards = true,
	.skill = "mail-send",
	.args = args,
	.result = send_out_result,
	.run = forward_run,
	.put_sent = send_out_put,
};
