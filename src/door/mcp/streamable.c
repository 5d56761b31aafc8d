/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MCP over HTTP (Streamable HTTP): one request in its own process.  It finds
 * the token's agent and the session, and continues as over standard input.
 * This is the first process that reads a stranger's text.
 */
#include "door/mcp/streamable.h"
#include "base/limits.h"
#include "door/fence.h"
#include "door/mcp/bearer.h"
#include "door/mcp/elicit.h"
#include "door/mcp/sight.h"
#include "gate/outbox_ask.h"

/* The request, and its caller. */
struct asked {
	const struct route_request *by;
	struct mcp m;
	struct mcp_heads heads;
	struct mcp_request q;
	struct json_doc *doc;
	const struct mcp_method *row;
	struct gate *gate;
	struct gate_agent agent;
	struct str session; /* as named by the client; may be empty */
};

static void
mcp_streamable_say_status(struct asked *x, int status)
{
	child_line(CHILD_STATUS, str_fmt(x->q.a, "%d", status));
}

/* The whole answer: a status, and an error with the reason; or neither. */
static _Noreturn void
mcp_streamable_end(struct asked *x, int status, enum mcp_code code,
    const char *why)
{
	mcp_streamable_say_status(x, status);
	if (why != NULL) {
		(void)mcp_jsonrpc_fault(&x->q, code, "%s", why);
		child_say(CHILD_ANSWER, mcp_jsonrpc_error(&x->q));
	}
	_exit(0);
}

static _Noreturn void
mcp_streamable_broken(struct asked *x, const struct err *e)
{
	mcp_streamable_end(x, 503, MCP_BROKEN, e->say);
}

/* Removed agents and invalid tokens get the same answer. */
static void
mcp_streamable_know_agent(struct asked *x)
{
	struct err e = { 0 };
	struct str why;
	int r;

	if (x->m.broken != NULL)
		mcp_streamable_broken(x, x->m.broken);
	if (gate_open(x->m.env, &x->gate, &e) < 0)
		mcp_streamable_broken(x, &e);
	r = mcp_bearer_know(x->gate, x->q.a, x->by->token, &x->agent, &why, &e);
	if (r < 0)
		mcp_streamable_broken(x, &e);
	if (r > 0)
		mcp_streamable_end(x, r, MCP_NO_REQUEST, str_c(x->q.a, why));
	x->m.agent = &x->agent;
}

/* The session that a legacy request must name, and its agreed values. */
static void
mcp_streamable_know_session(struct asked *x)
{
	struct gate_agent_session s = { 0 };
	struct err e = { 0 };
	int r;

	if (x->session.n == 0)
		mcp_streamable_end(x, 400, MCP_NO_REQUEST,
		    "give Mcp-Session-Id, as initialize returned it");
	r = gate_agent_session(x->gate, x->q.a, &x->agent, x->session, &s, &e);
	if (r < 0)
		mcp_streamable_broken(x, &e);
	if (r == 0)
		mcp_streamable_end(x, 404, MCP_NO_REQUEST,
		    "the session has ended: call initialize again");
	if (x->heads.version.n > 0 &&
	    !mcp_revision_speaks(x->heads.version, MCP_LEGACY))
		mcp_streamable_end(x, 400, MCP_NO_REQUEST,
		    "this revision is not supported: see MCP-Protocol-Version");
	x->m.begun = true;
	(void)snprintf(x->m.conversation, sizeof(x->m.conversation), "%.*s",
	    STR_ARG(s.conversation));
	mcp_sight_meet(&x->m, s.client);
	x->m.elicits = s.asks;
}

static _Noreturn void
mcp_streamable_end_session(struct asked *x)
{
	struct err e = { 0 };
	int r;

	if (mcp_revision_speaks(x->heads.version, MCP_MODERN))
		mcp_streamable_end(x, 405, MCP_NO_METHOD,
		    "this revision has no sessions");
	if (x->session.n == 0)
		mcp_streamable_end(x, 400, MCP_NO_REQUEST,
		    "give the Mcp-Session-Id of the session to end");
	r = gate_agent_session_end(x->gate, x->q.a, &x->agent, x->session, &e);
	if (r < 0)
		mcp_streamable_broken(x, &e);
	if (r == 0)
		mcp_streamable_end(x, 404, MCP_NO_REQUEST,
		    "the session does not exist");
	mcp_streamable_end(x, 204, MCP_NO_REQUEST, NULL);
}

/* The HTTP status for a JSON-RPC error. */
static int
mcp_streamable_status_of(const struct mcp_request *q)
{
	if (q->fault.status != 0)
		return q->fault.status;
	switch (q->fault.code) {
	case MCP_NO_METHOD:
		return q->era == MCP_MODERN ? 404 : 200;
	case MCP_BROKEN:
		return 500;
	case MCP_NOT_JSON:
	case MCP_NO_REQUEST:
	case MCP_BAD_VERSION:
	case MCP_BAD_HEADER:
		return 400;
	case MCP_BAD_PARAMS:
	case MCP_NO_RESOURCE:
	default:
		return 200;
	}
}

static _Noreturn void
mcp_streamable_fault(struct asked *x)
{
	mcp_streamable_say_status(x, mcp_streamable_status_of(&x->q));
	child_say(CHILD_ANSWER, mcp_jsonrpc_error(&x->q));
	_exit(0);
}

/* The answer in case this process dies of the request. */
static void
mcp_streamable_say_last_words(struct asked *x)
{
	struct mcp_request q = x->q;

	mcp_params_fault(&q);
	child_say(CHILD_FAULT, mcp_jsonrpc_error(&q));
}

/* A session begins only after a successful handshake. */
static void
mcp_streamable_begin(struct asked *x)
{
	struct mcp_request *q = &x->q;
	struct json *j = mcp_method_answer(q, x->row);
	struct gate_agent_session s = { .revision = str_of(x->m.revision),
		.client = x->m.client,
		.asks = x->m.elicits };
	struct err e = { 0 };
	struct str id;

	if (q->fault.code != 0)
		mcp_streamable_fault(x);
	if (fence_word(q->a, &id, &e) < 0 ||
	    gate_agent_session_begin(x->gate, q->a, &x->agent, &s, id, &e) < 0)
		mcp_streamable_broken(x, &e);
	mcp_streamable_say_status(x, 200);
	child_line(CHILD_HEAD,
	    str_fmt(q->a, "Mcp-Session-Id: %.*s", STR_ARG(id)));
	mcp_streamable_say_last_words(x);
	child_say(CHILD_ANSWER, j);
}

static void
mcp_streamable_answer(struct asked *x)
{
	struct mcp_request *q = &x->q;

	/* Hanging up cancels in the modern era only. */
	if (q->era == MCP_MODERN && x->by->left)
		_exit(0);
	if (mcp_params_may_end(q))
		child_may_end(q->era == MCP_MODERN);
	if (q->era == MCP_LEGACY)
		running_name(&x->by->place, x->agent.id,
		    mcp_session_call(&x->m, &q->id));
	if (running_cancelled(&x->by->place))
		_exit(0);
	mcp_streamable_say_status(x, 200);
	mcp_streamable_say_last_words(x);
	/* The method opens its own gate. */
	gate_close(&x->gate);
	child_say(CHILD_ANSWER, mcp_method_answer(q, x->row));
	if ((x->row->flags & MCP_LISTS) && q->era == MCP_LEGACY)
		running_counted(x->by->place.table, mcp_session(&x->m));
}

/* An unknown or finished request cannot be cancelled. */
static void
mcp_streamable_hear_notice(struct asked *x)
{
	struct mcp_request *q = &x->q;
	struct mcp_id id;

	if (q->era == MCP_LEGACY &&
	    str_eq(q->method, S("notifications/cancelled")) &&
	    mcp_jsonrpc_id(json_parse_member(q->params, "requestId"), &id))
		running_cancel(x->by->place.table, x->agent.id,
		    mcp_session_call(&x->m, &id));
}

/* The answer to a question that another request's process asked. */
static void
mcp_streamable_hear_answer(struct asked *x)
{
	const struct mcp_request *q = &x->q;
	int word = OUTBOX_ASK_DONE;

	if (q->id.kind != MCP_ID_TEXT)
		return;
	(void)mcp_elicit_word(q->params, &word);
	running_told(x->by->place.table, x->agent.id,
	    mcp_session_call(&x->m, &q->id),
	    q->params == NULL ? RUNNING_SILENT : word);
}

static void
mcp_streamable_take(struct asked *x)
{
	struct mcp_request *q = &x->q;
	bool opens = str_eq(q->method, S("initialize"));

	if (q->kind == MCP_FAULT)
		mcp_streamable_fault(x);
	q->era = mcp_method_era(q);
	if (q->era == MCP_LEGACY && !(q->kind == MCP_REQUEST && opens))
		mcp_streamable_know_session(x);
	if (q->kind == MCP_NOTICE)
		mcp_streamable_hear_notice(x);
	if (q->kind == MCP_ANSWER && q->era == MCP_LEGACY)
		mcp_streamable_hear_answer(x);
	if (q->kind != MCP_REQUEST)
		mcp_streamable_end(x, 202, MCP_NO_REQUEST, NULL);
	x->row = mcp_method_find(q);
	if (x->row == NULL)
		mcp_streamable_fault(x);
	if (x->row->flags & MCP_OPENS)
		mcp_streamable_begin(x);
	else
		mcp_streamable_answer(x);
}

/* Reads the headers, and finds the agent. */
static void
mcp_streamable_meet(struct asked *x, const struct route_request *r)
{
	*x = (struct asked){ .by = r, .m = *(const struct mcp *)r->arg };
	x->m.place = &r->place;
	x->m.streams = r->streams;
	x->q = (struct mcp_request){
		.a = arena_open(LIMIT_ARENA),
		.m = &x->m,
		.heads = &x->heads,
	};
	x->heads = (struct mcp_heads){
		.version = r->header(r, "MCP-Protocol-Version"),
		.method = r->header(r, "Mcp-Method"),
		.name = r->header(r, "Mcp-Name"),
	};
	x->session = r->header(r, "Mcp-Session-Id");
	mcp_streamable_know_agent(x);
}

void
mcp_streamable_post(const struct route_request *r)
{
	struct asked x;

	mcp_streamable_meet(&x, r);
	mcp_jsonrpc_read(r->body, &x.q, &x.doc);
	if (x.q.kind == MCP_NOTHING && str_trim(r->body).n == 0)
		mcp_streamable_end(&x, 400, MCP_NOT_JSON,
		    "the request has no message");
	mcp_streamable_take(&x);
}

void
mcp_streamable_delete(const struct route_request *r)
{
	struct asked x;

	mcp_streamable_meet(&x, r);
	mcp_streamable_end_session(&x);
}

/* A notification, or the answer to a question: a guess. */
bool
mcp_streamable_brief(struct str body)
{
	return str_find(body, S("\"notifications/")) >= 0 ||
	    str_find(body, S("\"method\"")) < 0;
}

/* The message was not read, so the error has no id. */
void
mcp_streamable_refuse(struct buf *out, int status, const char *why)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct mcp_request q = { .a = a };

	(void)mcp_jsonrpc_fault(&q,
	    status == 500 || status == 503 ? MCP_BROKEN : MCP_NO_REQUEST, "%s",
	    why);
	buf_str(out, json_text(mcp_jsonrpc_error(&q), a));
}
