/*
 * One request in its own process: whose token is it, which session, and then
 * as over standard input.  The first that reads what a stranger wrote.
 */
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <poll.h>
#include <sys/prctl.h>

#include "base/json.h"
#include "door/fence.h"
#include "door/mcp/http.h"
#include "door/out.h"

enum {
	TOKEN_HEAD = 6, /* "emcli_" */
	TOKEN_DIGITS = 64
};

/* The request, and who asks. */
struct asked {
	const struct mcp_http *h;
	struct evhttp_request *req;
	struct mcp_http_running *running;
	uint32_t use; /* of that place */
	bool gone;    /* its client hung up while it waited for its turn */
	struct mcp m;
	struct mcp_heads heads;
	struct mcp_job job;
	struct gate *gate;
	struct gate_agent agent;
	struct str session; /* as the client names it; may be empty */
};

struct str
mcp_http_answer_token(struct str authorization)
{
	static const struct str none = { 0 };
	struct str scheme, token;

	(void)str_cut(str_trim(authorization), ' ', &scheme, &token);
	token = str_trim(token);
	if (!str_eq_case(scheme, S("Bearer")) ||
	    token.n != TOKEN_HEAD + TOKEN_DIGITS ||
	    !str_starts(token, S("emcli_")))
		return none;
	for (size_t i = TOKEN_HEAD; i < token.n; i++)
		if (str_hex(token.p[i]) < 0)
			return none;
	return token;
}

static struct str
header(const struct asked *x, const char *name)
{
	return str_trim(
	    str_of(evhttp_find_header(evhttp_request_get_input_headers(x->req),
		name)));
}

static void
say_status(struct asked *x, int status, struct str session)
{
	mcp_worker_line(str_fmt(x->job.a, "%d %.*s", status,
	    STR_ARG(session.n > 0 ? session : S("-"))));
}

/* The whole answer: a status, and an error that says why; or neither. */
static _Noreturn void
end(struct asked *x, int status, enum mcp_code code, const char *why)
{
	say_status(x, status, S(""));
	if (why != NULL) {
		(void)mcp_jsonrpc_fault(&x->job.q, code, "%s", why);
		mcp_worker_say(mcp_jsonrpc_error(&x->job.q));
		mcp_worker_say(mcp_jsonrpc_error(&x->job.q));
	}
	_exit(0);
}

static _Noreturn void
broken(struct asked *x, const struct err *e)
{
	end(x, 503, MCP_BROKEN, e->say);
}

/* Removed agents and made-up tokens are told the same. */
static void
know_agent(struct asked *x)
{
	struct str token = mcp_http_answer_token(header(x, "Authorization"));
	struct err e = { 0 };
	int r;

	if (x->m.broken != NULL)
		broken(x, x->m.broken);
	if (gate_open(x->m.env, &x->gate, &e) < 0)
		broken(x, &e);
	r = gate_agent_find(x->gate, x->job.a, token, &x->agent, &e);
	if (r < 0)
		broken(x, &e);
	if (r == 0)
		end(x, 401, MCP_NO_REQUEST, "that token is nobody's");
	x->m.agent = &x->agent;
}

/* The session a legacy request must name, and what was agreed on in it. */
static void
know_session(struct asked *x)
{
	struct gate_agent_session s = { 0 };
	struct err e = { 0 };
	int r;

	if (x->session.n == 0)
		end(x, 400, MCP_NO_REQUEST,
		    "name the session in Mcp-Session-Id, as initialize gave "
		    "it");
	r = gate_agent_session(x->gate, x->job.a, &x->agent, x->session, &s,
	    &e);
	if (r < 0)
		broken(x, &e);
	if (r == 0)
		end(x, 404, MCP_NO_REQUEST,
		    "there is no such session any more: initialize");
	if (x->heads.version.n > 0 &&
	    !mcp_initialize_speaks(x->heads.version, MCP_LEGACY))
		end(x, 400, MCP_NO_REQUEST,
		    "no such revision here: see MCP-Protocol-Version");
	x->m.begun = true;
	(void)snprintf(x->m.conversation, sizeof(x->m.conversation), "%.*s",
	    STR_ARG(s.conversation));
	mcp_sight_meet(&x->m, s.client);
	x->m.elicits = s.asks;
}

static _Noreturn void
end_session(struct asked *x)
{
	struct err e = { 0 };
	int r;

	if (mcp_initialize_speaks(x->heads.version, MCP_MODERN))
		end(x, 405, MCP_NO_METHOD, "there are no sessions");
	if (x->session.n == 0)
		end(x, 400, MCP_NO_REQUEST, "which Mcp-Session-Id?");
	r = gate_agent_session_end(x->gate, x->job.a, &x->agent, x->session,
	    &e);
	if (r < 0)
		broken(x, &e);
	if (r == 0)
		end(x, 404, MCP_NO_REQUEST, "there is no such session");
	end(x, 204, MCP_NO_REQUEST, NULL);
}

/* JSON-RPC has its errors, HTTP its own. */
static int
status_of(const struct mcp_request *q)
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
fault(struct asked *x)
{
	say_status(x, status_of(&x->job.q), S(""));
	mcp_worker_say(mcp_jsonrpc_error(&x->job.q));
	mcp_worker_say(mcp_jsonrpc_error(&x->job.q));
	_exit(0);
}

/* What is said, should this process die of the request. */
static void
say_last_words(struct asked *x)
{
	struct mcp_request q = x->job.q;

	mcp_worker_fault(&x->job, &q);
	mcp_worker_say(mcp_jsonrpc_error(&q));
}

/* A session begins when the handshake went well, and not before. */
static void
begin(struct asked *x)
{
	struct mcp_request *q = &x->job.q;
	struct json *j = mcp_method_answer(q, x->job.row);
	struct gate_agent_session s = { .revision = str_of(x->m.revision),
		.client = x->m.client,
		.asks = x->m.elicits };
	struct err e = { 0 };
	struct str id;

	if (q->fault.code != 0)
		fault(x);
	if (fence_word(q->a, &id, &e) < 0 ||
	    gate_agent_session_begin(x->gate, q->a, &x->agent, &s, id, &e) < 0)
		broken(x, &e);
	say_status(x, 200, id);
	say_last_words(x);
	mcp_worker_say(j);
}

static void
answer(struct asked *x)
{
	struct mcp_request *q = &x->job.q;

	/* A modern client that hangs up wants no more of it; others say so. */
	if (q->era == MCP_MODERN && x->gone)
		_exit(0);
	if (mcp_worker_may_end(&x->job)) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)signal(MCP_HTTP_STOP, SIG_DFL);
		if (q->era == MCP_MODERN)
			(void)signal(MCP_HTTP_CANCEL, SIG_DFL);
	}
	if (q->era == MCP_LEGACY)
		mcp_http_running_name(x->h, x->running, x->use, q);
	if (mcp_http_running_cancelled(x->running, x->use))
		_exit(0);
	say_status(x, 200, S(""));
	say_last_words(x);
	/* It opens one of its own. */
	gate_close(&x->gate);
	mcp_worker_say(mcp_method_answer(q, x->job.row));
	if (x->job.row->answer == mcp_tools_list && q->era == MCP_LEGACY)
		mcp_http_running_listed(x->h, q);
}

/* What is not known, or done already, cannot be cancelled. */
static void
hear_notice(struct asked *x)
{
	struct mcp_request *q = &x->job.q;
	struct mcp_id id;

	if (q->era == MCP_LEGACY &&
	    str_eq(q->method, S("notifications/cancelled")) &&
	    mcp_jsonrpc_id(json_parse_member(q->params, "requestId"), &id))
		mcp_http_running_cancel(x->h, q, &id);
}

static void
take(struct asked *x)
{
	struct mcp_request *q = &x->job.q;
	bool opens = str_eq(q->method, S("initialize"));

	if (q->kind == MCP_FAULT)
		fault(x);
	q->era = mcp_method_era(q);
	if (q->era == MCP_LEGACY && !(q->kind == MCP_REQUEST && opens))
		know_session(x);
	if (q->kind == MCP_NOTICE)
		hear_notice(x);
	if (q->kind == MCP_ANSWER && q->era == MCP_LEGACY)
		mcp_http_running_told(x->h, q);
	if (q->kind != MCP_REQUEST)
		end(x, 202, MCP_NO_REQUEST, NULL);
	x->job.row = mcp_method_find(q);
	if (x->job.row == NULL)
		fault(x);
	if (x->job.row->answer == mcp_initialize)
		begin(x);
	else
		answer(x);
}

static bool
is_gone(struct evhttp_request *req)
{
	struct evhttp_connection *conn = evhttp_request_get_connection(req);
	struct pollfd p = { .events = POLLRDHUP };

	p.fd = bufferevent_getfd(evhttp_connection_get_bufferevent(conn));
	return poll(&p, 1, 0) > 0;
}

_Noreturn void
mcp_http_answer(const struct mcp_http *h, struct evhttp_request *req,
    struct mcp_http_running *r, uint32_t use, int fd)
{
	struct evbuffer *body = evhttp_request_get_input_buffer(req);
	struct asked x = {
		.h = h,
		.req = req,
		.running = r,
		.use = use,
		.m = *h->m,
	};
	struct str text = { 0 };

	x.gone = is_gone(req);
	/* Sockets of other requests, and the one that listens, are not ours. */
	(void)close_range(STDERR_FILENO + 1, (unsigned)fd - 1, 0);
	(void)close_range((unsigned)fd + 1, ~0U, 0);
	mcp_worker_become(h->m->env, fd);
	x.job.a = arena_open(LIMIT_ARENA);
	x.job.q = (struct mcp_request){
		.a = x.job.a,
		.m = &x.m,
		.heads = &x.heads,
	};
	x.heads = (struct mcp_heads){
		.version = header(&x, "MCP-Protocol-Version"),
		.method = header(&x, "Mcp-Method"),
		.name = header(&x, "Mcp-Name"),
	};
	x.session = header(&x, "Mcp-Session-Id");
	if (str_find_case(header(&x, "Accept"), S("text/event-stream")) >= 0)
		x.m.streams = h;
	know_agent(&x);
	if (evhttp_request_get_command(req) == EVHTTP_REQ_DELETE)
		end_session(&x);
	text.n = evbuffer_get_length(body);
	if (text.n > 0)
		text.p = (const char *)evbuffer_pullup(body, -1);
	mcp_jsonrpc_read(text, &x.job.q, &x.job.doc);
	if (x.job.q.kind == MCP_NOTHING && str_trim(text).n == 0)
		end(&x, 400, MCP_NOT_JSON, "there is no message");
	take(&x);
	_exit(0);
}
