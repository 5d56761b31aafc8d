/* SPDX-License-Identifier: Apache-2.0 */
/* The order of checks of a request: its _meta, its revision, its method. */
#include "base/base64.h"
#include "base/utf8.h"
#include "door/mcp/answers.h"
#include "door/out.h"

enum {
	CACHE_MS = 300000
};

#define META "io.modelcontextprotocol/"

/*
 * A modern request declares it itself, whatever came before.  Its header may
 * too, and then the body must.
 */
enum mcp_era
mcp_method_era(const struct mcp_request *q)
{
	const struct json_value *meta = json_parse_member(q->params, "_meta");

	if (json_parse_member(meta, META "protocolVersion") != NULL)
		return MCP_MODERN;
	if (q->heads != NULL &&
	    mcp_revision_speaks(q->heads->version, MCP_MODERN))
		return MCP_MODERN;
	return MCP_LEGACY;
}

/* "=?base64?...?=" encodes bytes that a header cannot have. */
static bool
mcp_method_is_said(struct arena *a, struct str head, struct str body)
{
	size_t before = sizeof("=?base64?") - 1;
	ptrdiff_t n;
	char *raw;

	if (!str_starts(head, S("=?base64?")) || !str_ends(head, S("?=")) ||
	    head.n < before + 2)
		return str_eq(head, body);
	head = (struct str){ head.p + before, head.n - before - 2 };
	raw = arena_alloc(a, 3 * head.n / 4 + 3);
	n = base64_decode(raw, head);
	return n >= 0 && str_eq((struct str){ raw, (size_t)n }, body);
}

/* A proxy that routes by headers must see the same values as emcli. */
static int
mcp_method_check_heads(struct mcp_request *q, struct str version)
{
	static const struct {
		const char *method, *param;
	} named[] = {
		{ "tools/call", "name" },
		{ "prompts/get", "name" },
		{ "resources/read", "uri" },
	};
	const struct mcp_heads *h = q->heads;
	struct str name;

	if (h == NULL)
		return 0;
	if (!str_eq(h->version, version))
		return mcp_jsonrpc_fault(q, MCP_BAD_HEADER,
		    "MCP-Protocol-Version differs from _meta");
	if (!str_eq(h->method, q->method))
		return mcp_jsonrpc_fault(q, MCP_BAD_HEADER,
		    "Mcp-Method differs from the method");
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (str_eq(str_of(named[i].method), q->method) &&
		    json_parse_str(json_parse_member(q->params, named[i].param),
			&name) &&
		    !mcp_method_is_said(q->a, h->name, name))
			return mcp_jsonrpc_fault(q, MCP_BAD_HEADER,
			    "Mcp-Name differs from params.%s", named[i].param);
	return 0;
}

static int
mcp_method_check_modern(struct mcp_request *q, const struct json_value *meta)
{
	struct str version;

	if (!json_parse_str(json_parse_member(meta, META "protocolVersion"),
		&version) ||
	    !json_parse_is_object(
		json_parse_member(meta, META "clientCapabilities"))) {
		q->fault.status = 400;
		return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
		    "_meta must have protocolVersion, a string, and "
		    "clientCapabilities, an object, below " META);
	}
	if (mcp_method_check_heads(q, version) < 0)
		return -1;
	if (mcp_revision_speaks(version, MCP_MODERN))
		return 0;
	q->fault.data = json_new(q->a);
	json_open_object(q->fault.data, NULL);
	mcp_revision_put_modern(q->fault.data, "supported");
	json_put_str(q->fault.data, "requested", utf8_first(version, 100));
	json_close_object(q->fault.data);
	return mcp_jsonrpc_fault(q, MCP_BAD_VERSION,
	    "this revision is not supported: see data.supported");
}

static int
mcp_method_check_legacy(struct mcp_request *q)
{
	bool opens = str_eq(q->method, S("initialize"));

	if (!q->m->begun && !opens && !str_eq(q->method, S("ping")))
		return mcp_jsonrpc_fault(q, MCP_BAD_PARAMS,
		    "call initialize first, or give " META
		    "protocolVersion and clientCapabilities in params._meta");
	if (q->m->begun && opens)
		return mcp_jsonrpc_fault(q, MCP_NO_REQUEST,
		    "this session is already initialized");
	return 0;
}

const struct mcp_method *
mcp_method_find(struct mcp_request *q)
{
	const struct json_value *meta = json_parse_member(q->params, "_meta");

	q->era = mcp_method_era(q);
	if (q->era == MCP_MODERN ? mcp_method_check_modern(q, meta) < 0
				 : mcp_method_check_legacy(q) < 0)
		return NULL;
	for (const struct mcp_method *row = mcp_method_table; row->name != NULL;
	     row++)
		if ((row->eras & q->era) &&
		    str_eq(str_of(row->name), q->method))
			return row;
	(void)mcp_jsonrpc_fault(q, MCP_NO_METHOD, "no method %.*s",
	    STR_ARG(out_quote(q->a, q->method)));
	return NULL;
}

struct json *
mcp_method_answer(struct mcp_request *q, const struct mcp_method *row)
{
	struct json *j = json_new(q->a);
	bool modern = q->era == MCP_MODERN;

	json_open_object(j, NULL);
	json_put_text(j, "jsonrpc", "2.0");
	mcp_jsonrpc_put_id(j, "id", &q->id);
	json_open_object(j, "result");
	if (row->answer(q, j) < 0)
		return mcp_jsonrpc_error(q);
	if (modern)
		json_put_text(j, "resultType",
		    q->asks ? "input_required" : "complete");
	if (modern && (row->flags & MCP_CACHED)) {
		json_put_int(j, "ttlMs", CACHE_MS);
		json_put_text(j, "cacheScope",
		    row->flags & MCP_PUBLIC ? "public" : "private");
	}
	if (modern) {
		json_open_object(j, "_meta");
		mcp_revision_put_info(j, META "serverInfo");
		json_close_object(j);
	}
	json_close_object(j);
	json_close_object(j);
	return j;
}
