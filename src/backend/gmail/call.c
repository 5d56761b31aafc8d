/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request to Gmail.  A refused token is replaced once; no other refusal is
 * retried, because that would use up more quota.
 */
#include "backend/gmail/internal.h"
#include "base/clock.h"

int
gmail_call_garbled(struct err *e, const char *what)
{
	*e = (struct err){ 0 };
	(void)err_set(e, ERR_NETWORK, "Gmail's answer cannot be understood");
	return err_because(e, "gmail: %s", what);
}

/* Is there time for another request? */
static int
gmail_call_in_time(const struct gmail *g, struct err *e)
{
	if (clock_left_ms(g->conn.acct->deadline_ms) > 0)
		return 0;
	return err_set(e, ERR_NETWORK, "Gmail did not answer in time");
}

int
gmail_call_parse(struct str text, struct json_doc **out, struct err *e)
{
	struct err why = { 0 };

	if (json_parse_open(text, text.n, out, &why) < 0)
		return gmail_call_garbled(e, why.say);
	return 0;
}

/* Makes sure that there are credentials and an HTTP client. */
static int
gmail_call_ready(struct gmail *g, struct err *e)
{
	const struct backend_account *acct = g->conn.acct;

	if (!acct->oauth) {
		(void)err_set(e, ERR_CONFIG, "Gmail needs an OAuth 2 token");
		return err_hint(e,
		    "emcli account edit --auth oauth2, then emcli account "
		    "consent");
	}
	if (backend_token(acct, e) < 0)
		return -1;
	if (acct->secret == NULL)
		return err_set(e, ERR_AUTH, "there is no token for Gmail");
	return g->http != NULL ? 0 : http_open(acct->ca_file, &g->http, e);
}

static int
gmail_call_ask(struct gmail *g, const struct gmail_ask *q, struct str url,
    struct http_reply *out, struct err *e)
{
	struct http_request r = {
		.url = url,
		.body = q->body,
		.type = q->type,
		.bearer = g->conn.acct->secret,
		.max = q->max > 0 ? q->max : GMAIL_ANSWER,
		.deadline_ms = g->conn.acct->deadline_ms,
	};

	if (gmail_call_in_time(g, e) < 0)
		return -1;
	return http_send(g->http, &r, out, e);
}

int
gmail_call(struct gmail *g, const struct gmail_ask *q, struct http_reply *out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str path, query;

	(void)str_cut(q->target, '?', &path, &query);
	gmail_url_check(q->body.p != NULL, path);
	if (g->root.n + q->target.n > LIMIT_URL)
		return err_set(e, ERR_LIMIT,
		    "that is too much for one request: ask for less");
	if (gmail_call_ready(g, e) < 0 ||
	    gmail_call_ask(g, q,
		str_fmt(a, "%.*s%.*s", STR_ARG(g->root), STR_ARG(q->target)),
		out, e) < 0)
		return -1;
	if (out->status >= 200 && out->status < 300)
		return 0;
	(void)gmail_fault(out->status, out->body, out->retry_after_s, e);
	if (out->status != 401 || !backend_token_again(g->conn.acct, e))
		return -1;
	if (gmail_call_ask(g, q,
		str_fmt(a, "%.*s%.*s", STR_ARG(g->root), STR_ARG(q->target)),
		out, e) < 0)
		return -1;
	if (out->status >= 200 && out->status < 300)
		return 0;
	return gmail_fault(out->status, out->body, out->retry_after_s, e);
}

int
gmail_call_json(struct gmail *g, const struct gmail_ask *q,
    struct json_doc **out, struct err *e)
{
	struct http_reply r = { 0 };

	if (gmail_call(g, q, &r, e) < 0)
		return -1;
	return gmail_call_parse(r.body, out, e);
}
