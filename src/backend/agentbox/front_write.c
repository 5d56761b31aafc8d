/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a message file: every string is in double quotes on one line, which
 * both programs read, whatever it contains.
 */
#include "backend/agentbox/internal.h"
#include "backend/agentbox/message.h"
#include "base/yaml.h"

static void
front_put_or_null(struct yaml_put *y, const char *key, struct str s)
{
	if (s.n > 0)
		yaml_put_str(y, key, s);
	else
		yaml_put_null(y, key);
}

static void
front_put_party(struct yaml_put *y, const char *key,
    const struct agentbox_party *p)
{
	yaml_put_map(y, key);
	yaml_put_str(y, "principal_id", p->principal);
	yaml_put_str(y, "address", p->address);
	front_put_or_null(y, "display_name", p->display_name);
	front_put_or_null(y, "manifest_path_hint", p->manifest_hint);
	front_put_or_null(y, "role", p->role);
	yaml_put_end(y);
}

static void
front_put_parties(struct yaml_put *y, const char *key,
    const struct agentbox_parties *l)
{
	yaml_put_list(y, key);
	for (size_t i = 0; i < l->n; i++)
		front_put_party(y, NULL, &l->v[i]);
	yaml_put_end(y);
}

static void
front_put_attachment(struct yaml_put *y, const struct agentbox_attachment *t)
{
	yaml_put_map(y, NULL);
	yaml_put_str(y, "attachment_id", t->id);
	yaml_put_str(y, "kind", t->managed ? S("managed_copy") : S("path_ref"));
	yaml_put_str(y, "path", t->path);
	yaml_put_str(y, "media_type", t->media_type);
	front_put_or_null(y, "sha256", t->sha256);
	if (t->size < 0)
		yaml_put_null(y, "size_bytes");
	else
		yaml_put_int(y, "size_bytes", t->size);
	front_put_or_null(y, "label", t->label);
	yaml_put_end(y);
}

static void
front_put_thread(struct yaml_put *y, const struct agentbox_message *m)
{
	yaml_put_int(y, "protocol_version", 1);
	yaml_put_str(y, "message_id", m->id);
	yaml_put_str(y, "thread_id", m->thread);
	front_put_or_null(y, "in_reply_to", m->in_reply_to);
	yaml_put_list(y, "references");
	for (size_t i = 0; i < m->references.n; i++)
		yaml_put_str(y, NULL, m->references.v[i]);
	yaml_put_end(y);
	yaml_put_str(y, "created_at_utc", m->created);
}

static void
front_put(struct arena *a, struct yaml_put *y, const struct agentbox_message *m)
{
	yaml_put_map(y, NULL);
	front_put_thread(y, m);
	front_put_party(y, "from", &m->from);
	front_put_parties(y, "to", &m->to);
	front_put_parties(y, "cc", &m->cc);
	front_put_parties(y, "reply_to", &m->reply_to);
	yaml_put_str(y, "subject", m->subject);
	yaml_put_list(y, "attachments");
	for (size_t i = 0; i < m->attachments; i++)
		front_put_attachment(y, &m->attachment[i]);
	yaml_put_end(y);
	yaml_put_map(y, "headers");
	for (size_t i = 0; i < m->headers; i++)
		yaml_put_str(y, str_c(a, m->header[i].name),
		    m->header[i].value);
	yaml_put_end(y);
	yaml_put_end(y);
}

int
agentbox_front_write(struct arena *a, const struct agentbox_message *m,
    struct str *out, struct err *e)
{
	struct agentbox_message back;
	struct err why = { 0 };
	struct buf b;

	if (m->body.n > LIMIT_AGENTBOX_BODY)
		return err_set(e, ERR_LIMIT, "the message's body is too big");
	buf_init(&b, a, LIMIT_AGENTBOX_FRONT + m->body.n + 16);
	buf_text(&b, "---\n");
	front_put(a, yaml_put_new(a, &b), m);
	buf_text(&b, "---\n");
	if (b.over || b.n > LIMIT_AGENTBOX_FRONT)
		return err_set(e, ERR_LIMIT, "the message's head is too big");
	if (m->body.n > 0) {
		buf_char(&b, '\n');
		buf_str(&b, m->body);
	}
	*out = buf_view(&b);
	/* A message that could not be read again is not written. */
	if (agentbox_front_read(a, *out, 1, &back, &why) < 0) {
		(void)err_set(e, ERR_USAGE,
		    "the message cannot be written: a field of it is not "
		    "valid");
		return err_because(e, "%s", why.detail);
	}
	return 0;
}
