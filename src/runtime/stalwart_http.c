/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the management of a server.  A body with a password is built in a
 * secret and lent to libcurl; answers are wiped with the connection.
 */
#include "base/limits.h"
#include "base/said.h"
#include "runtime/stalwart.h"

void
stalwart_http_done(struct stalwart_answer *x)
{
	json_parse_close(&x->doc);
}

int
stalwart_http_nonsense(struct err *e, const char *what)
{
	(void)err_set(e, ERR_NETWORK,
	    "the mail server's management answers something else than it "
	    "should");
	return err_because(e, "stalwart: %s", what);
}

int
stalwart_http_refused(struct err *e, const char *what, struct str why)
{
	char words[100];

	said_clean(words, sizeof(words), why);
	(void)err_set(e, ERR_REJECTED, "the mail server does not %s: %s", what,
	    words[0] != '\0' ? words : "it does not say why");
	return -1;
}

struct sending {
	struct stalwart *s;
	struct http_request *q;
	struct http_reply *reply;
	struct err *e;
};

/* With the body in plain, or without one. */
static int
stalwart_http_send(struct str body, void *ctx)
{
	const struct sending *t = ctx;

	if (body.n > 0)
		t->q->body = body;
	return http_send(t->s->http, t->q, t->reply, t->e);
}

static int
stalwart_http_refuse_login(int status, struct err *e)
{
	(void)err_set(e, ERR_AUTH,
	    "the mail server refuses the management credentials");
	(void)err_because(e, "stalwart: status %d", status);
	return err_hint(e,
	    "set HOUMAO_STALWART_MANAGEMENT_BEARER_TOKEN, or "
	    "HOUMAO_STALWART_MANAGEMENT_API_KEY and "
	    "HOUMAO_STALWART_MANAGEMENT_API_SECRET, of an administrator");
}

int
stalwart_http(struct stalwart *s, const struct stalwart_request *q,
    struct stalwart_answer *out, struct err *e)
{
	CLEANUP(secret_close) struct secret *body = NULL;
	struct http_request h = {
		.url = q->url,
		.method = q->method,
		.type = S("application/json"),
		.bearer = s->keys.token,
		.basic = s->basic,
		.redirects = q->redirects,
		.max = LIMIT_STALWART,
		.deadline_ms = s->deadline_ms,
	};
	struct http_reply reply = { 0 };
	struct sending t = { s, &h, &reply, e };
	struct err unused = { 0 };
	int r;

	*out = (struct stalwart_answer){ 0 };
	if (s->http == NULL && http_open(S(""), &s->http, e) < 0)
		return -1;
	if (q->password != NULL &&
	    credential_password_fill(q->body, q->password, &body, e) < 0)
		return -1;
	r = body != NULL ? secret_lend(body, stalwart_http_send, &t)
			 : stalwart_http_send(q->body, &t);
	if (r < 0)
		return -1;
	if (reply.status == 401 || reply.status == 403)
		return stalwart_http_refuse_login(reply.status, e);
	out->status = reply.status;
	out->url = str_dup(s->a, reply.url);
	/* The parser's error would quote the answer. */
	(void)json_parse_open(reply.body, LIMIT_STALWART, &out->doc, &unused);
	return 0;
}
