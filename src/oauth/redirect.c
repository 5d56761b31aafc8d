/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The redirect address, RFC 8252 section 7.3: this machine, by http.  A client
 * that was registered with a port and a path uses exactly these.
 */
#include "oauth/internal.h"

enum {
	PATH_MAX_BYTES = 200
};

static bool
oauth_redirect_is_path(struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		unsigned char c = (unsigned char)path.p[i];

		if (c <= ' ' || c >= 0x7f || c == '?' || c == '#' || c == '"' ||
		    c == '<' || c == '>' || c == '\\')
			return false;
	}
	return path.n <= PATH_MAX_BYTES && (path.n == 0 || path.p[0] == '/');
}

int
oauth_redirect_read(struct str url, struct oauth_redirect *out, struct err *e)
{
	struct oauth_redirect x = { .port = 0 };
	struct str rest, port;
	bool good = str_starts(url, S("http://"));
	uint32_t n = 0;
	size_t at = 0;

	rest = good ? str_from(url, 7) : S("");
	while (at < rest.n && rest.p[at] != '/')
		at++;
	x.path = str_from(rest, at);
	rest = str_first(rest, at);
	if (str_cut(rest, ':', &x.host, &port)) {
		good = good && str_to_u32(port, UINT16_MAX, &n) && n > 0;
		x.port = (uint16_t)n;
	}
	good = good && oauth_redirect_is_path(x.path) &&
	    (str_eq(x.host, S("127.0.0.1")) || str_eq(x.host, S("localhost")));
	if (!good)
		return err_set(e, ERR_USAGE,
		    "give --redirect as http://127.0.0.1:PORT/PATH or "
		    "http://localhost:PORT/PATH");
	*out = x;
	return 0;
}

struct str
oauth_redirect_uri(struct arena *a, const struct oauth_redirect *r,
    uint16_t port)
{
	return str_fmt(a, "http://%.*s:%u%.*s", STR_ARG(r->host),
	    (unsigned)port, STR_ARG(r->path));
}
