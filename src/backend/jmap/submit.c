/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The only place in this backend that sends mail: EmailSubmission/set, RFC 8621
 * section 7.5.  It is the submit of struct backend, which gate/outbox.c alone
 * calls.
 *
 * The message is first imported as a draft, which sends nothing, and the server
 * removes it after sending it; the gate makes the copy in Sent.  After the last
 * request nothing is retried: anything but a clear refusal is
 * ERR_UNKNOWN_OUTCOME.
 */
#include "backend/jmap/internal.h"
#include "backend/jmap/put.h"

struct sending {
	struct jmap *j;
	struct arena *a;
	struct submission *s;
	struct str identity;
	struct jmap_put mail;
};

/* Does the identity's address (or "*@domain") cover the sender's? */
static bool
jmap_submit_covers(struct str identity, struct str from)
{
	ptrdiff_t at = str_find(from, S("@"));

	if (str_starts(identity, S("*@")) && at > 0)
		return str_eq_case(str_from(identity, 1),
		    str_from(from, (size_t)at));
	return str_eq_case(identity, from);
}

static int
jmap_submit_find_identity(struct sending *t, struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args, *list;
	struct str email, id;
	size_t i;
	int r;

	jmap_call_begin(t->j, t->a, &c);
	i = jmap_call_open(&c, "Identity/get", t->j->session.sender);
	json_put_null(c.out, "ids");
	jmap_call_close(&c);
	if ((r = jmap_call_send(&c, e)) < 0 ||
	    (r = jmap_call_take(&c, i, &args, e)) < 0)
		return r;
	list = json_parse_member(args, "list");
	for (size_t k = 0; k < json_parse_count(list); k++) {
		const struct json_value *v = json_parse_item(list, k);

		if (!json_parse_str(json_parse_member(v, "email"), &email) ||
		    !jmap_id(v, "id", &id) ||
		    !jmap_submit_covers(email, t->s->from))
			continue;
		t->identity = str_dup(t->a, id);
		return 0;
	}
	return err_set(e, ERR_CONFIG,
	    "the mail server has no identity with the account's address for "
	    "this login; nothing was sent");
}

/* The mailbox for the message while it is sent; not one that a reader uses. */
static int
jmap_submit_find_place(struct sending *t, const struct jmap_box **out,
    struct err *e)
{
	static const enum folder_role roles[] = { FOLDER_DRAFTS, FOLDER_SENT,
		FOLDER_TRASH };

	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		*out = jmap_folder_role(t->j, roles[i]);
		if (*out != NULL && (*out)->may_add)
			return 0;
	}
	return err_set(e, ERR_UNSUPPORTED,
	    "the account has no folder to send from");
}

static int
jmap_submit_prepare(struct sending *t, struct err *e)
{
	const struct jmap_box *box;
	int r;

	if (jmap_folder_need(t->j, e) < 0)
		return -1;
	if (!str_eq(t->j->session.sender, t->j->session.account))
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server does not send for this account");
	if ((r = jmap_submit_find_identity(t, e)) < 0 ||
	    (r = jmap_submit_find_place(t, &box, e)) < 0)
		return r;
	return jmap_put(t->j, t->a, box, t->s->message, JMAP_PASSING, &t->mail,
	    e);
}

static void
jmap_submit_put_address(struct json *out, const char *key, struct str addr,
    bool utf8)
{
	json_open_object(out, key);
	json_put_str(out, "email", addr);
	if (utf8) { /* RFC 6531 section 3.4 */
		json_open_object(out, "parameters");
		json_put_null(out, "SMTPUTF8");
		json_close_object(out);
	}
	json_close_object(out);
}

static void
jmap_submit_put_submission(struct sending *t, struct jmap_call *c)
{
	json_open_object(c->out, "create");
	json_open_object(c->out, "s");
	json_put_str(c->out, "identityId", t->identity);
	json_put_str(c->out, "emailId", t->mail.id);
	json_open_object(c->out, "envelope");
	jmap_submit_put_address(c->out, "mailFrom", t->s->from, t->s->smtputf8);
	json_open_array(c->out, "rcptTo");
	for (size_t i = 0; i < t->s->n; i++)
		jmap_submit_put_address(c->out, NULL, t->s->to[i].addr, false);
	json_close_array(c->out);
	json_close_object(c->out);
	json_close_object(c->out);
	json_close_object(c->out);
	/*
	 * If the server already had these bytes, the message is not ours to
	 * remove.
	 */
	if (!t->mail.existed) {
		json_open_array(c->out, "onSuccessDestroyEmail");
		json_put_text(c->out, NULL, "#s");
		json_close_array(c->out);
	}
}

static void
jmap_submit_answer_all(struct submission *s, int code, const char *status)
{
	for (size_t i = 0; i < s->n; i++) {
		s->to[i].code = code;
		s->to[i].status = str_of(status);
	}
}

/* RFC 8621 section 7.5.1; jmap_call_refused() has the other types. */
static const struct {
	const char *type, *say;
} types[] = {
	{ "invalidRecipients", "the mail server refused a recipient" },
	{ "tooManyRecipients", "there are too many recipients" },
	{ "noRecipients", "there are no recipients" },
	{ "forbiddenMailFrom", "the mail server refused the sender" },
	{ "forbiddenFrom", "the mail server refused the From address" },
	{ "forbiddenToSend", "the mail server does not let this login send" },
	{ "invalidEmail", "the mail server does not accept that as a message" },
	{ "invalidProperties", "the mail server refused the message" },
	{ "tooLarge", "the message is larger than the mail server accepts" },
	{ "forbidden", "the mail server does not let this login send" },
};

static int
jmap_submit_refused(struct sending *t, const struct json_value *v,
    struct err *e)
{
	const struct json_value *list =
	    json_parse_member(v, "invalidRecipients");
	struct str type = { 0 }, addr;
	bool named = false;

	(void)json_parse_str(json_parse_member(v, "type"), &type);
	jmap_submit_answer_all(t->s, 250, "not sent");
	for (size_t k = 0; k < json_parse_count(list); k++) {
		if (!json_parse_str(json_parse_item(list, k), &addr))
			continue;
		for (size_t i = 0; i < t->s->n; i++) {
			if (!str_eq_case(addr, t->s->to[i].addr))
				continue;
			t->s->to[i].code = 550;
			t->s->to[i].status = S("refused by the mail server");
			named = true;
		}
	}
	if (!named)
		jmap_submit_answer_all(t->s, 550, "refused by the mail server");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(type, str_of(types[i].type)))
			return err_set(e, ERR_REJECTED, "%s; nothing was sent",
			    types[i].say);
	return jmap_call_refused(type, e);
}

static int
jmap_submit_unknown(struct sending *t, struct err *e)
{
	char detail[sizeof(e->detail)];

	memcpy(detail, e->detail, sizeof(detail));
	*e = (struct err){ 0 };
	jmap_submit_answer_all(t->s, 0, "unknown");
	(void)err_set(e, ERR_UNKNOWN_OUTCOME,
	    "the mail server did not say whether the message was sent");
	return err_because(e, "%s", detail);
}

static bool
has_members(const struct json_value *v)
{
	struct str key = { 0 };

	return json_parse_next(v, &key) != NULL;
}

/*
 * A refused request was not run.  A method that returns an error made no
 * changes (RFC 8620 section 3.6.2), except with serverPartialFail.
 */
static int
jmap_submit_send(struct sending *t, bool *clear, struct err *e)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	const struct json_value *args, *v;
	struct str type, id;
	size_t i;

	jmap_call_begin(t->j, t->a, &c);
	c.once = true;
	i = jmap_call_open(&c, "EmailSubmission/set", t->j->session.sender);
	jmap_submit_put_submission(t, &c);
	jmap_call_close(&c);
	*clear = false;
	if (jmap_call_send(&c, e) < 0) {
		*clear = c.status >= 300 && c.status < 500;
		return *clear ? -1 : jmap_submit_unknown(t, e);
	}
	if (jmap_call_error(&c, i, &type)) {
		*clear = !str_eq(type, S("serverPartialFail"));
		return *clear ? jmap_call_refused(type, e)
			      : jmap_submit_unknown(t, e);
	}
	if (jmap_call_take(&c, i, &args, e) < 0)
		return jmap_submit_unknown(t, e);
	v = json_parse_member(json_parse_member(args, "notCreated"), "s");
	if (v != NULL) {
		*clear = true;
		return jmap_submit_refused(t, v, e);
	}
	/* Created, with an id, and nothing beside it refused. */
	if (!jmap_id(json_parse_member(json_parse_member(args, "created"), "s"),
		"id", &id) ||
	    has_members(json_parse_member(args, "notCreated")))
		return jmap_submit_unknown(t, e);
	jmap_submit_answer_all(t->s, 250, "accepted");
	*clear = true;
	return jmap_submitted(t->j, t->a, str_dup(t->a, id), t->s, e);
}

/* Removes the imported message; failure to do so is ignored. */
static void
jmap_submit_take_back(struct sending *t)
{
	CLEANUP(jmap_call_done) struct jmap_call c = { 0 };
	struct err ignored = { 0 };

	if (t->mail.existed)
		return;
	jmap_call_begin(t->j, t->a, &c);
	(void)jmap_call_open(&c, "Email/set", t->j->session.account);
	json_open_array(c.out, "destroy");
	json_put_str(c.out, NULL, t->mail.id);
	json_close_array(c.out);
	jmap_call_close(&c);
	(void)jmap_call_send(&c, &ignored);
}

int
jmap_submit(struct conn *c, struct arena *a, struct submission *s,
    struct err *e)
{
	struct sending t = { .j = (struct jmap *)c, .a = a, .s = s };
	bool clear;
	int r;

	if (s->n == 0 || s->n > LIMIT_RECIPIENTS)
		return err_set(e, ERR_USAGE, "no recipients, or too many");
	do
		r = jmap_submit_prepare(&t, e);
	while (r == JMAP_STALE && jmap_session_again(t.j, e));
	if (r < 0)
		return -1;
	if (backend_submit_look(s, e) < 0) {
		jmap_submit_take_back(&t);
		return -1;
	}
	if (jmap_submit_send(&t, &clear, e) == 0)
		return 0;
	if (clear)
		jmap_submit_take_back(&t);
	return -1;
}
