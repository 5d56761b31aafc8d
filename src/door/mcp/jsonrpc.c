/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON-RPC 2.0 as in MCP: ids are strings or integers, params is an object, and
 * there are no batches.  An unreadable message gets an error, with the id if
 * that could be read.
 */
#include <stdarg.h>

#include "base/limits.h"
#include "door/mcp/internal.h"

enum {
	ID_MAX = 200,
	BARE_MAX = 65536 /* bytes of a non-message; longer is nonsense */
};

int
mcp_jsonrpc_fault(struct mcp_request *q, enum mcp_code code, const char *fmt,
    ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(q->fault.say, sizeof(q->fault.say), fmt, ap);
	va_end(ap);
	q->fault.code = code;
	return -1;
}

static void
mcp_jsonrpc_broken(struct mcp_request *q, enum mcp_code code, const char *say)
{
	q->kind = MCP_FAULT;
	(void)mcp_jsonrpc_fault(q, code, "%s", say);
}

bool
mcp_jsonrpc_id(const struct json_value *v, struct mcp_id *out)
{
	struct mcp_id id = { 0 };

	if (json_parse_int(v, &id.n))
		id.kind = MCP_ID_INT;
	else if (json_parse_str(v, &id.text) && id.text.n <= ID_MAX)
		id.kind = MCP_ID_TEXT;
	else
		return false;
	*out = id;
	return true;
}

bool
mcp_jsonrpc_same(const struct mcp_id *x, const struct mcp_id *y)
{
	return x->kind == y->kind && x->n == y->n && str_eq(x->text, y->text);
}

void
mcp_jsonrpc_put_id(struct json *j, const char *key, const struct mcp_id *id)
{
	if (id->kind == MCP_ID_INT)
		json_put_int(j, key, id->n);
	else if (id->kind == MCP_ID_TEXT)
		json_put_str(j, key, id->text);
}

/* A request or a notification whose id has been read. */
static void
mcp_jsonrpc_read_call(const struct json_value *top, bool has_id,
    struct mcp_request *q)
{
	const struct json_value *method = json_parse_member(top, "method");

	if (!json_parse_str(method, &q->method)) {
		mcp_jsonrpc_broken(q, MCP_NO_REQUEST,
		    "method must be a string");
		return;
	}
	q->kind = has_id ? MCP_REQUEST : MCP_NOTICE;
	q->params = json_parse_member(top, "params");
	if (q->params != NULL && !json_parse_is_object(q->params))
		mcp_jsonrpc_broken(q, MCP_BAD_PARAMS,
		    "params must be an object");
}

/* A number, a string or a word: JSON, but no message. */
static bool
mcp_jsonrpc_is_bare(struct arena *a, struct str line)
{
	struct json_doc *doc = NULL;
	struct err e = { 0 };
	bool bare;

	if (line.n > BARE_MAX)
		return false;
	line = str_fmt(a, "[%.*s\n]", STR_ARG(line));
	bare = json_parse_open(line, line.n, &doc, &e) == 0 &&
	    json_parse_count(json_parse_root(doc)) == 1;
	json_parse_close(&doc);
	return bare;
}

void
mcp_jsonrpc_read(struct str line, struct mcp_request *q, struct json_doc **doc)
{
	const struct json_value *top, *id;
	struct str version;
	struct err e = { 0 };

	q->kind = MCP_NOTHING;
	if (str_trim(line).n == 0)
		return;
	if (json_parse_open(line, LIMIT_MCP_LINE, doc, &e) < 0) {
		if (e.kind == ERR_LIMIT)
			mcp_jsonrpc_broken(q, MCP_NO_REQUEST, e.say);
		else if (mcp_jsonrpc_is_bare(q->a, line))
			mcp_jsonrpc_broken(q, MCP_NO_REQUEST,
			    "a message must be an object");
		else
			mcp_jsonrpc_broken(q, MCP_NOT_JSON, e.say);
		return;
	}
	top = json_parse_root(*doc);
	if (!json_parse_is_object(top)) {
		mcp_jsonrpc_broken(q, MCP_NO_REQUEST,
		    "send one message per line: batches are not supported");
		return;
	}
	id = json_parse_member(top, "id");
	if (id != NULL && !mcp_jsonrpc_id(id, &q->id)) {
		mcp_jsonrpc_broken(q, MCP_NO_REQUEST,
		    "id must be an integer or a string of at most 200 bytes");
		return;
	}
	if (!json_parse_str(json_parse_member(top, "jsonrpc"), &version) ||
	    !str_eq(version, S("2.0"))) {
		mcp_jsonrpc_broken(q, MCP_NO_REQUEST,
		    "jsonrpc must be \"2.0\"");
		return;
	}
	if (json_parse_member(top, "method") == NULL &&
	    (json_parse_member(top, "result") != NULL ||
		json_parse_member(top, "error") != NULL)) {
		q->kind = MCP_ANSWER;
		q->params = json_parse_member(top, "result");
		return;
	}
	mcp_jsonrpc_read_call(top, id != NULL, q);
}

struct json *
mcp_jsonrpc_error(const struct mcp_request *q)
{
	struct json *j = json_new(q->a);

	json_open_object(j, NULL);
	json_put_text(j, "jsonrpc", "2.0");
	mcp_jsonrpc_put_id(j, "id", &q->id);
	json_open_object(j, "error");
	json_put_int(j, "code", q->fault.code);
	json_put_text(j, "message", q->fault.say);
	if (q->fault.data != NULL)
		json_put_json(j, "data", q->fault.data);
	json_close_object(j);
	json_close_object(j);
	return j;
}
