/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a request before it is known whose it is. */
#include "door/http/internal.h"

enum {
	TOKEN_HEAD = 6, /* "emcli_" */
	TOKEN_DIGITS = 64
};

bool
http_route_is_ours(struct str token)
{
	if (token.n != TOKEN_HEAD + TOKEN_DIGITS ||
	    !str_starts(token, S("emcli_")))
		return false;
	for (size_t i = TOKEN_HEAD; i < token.n; i++)
		if (str_hex(token.p[i]) < 0)
			return false;
	return true;
}

/* RFC 6750 section 2.1: b64token. */
static bool
http_route_is_token(struct str token)
{
	static const char alphabet[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	    "-._~+/";

	while (str_ends(token, S("=")))
		token = str_first(token, token.n - 1);
	for (size_t i = 0; i < token.n; i++)
		if (!str_has_char(str_of(alphabet), token.p[i]))
			return false;
	return token.n > 0;
}

struct str
http_route_token(const struct route_table *t, struct str authorization)
{
	static const struct str none = { 0 };
	struct str scheme, token;

	(void)str_cut(str_trim(authorization), ' ', &scheme, &token);
	token = str_trim(token);
	if (!str_eq_case(scheme, S("Bearer")) ||
	    !(http_route_is_ours(token) ||
		(t->challenge != NULL && http_route_is_token(token))))
		return none;
	return token;
}

/* A media type, with any parameters. */
static bool
http_route_is_type(const char *type, const char *want)
{
	struct str name, rest;

	(void)str_cut(str_of(type), ';', &name, &rest);
	return str_eq_case(str_trim(name), str_of(want));
}

/*
 * A client that forwards its own port to ours calls the server by that port.  A
 * page that points its own name here (DNS rebinding) still sends that name.
 */
static bool
http_route_is_forwarded(const struct http *h, struct str host)
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

/* A row for all paths below its own needs a name after it. */
static bool
http_route_is_path(const struct route *r, const char *path)
{
	struct str want = str_of(r->path), is = str_of(path);

	if (path == NULL)
		return false;
	return str_ends(want, S("/")) ? is.n > want.n && str_starts(is, want)
				      : str_eq(is, want);
}

struct str
http_route_rest(const struct route *r, const char *path)
{
	return str_from(str_of(path), strlen(r->path));
}

/* *path: some row has that path, for any method. */
static const struct route *
http_route_find(const struct http *h, const struct http_looks *x, bool *path)
{
	*path = false;
	for (const struct route *r = h->routes->row; r->path != NULL; r++) {
		if (!http_route_is_path(r, x->path))
			continue;
		*path = true;
		if (str_eq(x->method, str_of(r->method)))
			return r;
	}
	return NULL;
}

static struct str
http_route_denied(const struct http *h, const char *what, const char *option,
    struct arena *a)
{
	if (h->routes->command == NULL)
		return str_fmt(a, "this %s is not allowed", what);
	return str_fmt(a, "this %s is not allowed: see %s %s", what,
	    h->routes->command, option);
}

/* Pages of others do not get a 404 for an unknown path either. */
const struct route *
http_route(const struct http *h, const struct http_looks *x, struct arena *a,
    int *status, struct str *why)
{
	bool path;
	const struct route *r = http_route_find(h, x, &path);
	unsigned who = r != NULL ? r->who : ROUTE_HOST | ROUTE_ORIGIN;

	*status = 0;
	/* The kernel says who connects to a unix socket: no token is needed.
	 * Whoever gives one is who it says. */
	if (x->local)
		who &= ~(unsigned)(ROUTE_HOST | ROUTE_NEAR);
	if (x->local && (!h->anyone || x->authorization == NULL))
		who &= ~(unsigned)ROUTE_BEARER;
	if (x->local && !x->own) {
		*status = 403;
		*why = h->anyone ? S("the process that connected has ended")
				 : S("this socket is another user's");
	} else if ((who & ROUTE_HOST) &&
	    (x->host == NULL ||
		(!str_among_case(&h->hosts, str_of(x->host)) &&
		    !http_route_is_forwarded(h, str_of(x->host))))) {
		*status = 403;
		*why = http_route_denied(h, "Host", "--host", a);
	} else if ((who & ROUTE_ORIGIN) && x->origin != NULL &&
	    !str_among_case(&h->origins, str_of(x->origin))) {
		*status = 403;
		*why = http_route_denied(h, "Origin", "--origin", a);
	} else if (r == NULL) {
		*status = path ? 405 : 404;
		*why = str_of(path ? h->routes->no_method : h->routes->no_path);
	} else if ((who & ROUTE_NEAR) && h->far) {
		*status = 503;
		*why = str_of(h->routes->too_far);
	} else if ((who & ROUTE_BEARER) &&
	    http_route_token(h->routes, str_of(x->authorization)).n == 0) {
		*status = 401;
		*why = str_of(h->routes->no_token != NULL
			? h->routes->no_token
			: "a bearer token is needed: emcli agent add");
	} else if (r->type != NULL && !http_route_is_type(x->type, r->type)) {
		*status = 415;
		*why = str_fmt(a, "a message must be %s", r->type);
	}
	return *status == 0 ? r : NULL;
}

struct str
http_route_allow(const struct http *h, const char *path, struct arena *a)
{
	struct buf b;

	buf_init(&b, a, 1 << 10);
	for (const struct route *r = h->routes->row; r->path != NULL; r++) {
		if (!http_route_is_path(r, path))
			continue;
		buf_fmt(&b, "%s%s", b.n > 0 ? ", " : "", r->method);
	}
	return buf_view(&b);
}
