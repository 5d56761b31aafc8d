/* SPDX-License-Identifier: Apache-2.0 */
/* What a send takes from the message that it answers. */
#include "op/send_reply.h"

#include "base/buf.h"
#include "gate/reply.h"
#include "mime/compose.h"

enum {
	PEOPLE_NOTED = 2048 /* bytes of their addresses in the audit row */
};

/* An address that does not parse strictly matches no one. */
void
send_reply_add_known(struct arena *a, const struct addresses *l,
    struct strs *out)
{
	for (size_t i = 0; i < l->n; i++) {
		struct err unused = { 0 };
		struct str addr;

		if (address_canonical(a, l->v[i].addr, &addr, &unused) == 0)
			str_push(a, out, addr);
	}
}

void
send_reply_refer(struct call *c, const struct mime_envelope *v,
    struct outgoing *m)
{
	const struct strs *before = NULL;

	if (v->references.n > 0)
		before = &v->references;
	else if (v->in_reply_to.n == 1)
		before = &v->in_reply_to;
	for (size_t i = 0; before != NULL && i < before->n; i++)
		str_push(c->arena, &m->references, before->v[i]);
	if (v->message_id.n > 0)
		str_push(c->arena, &m->references, v->message_id);
	else
		gate_warn(c, WARN_NO_MESSAGE_ID, 1);
}

/* Threads a reply: In-Reply-To is the original's Message-ID. */
static void
send_reply_thread(struct call *c, const struct mime_envelope *v,
    struct outgoing *m)
{
	m->answers = true;
	m->answers_automatic = v->automatic;
	m->answers_list = v->from_list;
	send_reply_add_known(c->arena, &v->from, &m->thread);
	send_reply_add_known(c->arena, &v->reply_to, &m->thread);
	send_reply_add_known(c->arena, &v->to, &m->thread);
	send_reply_add_known(c->arena, &v->cc, &m->thread);
	m->in_reply_to = v->message_id;
	send_reply_refer(c, v, m);
	m->subject_taken = !args_has(c->args, "subject");
	if (m->subject_taken)
		m->subject = compose_reply_subject(c->arena, v->subject);
}

/* The fields named them, not the caller: the audit row says who they are. */
static void
send_reply_note(struct call *c, const struct strs *added)
{
	struct buf b;

	buf_init(&b, c->arena, PEOPLE_NOTED);
	buf_text(&b, "to all:");
	for (size_t i = 0; i < added->n && !b.over; i++) {
		buf_char(&b, ' ');
		buf_str(&b, added->v[i]);
	}
	gate_note(c,
	    str_fmt(c->arena, "%.*s%s", STR_ARG(buf_view(&b)),
		b.over ? " ..." : ""));
}

/*
 * The person who is asked sees whom the fields named, what is quoted, and the
 * signature.
 */
int
send_reply_ask(struct call *c, const struct outgoing *m, struct err *e)
{
	struct args shown = *c->args;
	struct strs body = { 0 }, subject = { 0 };

	str_push(c->arena, &body, outbox_text(c->outbox, m));
	str_push(c->arena, &subject, m->subject);
	shown.v = arena_array(c->arena, shown.n, sizeof(*shown.v));
	for (size_t i = 0; i < shown.n; i++)
		shown.v[i] = c->args->v[i];
	args_find(&shown, S("to"))->text = *m->to;
	args_find(&shown, S("cc"))->text = *m->cc;
	args_find(&shown, S("subject"))->text = subject;
	args_find(&shown, S("body"))->text = body;
	return gate_consent(c, &shown, e);
}

static int
send_reply_all(struct call *c, const struct mime_envelope *v,
    struct outgoing *m, struct err *e)
{
	struct reply_people *p = arena_new(c->arena, struct reply_people);

	for (size_t i = 0; i < m->to->n; i++)
		str_push(c->arena, &p->to, m->to->v[i]);
	for (size_t i = 0; i < m->cc->n; i++)
		str_push(c->arena, &p->cc, m->cc->v[i]);
	if (reply_people_of(c->outbox, v, p, e) < 0)
		return -1;
	send_reply_note(c, &p->added);
	m->to = &p->to;
	m->cc = &p->cc;
	return 0;
}

static int
send_reply_read(struct call *c, bool quote, struct mail *out, struct str *raw,
    struct err *e)
{
	struct str folder = args_text(c->args, "folder");
	uint32_t uid = args_uid(c->args, "reply_to");

	return quote ? mailbox_get(c->mailbox, folder, uid, out, raw, e)
		     : mailbox_head(c->mailbox, folder, uid, out, e);
}

int
send_reply(struct call *c, struct outgoing *m, struct err *e)
{
	bool all = args_has(c->args, "reply_all");
	bool quote = args_has(c->args, "quote");
	struct mail original;
	struct str raw;

	if (!args_has(c->args, "reply_to")) {
		if (all || quote)
			return err_set(e, ERR_USAGE, "%s needs reply_to",
			    all ? "reply_all" : "quote");
		return outbox_text_signs(c->outbox) ? send_reply_ask(c, m, e)
						    : 0;
	}
	if (send_reply_read(c, quote, &original, &raw, e) < 0)
		return -1;
	send_reply_thread(c, &original.env, m);
	if (quote)
		m->below = reply_quote(c->arena, &original.env, raw);
	if (all && send_reply_all(c, &original.env, m, e) < 0)
		return -1;
	return all || quote || outbox_text_signs(c->outbox)
	    ? send_reply_ask(c, m, e)
	    : 0;
}
