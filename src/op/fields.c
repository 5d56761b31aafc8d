/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and lists as every operation shows them. */
#include "op/fields.h"

#include "base/clean.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "gate/grant.h"
#include "mime/date.h"

const struct field fields_address[] = {
	{ "name", FIELD_TEXT, .help = "display name, or empty" },
	{ "address", FIELD_TEXT, .help = "addr-spec" },
	{ 0 },
};

const struct field fields_recipient[] = {
	{ "address", FIELD_TEXT, .help = "addr-spec" },
	{ "status", FIELD_TEXT, .help = "accepted, or the server's text" },
	{ 0 },
};

static const char *const auth_words[] = {
	[SENDER_UNCHECKED] = "unchecked",
	[SENDER_NONE] = "none",
	[SENDER_FAIL] = "fail",
	[SENDER_PASS] = "pass",
};

const char *
fields_auth(enum sender_auth auth)
{
	return auth_words[auth];
}

const struct field fields_row[] = { FIELDS_ROW, { 0 } };

void
fields_put_addresses(struct json *j, struct arena *a, const char *key,
    const struct addresses *l)
{
	json_open_array(j, key);
	for (size_t i = 0; i < l->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "name", clean_text(a, l->v[i].name, NULL));
		json_put_str(j, "address",
		    clean_address(a, l->v[i].addr, NULL));
		json_close_object(j);
	}
	json_close_array(j);
}

void
fields_put_list(struct json *j, struct arena *a, const char *key,
    const struct strs *l)
{
	json_open_array(j, key);
	for (size_t i = 0; i < l->n; i++)
		json_put_str(j, NULL, clean_address(a, l->v[i], NULL));
	json_close_array(j);
}

void
fields_put_row(struct json *j, struct arena *a, const struct mail *m)
{
	const struct mime_envelope *v = &m->env;

	json_put_int(j, "uid", m->uid);
	fields_put_addresses(j, a, "from", &v->from);
	fields_put_addresses(j, a, "to", &v->to);
	json_put_str(j, "subject", clean_text(a, v->subject, NULL));
	if (v->has_date)
		json_put_str(j, "date",
		    date_rfc3339(a, v->date_s, v->date_offset_min));
	else
		json_put_null(j, "date");
	if (v->message_id.n > 0)
		json_put_str(j, "message_id",
		    clean_address(a, v->message_id, NULL));
	else
		json_put_null(j, "message_id");
	json_put_bool(j, "has_attachments", m->has_attachments);
	json_put_text(j, "sender_auth", fields_auth(m->auth));
	json_put_text(j, "sender_auth_by", m->auth_by);
}

void
fields_put_recipients(struct json *j, const struct sent *s)
{
	json_open_array(j, "recipients");
	for (size_t i = 0; i < s->n; i++) {
		json_open_object(j, NULL);
		json_put_str(j, "address", s->to[i].addr);
		json_put_str(j, "status", s->to[i].status);
		json_close_object(j);
	}
	json_close_array(j);
}

int
fields_key(struct str key, struct err *e)
{
	if (key.n > LIMIT_IDEMPOTENCY_KEY)
		return err_set(e, ERR_USAGE,
		    "an idempotency key has at most %d bytes",
		    LIMIT_IDEMPOTENCY_KEY);
	if (!utf8_valid(key) || str_has_char(key, '\0'))
		return err_set(e, ERR_USAGE,
		    "an idempotency key is UTF-8 without NUL");
	return 0;
}

struct str
fields_message_id(struct arena *a, struct str text)
{
	text = str_trim(text);
	if (text.n == 0 || text.p[0] == '<')
		return text;
	return str_fmt(a, "<%.*s>", STR_ARG(text));
}

static void
fields_put_messages(struct json *j, struct arena *a, const struct mails *m)
{
	json_open_array(j, "messages");
	for (size_t i = 0; i < m->n; i++) {
		json_open_object(j, NULL);
		fields_put_row(j, a, &m->v[i]);
		json_close_object(j);
	}
	json_close_array(j);
}

void
fields_put_page(struct json *j, struct arena *a, const struct mails *m)
{
	fields_put_messages(j, a, m);
	if (m->next_before > 0)
		json_put_int(j, "next_before", m->next_before);
	else
		json_put_null(j, "next_before");
}

void
fields_put_scope(struct json *j, const struct call *c)
{
	json_put_text(j, "scope",
	    gate_grant_in_turn(c->gate) ? "current_turn" : "lease");
}

int
fields_skill(struct call *c, const struct skill **out, struct err *e)
{
	struct str id = args_text(c->args, "skill");
	bool may = false;

	*out = skill_find(id);
	if (*out != NULL &&
	    gate_grant_may(c->gate, c->arena, *out, &may, e) < 0)
		return -1;
	return may ? 0 : gate_grant_unknown(c, id, e);
}
