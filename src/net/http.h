/* SPDX-License-Identifier: Apache-2.0 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

/*
 * HTTP requests; the only code that uses libcurl.  Only https, and http to this
 * machine itself (127.0.0.0/8, ::1, localhost); certificates and names are
 * verified as in wire.h. No cookie jar, no netrc, no compression, HTTP/1.1.
 * Proxies as in wire.h. libcurl is set up at the first request, and all its
 * memory is wiped when freed, because tokens pass through it.
 */
#include <signal.h>

#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

struct http;

struct http_request {
	struct str url;
	struct str body; /* if its pointer is set: POST; borrowed, may contain
			    secrets */
	const char *method; /* NULL: GET, or POST with a body; then no redirect
			       is followed */
	struct str type;    /* the body's Content-Type */
	/*
	 * At most one.  A redirect to another scheme, host or port drops it.
	 * basic: "user:password", RFC 7617; cookie: "name=value".
	 */
	const struct secret *bearer, *basic, *cookie;
	const char *cookie_name; /* name for a cookie that is only a value */
	struct str basic_user; /* user for a `basic` that is only a password */
	unsigned redirects;    /* how many a GET follows; a POST follows none */
	size_t max;            /* bytes of the answer's body */
	int64_t deadline_ms;
	const char *accept; /* NULL: application/json */
	/* The path of a unix socket to use whatever host the address names, at
	 * most 107 bytes; or NULL. */
	const char *socket;
	/*
	 * Receives the body of a successful answer (2xx) as it arrives, instead
	 * of http_reply.body; below 0 stops, and the request fails.
	 */
	int (*take)(struct str part, void *ctx);
	/*
	 * With `take`: called before its body when the head of such an answer
	 * has come, with its Content-Type; below 0 stops.  NULL: not called.
	 */
	int (*begun)(int status, struct str type, void *ctx);
	/*
	 * Called about once a second, or more often, until the request ends;
	 * below 0 stops.  NULL: not called.
	 */
	int (*tick)(void *ctx);
	void *ctx; /* of these three */
	/*
	 * Set by a signal handler: cancels the request within a second.  NULL:
	 * not used.
	 */
	const volatile sig_atomic_t *stop;
};

struct http_reply {
	int status;
	struct str body; /* wiped with the next request or http_close() */
	struct str type; /* Content-Type with parameters; as long as body */
	int64_t retry_after_s; /* RFC 9110 section 10.2.3; 0: none */
	struct str url;        /* the final address; as long as body */
};

/*
 * Is libcurl available?  ERR_CONFIG: says what to install.  Call it before
 * http_url_ok(), which accepts no address without it; repeated calls do
 * nothing.
 */
int http_need(struct err *e);
/* ca_file: PEM file of private CAs instead of the system's; or empty. */
int http_open(struct str ca_file, struct http **out, struct err *e);
/* NULL-safe; sets *h to NULL. */
void http_close(struct http **h);
/*
 * Any status is an answer.  ERR_NETWORK if there was none, ERR_LIMIT if it was
 * too long, ERR_CONFIG for an address that http_url_ok() refuses.
 */
int http_send(struct http *h, const struct http_request *q,
    struct http_reply *out, struct err *e);
/*
 * May requests go there?  An absolute address as above, with neither user name
 * nor fragment, at most LIMIT_URL bytes of visible ASCII.
 */
bool http_url_ok(struct str url);

#endif
