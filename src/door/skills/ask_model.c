/* SPDX-License-Identifier: Apache-2.0 */
/* The endpoint: its address, its key, and the meaning of its errors. */
#include <time.h>

#include "base/clock.h"
#include "base/said.h"
#include "base/utf8.h"
#include "door/out.h"
#include "door/skills/ask.h"
#include "gate/model.h"
#include "net/http.h"

/* The base address of a service, or the complete URL. */
static struct str
ask_model_full_url(struct str url, struct arena *a)
{
	struct str tail = S("/chat/completions");

	while (str_ends(url, S("/")))
		url.n--;
	if (str_ends(url, tail))
		return url;
	return str_fmt(a, "%.*s%.*s", STR_ARG(url), STR_ARG(tail));
}

int
ask_model_open(struct ask_model *m, const struct args *args, struct gate *g,
    struct arena *a, struct err *e)
{
	struct gate_model of;

	if (gate_model_find(g, a, args_text(args, "model"), &of, e) < 0)
		return -1;
	m->name = of.id;
	m->url = ask_model_full_url(of.url, a);
	if (http_need(e) < 0)
		return -1;
	if (!http_url_ok(m->url))
		return err_set(e, ERR_CONFIG,
		    "the model's address must be https, or http on this "
		    "machine");
	/* This service rejects the name that all others use. */
	m->max_tokens = str_starts(m->url, S("https://api.openai.com/"))
	    ? "max_completion_tokens"
	    : "max_tokens";
	m->timeout_ms = (int64_t)args_count(args, "timeout", 300) * 1000;
	if (of.key_file.n > 0 &&
	    env_key_read("the model's key", str_c(a, of.key_file), &m->key, e) <
		0)
		return -1;
	return http_open(of.ca_file, &m->http, e);
}

void
ask_model_close(struct ask_model *m)
{
	http_close(&m->http);
	secret_close(&m->key);
}

/* {"error":{"message":...}}, {"error":"..."}, {"message":...}; or empty. */
static struct str
ask_model_complaint(struct str body, struct arena *a)
{
	CLEANUP(json_parse_close) struct json_doc *d = NULL;
	const struct json_value *v, *fault;
	struct err none = { 0 };
	struct str said = { 0 };

	if (json_parse_open(body, LIMIT_ASK_EVENT, &d, &none) < 0)
		return said;
	v = json_parse_root(d);
	fault = json_parse_member(v, "error");
	if (!json_parse_str(json_parse_member(fault, "message"), &said) &&
	    !json_parse_str(fault, &said))
		(void)json_parse_str(json_parse_member(v, "message"), &said);
	return str_dup(a, said);
}

static const struct {
	int status;
	enum err_kind kind;
	const char *say;
} refusals[] = {
	{ 400, ERR_USAGE, "the model's server does not accept the request" },
	{ 401, ERR_AUTH, "the model's server refused the key" },
	{ 402, ERR_AUTH, "the model's server requires payment" },
	{ 403, ERR_AUTH, "the model's server refused the key" },
	{ 404, ERR_CONFIG, "the model does not exist, or not at that address" },
	{ 413, ERR_LIMIT, "the conversation is too long for the model" },
	{ 422, ERR_USAGE, "the model's server does not accept the request" },
	{ 429, ERR_LIMIT, "the model's server asks for fewer requests" },
	{ 0, ERR_NETWORK, "the model's server failed" },
};

static int
ask_model_explain(const struct http_reply *r, struct arena *a, struct err *e)
{
	struct str said =
		       said_text(a, ask_model_complaint(r->body, a), SAID_LOOK),
		   shown;
	size_t i = 0;

	while (refusals[i].status != 0 && refusals[i].status != r->status)
		i++;
	shown = out_line(a, utf8_first(said, 120));
	(void)err_set(e, refusals[i].kind, "%s (%d)%s%.*s", refusals[i].say,
	    r->status, shown.n > 0 ? ": " : "", STR_ARG(shown));
	return err_because(e, "%.*s", STR_ARG(said));
}

/* Overloaded, not refused, and before any part of the answer. */
static bool
is_busy(int status)
{
	return status == 429 || status == 502 || status == 503 || status == 529;
}

/* False: a signal arrived. */
static bool
wait_s(const struct ask_model *m, int64_t s)
{
	struct timespec t = { .tv_sec = s };

	return *m->stop == 0 && nanosleep(&t, NULL) == 0;
}

struct taker {
	struct ask_stream *s;
	struct err *e;
};

static int
ask_model_take(struct str part, void *ctx)
{
	struct taker *t = ctx;

	return ask_stream_take(t->s, part, t->e);
}

int
ask_model_next(struct ask_model *m, struct str request, struct ask_stream *s,
    struct arena *a, struct err *e)
{
	struct err why = { 0 };
	struct taker t = { s, &why };
	struct http_request q = {
		.url = m->url,
		.body = request,
		.type = S("application/json"),
		.bearer = m->key,
		.max = LIMIT_ASK_ANSWER,
		.accept = "text/event-stream, application/json",
		.take = ask_model_take,
		.ctx = &t,
		.stop = m->stop,
	};
	struct http_reply r;

	for (int64_t i = 1;; i++) {
		q.deadline_ms = clock_mono_ms() + m->timeout_ms;
		if (http_send(m->http, &q, &r, e) < 0) {
			/* An error in the answer is more precise. */
			if (why.kind != ERR_NONE)
				*e = why;
			return -1;
		}
		if (!is_busy(r.status) || i == LIMIT_ASK_TRIES ||
		    r.retry_after_s > LIMIT_ASK_WAIT_S ||
		    !wait_s(m, r.retry_after_s > 0 ? r.retry_after_s : i))
			break;
	}
	if (r.status != 200)
		return ask_model_explain(&r, a, e);
	return ask_stream_end(s, e);
}
