/* SPDX-License-Identifier: Apache-2.0 */
/* One HTTP request of JMAP, with its credentials and its errors. */
#include "backend/jmap/internal.h"
#include "backend/jmap/url.h"
#include "base/said.h"

int
jmap_wire_nonsense(struct err *e, const char *why)
{
	(void)err_set(e, ERR_NETWORK,
	    "the mail server's answer cannot be understood");
	return err_because(e, "jmap: %s", why);
}

/* Problems of a whole request, RFC 8620 section 3.6.1. */
static int
jmap_wire_problem(const struct http_reply *r, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err ignored = { 0 };
	struct str type = { 0 };

	if (json_parse_open(r->body, JMAP_SESSION, &doc, &ignored) == 0)
		(void)json_parse_str(json_parse_member(json_parse_root(doc),
					 "type"),
		    &type);
	if (str_ends(type, S(":limit")))
		return err_set(e, ERR_LIMIT,
		    "the request is larger than the mail server accepts");
	if (str_ends(type, S(":unknownCapability")))
		return err_set(e, ERR_UNSUPPORTED,
		    "the mail server cannot do that");
	(void)err_set(e, ERR_NETWORK, "the mail server refused the request");
	return err_because(e, "jmap: status %d", r->status);
}

static const struct {
	int status;
	enum err_kind kind;
	const char *say;
} refusals[] = {
	{ 401, ERR_AUTH, "the mail server refused the credentials" },
	{ 402, ERR_AUTH, "the mail server requires payment" },
	{ 403, ERR_AUTH, "the mail server does not allow that" },
	{ 413, ERR_LIMIT, "that is more than the mail server accepts" },
	{ 429, ERR_LIMIT, "too many requests: the mail server asks to wait" },
};

static int
jmap_wire_refused(const struct http_reply *r, struct err *e)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		if (refusals[i].status != r->status)
			continue;
		(void)err_set(e, refusals[i].kind, "%s", refusals[i].say);
		return err_because(e, "jmap: status %d", r->status);
	}
	if (r->status == 400)
		return jmap_wire_problem(r, e);
	(void)err_set(e, ERR_NETWORK, "the mail server failed");
	return err_because(e, "jmap: status %d", r->status);
}

/* A login is required, because every server would answer 401. */
static int
jmap_wire_set_login(struct jmap *j, struct http_request *h, struct err *e)
{
	const struct backend_account *acct = j->conn.acct;

	if (backend_token(acct, e) < 0)
		return -1;
	if (acct->oauth) {
		h->bearer = acct->secret;
	} else if (acct->username.n > 0) {
		h->basic = acct->secret;
		h->basic_user = acct->username;
	}
	if (h->bearer == NULL && h->basic == NULL)
		return err_set(e, ERR_CONFIG,
		    "the account has no credentials for the mail server");
	return 0;
}

static void
jmap_wire_set_stream(const struct jmap_stream *s, struct http_request *h)
{
	h->accept = "text/event-stream";
	h->begun = s->begun;
	h->take = s->take;
	h->tick = s->tick;
	h->ctx = s->ctx;
	h->deadline_ms = s->deadline_ms;
}

static int
jmap_wire_ask_once(struct jmap *j, const struct jmap_request *q,
    struct http_reply *out, struct err *e)
{
	struct http_request h = {
		.url = q->url,
		.body = q->body,
		.type = str_of(q->type),
		.redirects = q->redirects,
		.max = q->max,
		.deadline_ms = j->conn.acct->deadline_ms,
	};
	char words[200];

	if (!jmap_url_trusts(j->base, q->url)) {
		(void)err_set(e, ERR_CONFIG,
		    "the mail server redirects to an address that is not "
		    "trusted");
		(void)err_hint(e,
		    "if it is your server, give its address with --url");
		said_clean(words, sizeof(words), q->url);
		return err_because(e, "jmap: %s", words);
	}
	if (q->stream != NULL)
		jmap_wire_set_stream(q->stream, &h);
	if (jmap_wire_set_login(j, &h, e) < 0)
		return -1;
	/* If a reused connection breaks, libcurl sends the request again. */
	if (q->once)
		http_close(&j->http);
	if (j->http == NULL &&
	    http_open(j->conn.acct->ca_file, &j->http, e) < 0)
		return -1;
	return http_send(j->http, &h, out, e);
}

int
jmap_wire_ask(struct jmap *j, const struct jmap_request *q,
    struct http_reply *out, struct err *e)
{
	for (;;) {
		if (jmap_wire_ask_once(j, q, out, e) < 0)
			return -1;
		if (out->status == 200 || out->status == 201)
			return 0;
		(void)jmap_wire_refused(out, e);
		if (out->status != 401 || j->renewed || !j->conn.acct->oauth ||
		    !backend_token_again(j->conn.acct, e))
			break;
		j->renewed = true;
	}
	/* A URL that moved after it was cached. */
	if (j->kept &&
	    (out->status == 404 || out->status == 410 ||
		(out->status >= 300 && out->status < 400)))
		return JMAP_STALE;
	return -1;
}
