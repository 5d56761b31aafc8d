/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens over HTTP: emcli's own, and those of an identity provider. */
#include "door/mcp/bearer.h"

#include "base/limits.h"

#define WELL_KNOWN "/.well-known/oauth-protected-resource"

/* "https://host:port" and the path after it, which may be empty. */
static void
mcp_bearer_split(struct str url, struct str *origin, struct str *path)
{
	ptrdiff_t at = str_find(url, S("://"));
	size_t n = at < 0 ? 0 : (size_t)at + 3;

	while (n < url.n && url.p[n] != '/')
		n++;
	*origin = str_first(url, n);
	*path = str_from(url, n);
	if (str_eq(*path, S("/")))
		*path = S("");
}

struct str
mcp_bearer_url(struct arena *a, struct str resource)
{
	struct str origin, path;

	mcp_bearer_split(resource, &origin, &path);
	return str_fmt(a, "%.*s" WELL_KNOWN "%.*s", STR_ARG(origin),
	    STR_ARG(path));
}

struct json *
mcp_bearer_document(struct arena *a, const struct gate_bearer_resource *x)
{
	struct json *j = json_new(a);

	json_open_object(j, NULL);
	json_put_str(j, "resource", x->resource);
	json_open_array(j, "authorization_servers");
	json_put_str(j, NULL, x->issuer);
	json_close_array(j);
	if (x->scope.n > 0)
		json_put_words(j, "scopes_supported", x->scope);
	json_open_array(j, "bearer_methods_supported");
	json_put_text(j, NULL, "header");
	json_close_array(j);
	json_put_text(j, "resource_name", "emcli");
	json_close_object(j);
	return j;
}

struct str
mcp_bearer_challenge(struct arena *a, const struct gate_bearer_resource *x,
    const char *error)
{
	struct str text =
	    str_fmt(a, "Bearer realm=\"emcli\", resource_metadata=\"%.*s\"",
		STR_ARG(mcp_bearer_url(a, x->resource)));

	if (error != NULL)
		text = str_fmt(a, "%.*s, error=\"%s\"", STR_ARG(text), error);
	if (x->scope.n > 0)
		text = str_fmt(a, "%.*s, scope=\"%.*s\"", STR_ARG(text),
		    STR_ARG(x->scope));
	return text;
}

int
mcp_bearer_begin(const struct mcp *m, struct arena *a, const char **out,
    struct err *e)
{
	CLEANUP(gate_close) struct gate *g = NULL;
	struct gate_bearer_resource x;
	int r;

	*out = NULL;
	if (m->broken != NULL) {
		*e = *m->broken;
		return -1;
	}
	if (gate_open(m->env, &g, e) < 0)
		return -1;
	r = gate_bearer_resource(g, a, &x, e);
	if (r == 1)
		*out = str_c(a, mcp_bearer_challenge(a, &x, NULL));
	return r < 0 ? -1 : 0;
}

/* -- a token --------------------------------------------------------------- */

/*
 * MCP, "Error Handling": 401 for a token that is not valid, 403 for one that
 * opens too little.  RFC 6750 has no code for the token of a person who is no
 * agent: with one, clients would fetch another token, which is no better.
 */
static const struct {
	int status;
	const char *error;
} refusals[] = {
	[GATE_BEARER_INVALID] = { 401, "invalid_token" },
	[GATE_BEARER_SCOPE] = { 403, "insufficient_scope" },
	[GATE_BEARER_NOBODY] = { 403, NULL },
};

static int
mcp_bearer_refuse(struct gate *g, struct arena *a, enum gate_bearer_is is,
    struct err *e)
{
	struct gate_bearer_resource x;
	int r = gate_bearer_resource(g, a, &x, e);

	if (r < 0)
		return -1;
	if (r == 1)
		child_line(CHILD_HEAD,
		    str_fmt(a, "WWW-Authenticate: %.*s",
			STR_ARG(
			    mcp_bearer_challenge(a, &x, refusals[is].error))));
	return refusals[is].status;
}

/*
 * Its issuer may take long to say who it is.  As long as nothing has begun, its
 * server may end this for a client that has left.
 */
static int
mcp_bearer_find(struct gate *g, struct arena *a, struct str token,
    enum gate_bearer_is *is, struct gate_agent *out, struct str *why,
    struct err *e)
{
	int r;

	child_may_end(false);
	r = gate_bearer_find(g, a, token, is, out, why, e);
	child_may_not_end();
	return r;
}

int
mcp_bearer_know(struct gate *g, struct arena *a, struct str token,
    struct gate_agent *out, struct str *why, struct err *e)
{
	enum gate_bearer_is is = GATE_BEARER_INVALID;
	int r;

	/* No issuer's: they have a dot, or look otherwise. */
	if (str_starts(token, S("emcli_"))) {
		r = gate_agent_find(g, a, token, out, e);
		if (r < 0)
			return -1;
		if (r == 1)
			is = GATE_BEARER_AGENT;
		*why = S("the token belongs to no agent: it is wrong or was "
			 "removed");
	} else if (mcp_bearer_find(g, a, token, &is, out, why, e) < 0) {
		return -1;
	} else if (is == GATE_BEARER_AGENT) {
		child_line(CHILD_MET, S(""));
	}
	return is == GATE_BEARER_AGENT ? 0 : mcp_bearer_refuse(g, a, is, e);
}

/* -- the document ---------------------------------------------------------- */

bool
mcp_bearer_brief(struct str body)
{
	(void)body;
	return true;
}

/* At the resource's own place (section 3.1), and at the root. */
static bool
mcp_bearer_is_place(const struct gate_bearer_resource *x, struct str rest)
{
	struct str origin, path;

	mcp_bearer_split(x->resource, &origin, &path);
	return rest.n == 0 || str_eq(rest, str_from(path, path.n > 0));
}

void
mcp_bearer_answer(const struct route_request *r)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(gate_close) struct gate *g = NULL;
	const struct mcp *m = r->arg;
	struct mcp_request q = { .a = a };
	struct gate_bearer_resource x = { 0 };
	struct err e = { 0 };
	int is = gate_open(m->env, &g, &e) < 0
	    ? -1
	    : gate_bearer_resource(g, a, &x, &e);

	if (is == 1 && mcp_bearer_is_place(&x, r->rest)) {
		child_line(CHILD_STATUS, S("200"));
		child_say(CHILD_ANSWER, mcp_bearer_document(a, &x));
		return;
	}
	(void)mcp_jsonrpc_fault(&q, is < 0 ? MCP_BROKEN : MCP_NO_REQUEST, "%s",
	    is < 0 ? e.say : "there is no such document");
	child_line(CHILD_STATUS, is < 0 ? S("503") : S("404"));
	child_say(CHILD_ANSWER, mcp_jsonrpc_error(&q));
}
