/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests of several calls and their responses, RFC 8620 sections 3.3 and 3.4.
 * A response is found by the id of its call; other responses are ignored.
 */
#include "backend/jmap/internal.h"
#include "base/said.h"

void
jmap_call_begin(struct jmap *j, struct arena *a, struct jmap_call *c)
{
	*c = (struct jmap_call){ .j = j, .a = a, .out = json_new(a) };
	json_open_object(c->out, NULL);
	json_open_array(c->out, "using");
	json_put_text(c->out, NULL, JMAP_CORE);
	json_put_text(c->out, NULL, JMAP_MAIL);
	if (j->session.sender.n > 0)
		json_put_text(c->out, NULL, JMAP_SUBMISSION);
	json_close_array(c->out);
	json_open_array(c->out, "methodCalls");
}

void
jmap_call_done(struct jmap_call *c)
{
	json_parse_close(&c->doc);
}

size_t
jmap_call_open(struct jmap_call *c, const char *method, struct str account)
{
	if (c->n == JMAP_CALLS)
		err_bug("jmap: too many calls in a request");
	c->name[c->n] = method;
	json_open_array(c->out, NULL);
	json_put_text(c->out, NULL, method);
	json_open_object(c->out, NULL);
	if (account.n > 0)
		json_put_str(c->out, "accountId", account);
	return c->n;
}

void
jmap_call_close(struct jmap_call *c)
{
	json_close_object(c->out);
	json_put_str(c->out, NULL, str_fmt(c->a, "c%zu", c->n));
	json_close_array(c->out);
	c->n++;
}

void
jmap_call_ref(struct jmap_call *c, const char *key, size_t of, const char *path)
{
	json_open_object(c->out, str_fmt(c->a, "#%s", key).p);
	json_put_str(c->out, "resultOf", str_fmt(c->a, "c%zu", of));
	json_put_text(c->out, "name", c->name[of]);
	json_put_text(c->out, "path", path);
	json_close_object(c->out);
}

/* The session may have changed since it was stored (RFC 8620 section 3.4). */
static void
jmap_call_look_at_state(struct jmap *j, const struct json_value *root)
{
	struct str state;

	if (!json_parse_str(json_parse_member(root, "sessionState"), &state) ||
	    str_eq(str_first(state, JMAP_ID), j->session.state))
		return;
	if (j->kept)
		jmap_cache_drop(j);
}

int
jmap_call_send(struct jmap_call *c, struct err *e)
{
	struct jmap *j = c->j;
	struct jmap_request q = {
		.url = j->session.api,
		.type = "application/json",
		.max = JMAP_ANSWER,
		.once = c->once,
	};
	struct http_reply r = { 0 };
	struct err why = { 0 };
	int sent;

	json_close_array(c->out);
	json_close_object(c->out);
	q.body = json_text(c->out, c->a);
	if (q.body.n > j->session.max_request)
		return err_set(e, ERR_LIMIT,
		    "the request is larger than the mail server accepts");
	sent = jmap_wire_ask(j, &q, &r, e);
	c->status = r.status;
	if (sent < 0)
		return sent;
	if (json_parse_open(r.body, JMAP_ANSWER, &c->doc, &why) < 0)
		return jmap_wire_nonsense(e, why.say);
	jmap_call_look_at_state(j, json_parse_root(c->doc));
	return 0;
}

/* A server's errors: RFC 8620 section 3.6.2, RFC 8621. */
static const struct {
	const char *type;
	enum err_kind kind;
	const char *say;
} types[] = {
	{ "unknownMethod", ERR_UNSUPPORTED, "the mail server cannot do that" },
	{ "accountNotSupportedByMethod", ERR_UNSUPPORTED,
	    "the mail server cannot do that for this account" },
	{ "unsupportedFilter", ERR_UNSUPPORTED,
	    "the mail server cannot search for that" },
	{ "unsupportedSort", ERR_UNSUPPORTED,
	    "the mail server cannot sort by arrival" },
	{ "accountNotFound", ERR_CONFIG,
	    "the mail server has no mailbox for this login" },
	{ "accountReadOnly", ERR_AUTH, "the mail account is read-only" },
	{ "forbidden", ERR_AUTH, "the mail server does not allow that" },
	{ "requestTooLarge", ERR_LIMIT,
	    "the request is larger than the mail server accepts" },
	{ "limit", ERR_LIMIT,
	    "the request is larger than the mail server accepts" },
	{ "rateLimit", ERR_LIMIT,
	    "too many requests: the mail server asks to wait" },
	{ "tooLarge", ERR_LIMIT, "that is more than the mail server accepts" },
	{ "overQuota", ERR_LIMIT, "the mailbox is full" },
	{ "tooManyKeywords", ERR_LIMIT,
	    "that is more than the mail server accepts" },
	{ "tooManyMailboxes", ERR_LIMIT,
	    "that is more than the mail server accepts" },
	{ "invalidEmail", ERR_REJECTED,
	    "the mail server does not accept that as a message" },
	{ "serverUnavailable", ERR_NETWORK,
	    "the mail server is not available" },
};

int
jmap_call_refused(struct str type, struct err *e)
{
	char words[60];

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(type, str_of(types[i].type)))
			return err_set(e, types[i].kind, "%s", types[i].say);
	said_clean(words, sizeof(words), type);
	(void)err_set(e, ERR_NETWORK, "the mail server failed");
	return err_because(e, "jmap: %s", words);
}

/* The id of a response is its third element. */
static bool
jmap_call_is_of(const struct json_value *v, struct str id)
{
	struct str s;

	return json_parse_str(json_parse_item(v, 2), &s) && str_eq(s, id);
}

bool
jmap_call_error(const struct jmap_call *c, size_t i, struct str *type)
{
	const struct json_value *all =
	    json_parse_member(json_parse_root(c->doc), "methodResponses");
	struct str id = str_fmt(c->a, "c%zu", i), name;
	size_t n = json_parse_count(all);

	for (size_t k = 0; k < n; k++) {
		const struct json_value *v = json_parse_item(all, k);

		if (jmap_call_is_of(v, id) &&
		    json_parse_str(json_parse_item(v, 0), &name) &&
		    str_eq(name, S("error")) &&
		    json_parse_str(json_parse_member(json_parse_item(v, 1),
				       "type"),
			type))
			return true;
	}
	return false;
}

static int
jmap_call_read_error(const struct jmap_call *c, const struct json_value *args,
    struct err *e)
{
	struct str type = { 0 };

	(void)json_parse_str(json_parse_member(args, "type"), &type);
	(void)jmap_call_refused(type, e);
	if (c->j->kept && str_eq(type, S("accountNotFound")))
		return JMAP_STALE;
	return -1;
}

int
jmap_call_take(const struct jmap_call *c, size_t i,
    const struct json_value **out, struct err *e)
{
	const struct json_value *all =
	    json_parse_member(json_parse_root(c->doc), "methodResponses");
	struct str id = str_fmt(c->a, "c%zu", i), name, account;
	size_t n = json_parse_count(all);

	for (size_t k = 0; k < n; k++) {
		const struct json_value *v = json_parse_item(all, k);
		const struct json_value *args = json_parse_item(v, 1);

		if (!jmap_call_is_of(v, id) ||
		    !json_parse_str(json_parse_item(v, 0), &name))
			continue;
		if (str_eq(name, S("error")))
			return jmap_call_read_error(c, args, e);
		/* A call may also have answers with other names. */
		if (!str_eq(name, str_of(c->name[i])))
			continue;
		if (json_parse_str(json_parse_member(args, "accountId"),
			&account) &&
		    !str_eq(account, c->j->session.account) &&
		    !str_eq(account, c->j->session.sender))
			return jmap_wire_nonsense(e, "another account's mail");
		*out = args;
		return 0;
	}
	return jmap_wire_nonsense(e, "no answer to what was asked");
}
