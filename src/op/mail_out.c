/* SPDX-License-Identifier: Apache-2.0 */
/* A message that leaves an agent's own mailbox, and how it was delivered. */
#include "op/fields.h"
#include "op/mail.h"

/* It left.  Whatever goes wrong from here on must not make it leave again. */
static int
mail_out_unread(struct err *e)
{
	struct err why = *e;

	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the message was sent, but it could not be read back; do not "
	    "send it again");
	return err_because(e, "%s", why.say);
}

/* As it is in our own box of what was sent. */
static int
mail_out_put(struct call *c, struct mail_box *b, const struct sent *sent,
    const char *operation, struct json *out, struct err *e)
{
	struct mails l;

	if (mailbox_pick_sent(c->mailbox, sent->message_id, &l, e) < 0 ||
	    mail_put_picked(c, b, out, operation, &l, e) < 0)
		return mail_out_unread(e);
	return 0;
}

void
mail_out_put_sent(struct call *c, struct json *j, const struct sent *s)
{
	(void)c;
	json_put_int(j, "id", s->id);
	json_put_text(j, "state", s->state);
	json_put_bool(j, "again", s->again);
	json_put_str(j, "message_id", s->message_id);
	fields_put_recipients(j, s);
}

/* What is known of one that was not sent, or may not have been. */
static void
mail_out_put_detail(struct call *c, const struct sent *s)
{
	if (s->id == 0)
		return;
	c->detail = json_new(c->arena);
	json_open_object(c->detail, NULL);
	mail_out_put_sent(c, c->detail, s);
	json_close_object(c->detail);
}

int
mail_out_take(struct call *c, struct outgoing *m, struct err *e)
{
	static const struct strs none;

	if (m->cc == NULL)
		m->cc = &none;
	m->bcc = &none;
	m->body = args_text(c->args, "body_content");
	m->attach = args_list(c->args, "attachments");
	m->labels = args_list(c->args, "attachment_labels");
	m->key = args_text(c->args, "idempotency_key");
	m->exact = true;
	if (m->labels->n > 0 && m->labels->n != m->attach->n)
		return err_set(e, ERR_USAGE,
		    "attachment_labels has one label for each attachment");
	return fields_key(m->key, e);
}

int
mail_out_send(struct call *c, struct mail_box *b, const struct outgoing *m,
    const char *operation, struct json *out, struct err *e)
{
	struct sent sent = { 0 };

	if (outbox_send(c->outbox, m, &sent, e) < 0) {
		mail_out_put_detail(c, &sent);
		return -1;
	}
	return mail_out_put(c, b, &sent, operation, out, e);
}

int
mail_out_again(struct call *c, struct mail_box *b, const struct outgoing *m,
    const char *operation, struct json *out, struct err *e)
{
	struct sent sent = { 0 };
	int r = outbox_again(c->outbox, m, &sent, e);

	if (r < 0)
		mail_out_put_detail(c, &sent);
	if (r <= 0)
		return r;
	return mail_out_put(c, b, &sent, operation, out, e) < 0 ? -1 : 1;
}
