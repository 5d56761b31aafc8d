/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mail_reply: to whoever the message asks answers for.  The message answered is
 * then read and answered, where policy lets this agent mark it.
 */
#include "op/mail.h"

#include "mime/compose.h"
#include "op/internal.h"
#include "op/mail_text.h"

static const struct arg_spec args[] = {
	MAIL_ARGS,
	MAIL_ARG_REF,
	MAIL_ARG_BODY,
	MAIL_ARG_FILES,
	{ 0 },
};

/*
 * The operator's mail says whether it may be answered.  What it does not say,
 * or says in other words, is no.
 */
static int
mail_reply_allowed(struct call *c, const struct mail *parent, struct err *e)
{
	const struct mime_field *origin, *policy;
	struct mail_text t;
	struct str raw;

	if (mailbox_pick_get(c->mailbox, parent, &raw, e) < 0)
		return -1;
	mail_text_read(c->arena, raw, &t);
	origin = mime_header_get(&t.msg.part[0].header, "X-Houmao-Origin", 0);
	policy =
	    mime_header_get(&t.msg.part[0].header, "X-Houmao-Reply-Policy", 0);
	if (origin == NULL || !str_eq(str_trim(origin->value), S("operator")) ||
	    (policy != NULL &&
		str_eq(str_trim(policy->value), S("operator_mailbox"))))
		return 0;
	(void)err_set(e, ERR_UNSUPPORTED,
	    "this message of the operator takes no answer");
	e->reason = "reply_not_allowed";
	return -1;
}

/* RFC 5322 section 3.6.4. */
static void
mail_reply_thread(struct call *c, const struct mime_envelope *v,
    struct outgoing *m)
{
	for (size_t i = 0; i < v->references.n; i++)
		str_push(c->arena, &m->references, v->references.v[i]);
	if (v->message_id.n > 0)
		str_push(c->arena, &m->references, v->message_id);
	m->in_reply_to = v->message_id;
	m->answers = true;
	m->subject = compose_reply_subject(c->arena, v->subject);
}

static void
mail_reply_people(struct call *c, const struct mime_envelope *v,
    struct outgoing *m, struct strs *to)
{
	const struct addresses *l = v->reply_to.n > 0 ? &v->reply_to : &v->from;

	for (size_t i = 0; i < l->n; i++) {
		struct err none = { 0 };
		struct str addr;

		str_push(c->arena, to, l->v[i].addr);
		if (address_canonical(c->arena, l->v[i].addr, &addr, &none) ==
		    0)
			str_push(c->arena, &m->thread, addr);
	}
}

/* The answer has left: that this could not be noted is no error. */
static void
mail_reply_mark(struct call *c, const struct mailbox_pick *p)
{
	const struct flag_change done = { .set = FLAG_READ | FLAG_ANSWERED };
	struct err none = { 0 };
	struct mails l;

	if (mailbox_organise_may(c->mailbox))
		(void)mailbox_organise_mark(c->mailbox, p, &done, &l, &none);
}

static int
mail_reply_run(struct call *c, struct json *out, struct err *e)
{
	struct strs to = { 0 };
	struct outgoing m = { .to = &to };
	struct mailbox_pick p;
	struct mail_box b;
	struct mails l;
	int r;

	if (mail_begin(c, &b, e) < 0 || mail_out_take(c, &m, e) < 0 ||
	    mail_refs(c, &b, "message_ref", S(""), &p, e) < 0)
		return -1;
	r = mail_out_again(c, &b, &m, "reply", out, e);
	if (r != 0)
		return r < 0 ? -1 : 0;
	if (mailbox_pick(c->mailbox, &p, &l, e) < 0)
		return mail_missing(e);
	if (mail_reply_allowed(c, &l.v[0], e) < 0)
		return -1;
	mail_reply_thread(c, &l.v[0].env, &m);
	mail_reply_people(c, &l.v[0].env, &m, &to);
	if (mail_out_send(c, &b, &m, "reply", out, e) < 0)
		return -1;
	mail_reply_mark(c, &p);
	return 0;
}

const struct op op_mail_reply = {
	.name = "mail_reply",
	.summary = "Answer a message",
	.effect = EFFECT_SEND,
	.finds = true,
	.needs = NEED_ACCOUNT | NEED_READ | NEED_SUBMIT,
	.args = args,
	.result = mail_put_action_fields,
	.heads = MAIL_HEADS,
	.body = "body_text",
	.run = mail_reply_run,
	.put_sent = mail_out_put_sent,
};
