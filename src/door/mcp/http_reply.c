/*
 * What is said to a request that needs no process: refusals by its looks, and
 * the heads of all answers.
 */
#include <event2/buffer.h>
#include <event2/http.h>

#include "door/mcp/http.h"

const char *
mcp_http_reply_header(struct evhttp_request *req, const char *name)
{
	return evhttp_find_header(evhttp_request_get_input_headers(req), name);
}

void
mcp_http_reply_put(struct evhttp_request *req, const char *name,
    const char *value)
{
	(void)evhttp_add_header(evhttp_request_get_output_headers(req), name,
	    value);
}

void
mcp_http_reply(struct evhttp_request *req, int status, struct evbuffer *body)
{
	mcp_http_reply_put(req, "Cache-Control", "no-store");
	if (status == 401)
		mcp_http_reply_put(req, "WWW-Authenticate",
		    "Bearer realm=\"emcli\"");
	if (status == 405)
		mcp_http_reply_put(req, "Allow", "POST, DELETE");
	if (body != NULL && evbuffer_get_length(body) > 0)
		mcp_http_reply_put(req, "Content-Type", "application/json");
	/* The phrase is the library's. */
	evhttp_send_reply(req, status, NULL, body);
}

void
mcp_http_reply_no(struct evhttp_request *req, int status, const char *why)
{
	struct evbuffer *body = evbuffer_new();

	if (body == NULL)
		err_bug("out of memory");
	(void)evbuffer_add_printf(body,
	    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":%d,\"message\":\"%s\"}}",
	    status == 500 || status == 503 ? MCP_BROKEN : MCP_NO_REQUEST, why);
	mcp_http_reply(req, status, body);
	evbuffer_free(body);
}

/* A media type, whatever parameters it has. */
static bool
is_json(const char *type)
{
	struct str name, rest;

	(void)str_cut(str_of(type), ';', &name, &rest);
	return str_eq_case(str_trim(name), S("application/json"));
}

/*
 * Whoever forwards a port of his own to ours is called by that one.  A page
 * that made its name lead here (DNS rebinding) still says that name.
 */
static bool
is_forwarded(const struct mcp_http *h, struct str host)
{
	static const char *const names[] = { "localhost", "127.0.0.1",
		"[::1]" };
	uint32_t port;

	for (size_t i = 0; h->near && i < sizeof(names) / sizeof(names[0]);
	     i++) {
		struct str name = str_of(names[i]), rest;

		if (host.n < name.n ||
		    !str_eq_case(str_first(host, name.n), name))
			continue;
		rest = str_from(host, name.n);
		return rest.n == 0 ||
		    (rest.p[0] == ':' &&
			str_to_u32(str_from(rest, 1), 65535, &port));
	}
	return false;
}

bool
mcp_http_reply_away(const struct mcp_http *h, struct evhttp_request *req)
{
	enum evhttp_cmd_type method = evhttp_request_get_command(req);
	const char *path =
	    evhttp_uri_get_path(evhttp_request_get_evhttp_uri(req));
	const char *host = mcp_http_reply_header(req, "Host");
	const char *from = mcp_http_reply_header(req, "Origin");
	const char *auth = mcp_http_reply_header(req, "Authorization");

	if (host == NULL ||
	    (!str_among_case(&h->hosts, str_of(host)) &&
		!is_forwarded(h, str_of(host))))
		mcp_http_reply_no(req, 403,
		    "not by that Host: see emcli mcp --host");
	else if (from != NULL && !str_among_case(&h->origins, str_of(from)))
		mcp_http_reply_no(req, 403,
		    "not from that Origin: see emcli mcp --origin");
	else if (path == NULL || !str_eq(str_of(path), S("/mcp")))
		mcp_http_reply_no(req, 404, "there is only /mcp");
	else if (method != EVHTTP_REQ_POST && method != EVHTTP_REQ_DELETE)
		mcp_http_reply_no(req, 405, "no stream is offered: POST");
	else if (mcp_http_answer_token(str_of(auth)).n == 0)
		mcp_http_reply_no(req, 401,
		    "a bearer token is needed: emcli agent add");
	else if (method == EVHTTP_REQ_POST &&
	    !is_json(mcp_http_reply_header(req, "Content-Type")))
		mcp_http_reply_no(req, 415, "a message is application/json");
	else
		return false;
	return true;
}
