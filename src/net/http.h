#ifndef NET_HTTP_H
#define NET_HTTP_H

/*
 * HTTP requests, libcurl's only place.  https only, and http to this machine
 * itself (127.0.0.0/8, ::1, localhost); certificates and names are verified as
 * wire.h does it.  No cookie is kept, no netrc, no compression, HTTP/1.1.
 * Proxies as for wire.h.  libcurl is set up at the first request, and all
 * memory it gives back is wiped, for tokens pass through it.
 */
#include <signal.h>

#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

struct http;

struct http_request {
	struct str url;
	struct str body; /* with a pointer: POST; borrowed, may hold secrets */
	struct str type; /* the body's Content-Type */
	/*
	 * At most one.  A redirect to another scheme, host or port leaves it
	 * behind.  basic: "user:password", RFC 7617; cookie: "name=value".
	 */
	const struct secret *bearer, *basic, *cookie;
	const char *cookie_name; /* of a cookie that is a value alone */
	struct str basic_user;   /* of a `basic` that is a password alone */
	unsigned redirects; /* how many a GET follows; a POST follows none */
	size_t max;         /* bytes of the answer's body */
	int64_t deadline_ms;
	const char *accept; /* NULL: application/json */
	/*
	 * Gets the body of an answer of success (2xx) as it comes, in place of
	 * http_reply.body; below 0 it wants no more, and the request fails.
	 */
	int (*take)(struct str part, void *ctx);
	void *ctx;
	/* Set by a signal's handler: the request is given up within a second.
	 * NULL: by none. */
	const volatile sig_atomic_t *stop;
};

struct http_reply {
	int status;
	struct str body; /* wiped with the next request or http_close() */
	struct str type; /* Content-Type, parameters and all; as long as body */
	int64_t retry_after_s; /* RFC 9110 section 10.2.3; 0: not told */
	struct str url;        /* where it came from at last; as long as body */
};

/* Is libcurl there?  ERR_CONFIG: it says what to install.  Asked before
 * http_url_ok(), which knows no address without it; once is enough. */
int http_need(struct err *e);
/* ca_file: PEM file of private CAs, in place of the system's; or empty. */
int http_open(struct str ca_file, struct http **out, struct err *e);
/* NULL-safe; sets *h to NULL. */
void http_close(struct http **h);
/*
 * Any status is an answer.  ERR_NETWORK when there was none, ERR_LIMIT when it
 * was too long, ERR_CONFIG for an address http_url_ok() refuses.
 */
int http_send(struct http *h, const struct http_request *q,
    struct http_reply *out, struct err *e);
/*
 * May it be asked?  An absolute address as above, with neither user name nor
 * fragment, at most LIMIT_URL bytes of visible ASCII.
 */
bool http_url_ok(struct str url);

#endif
