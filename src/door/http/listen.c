/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where to listen, and under which names.  Pages of others must not reach the
 * server by a name that they made up (DNS rebinding) or from their own origin.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "door/http/internal.h"

enum {
	BACKLOG = 512
};

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* HOST:PORT or [HOST]:PORT, numeric, or localhost. */
static int
http_listen_parse(struct str text, struct arena *a, union address *out,
    socklen_t *n, struct str *host, struct err *e)
{
	struct addrinfo want = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM };
	struct addrinfo *got = NULL;
	size_t colon = text.n;
	uint32_t port;

	while (colon > 0 && text.p[colon - 1] != ':')
		colon--;
	if (colon < 2 || !str_to_u32(str_from(text, colon), 65535, &port))
		return err_set(e, ERR_USAGE,
		    "--http takes an address and a port, such as "
		    "127.0.0.1:8722");
	*host = str_first(text, colon - 1);
	if (str_eq_case(*host, S("localhost")))
		*host = S("127.0.0.1");
	if (str_starts(*host, S("[")) && str_ends(*host, S("]")))
		*host = (struct str){ host->p + 1, host->n - 2 };
	if (getaddrinfo(str_c(a, *host), str_c(a, str_from(text, colon)), &want,
		&got) != 0 ||
	    got->ai_addrlen > sizeof(*out)) {
		if (got != NULL)
			freeaddrinfo(got);
		return err_set(e, ERR_USAGE,
		    "--http takes a numeric address, or localhost");
	}
	memcpy(out, got->ai_addr, got->ai_addrlen);
	*n = got->ai_addrlen;
	freeaddrinfo(got);
	return 0;
}

static bool
http_listen_is_loopback(const union address *at)
{
	if (at->any.sa_family == AF_INET)
		return (ntohl(at->v4.sin_addr.s_addr) >> 24) == 127;
	return IN6_IS_ADDR_LOOPBACK(&at->v6.sin6_addr);
}

static int
http_listen_open_socket(union address *at, socklen_t n, int *fd, uint16_t *port,
    struct err *e)
{
	int one = 1;

	*fd = socket(at->any.sa_family,
	    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0 ||
	    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) < 0 ||
	    bind(*fd, &at->any, n) < 0 || listen(*fd, BACKLOG) < 0 ||
	    getsockname(*fd, &at->any, &n) < 0) {
		(void)err_set(e, ERR_CONFIG, "cannot listen there: %s",
		    strerror(errno));
		if (*fd >= 0)
			(void)close(*fd);
		return -1;
	}
	*port = ntohs(
	    at->any.sa_family == AF_INET ? at->v4.sin_port : at->v6.sin6_port);
	return 0;
}

/* A name, and the origin of pages loaded from it. */
static void
http_listen_allow(struct http *h, struct arena *a, struct str name,
    uint16_t port)
{
	bool bare = !str_has_char(name, ':') || str_ends(name, S("]"));
	struct str with =
	    bare ? str_fmt(a, "%.*s:%u", STR_ARG(name), port) : name;

	str_push(a, &h->hosts, with);
	str_push(a, &h->origins, str_fmt(a, "http://%.*s", STR_ARG(with)));
	/* Clients omit the default port of their scheme. */
	if (bare && port == 80) {
		str_push(a, &h->hosts, name);
		str_push(a, &h->origins,
		    str_fmt(a, "http://%.*s", STR_ARG(name)));
	}
}

/* Under the names of loopback, and for no page. */
int
http_listen_near(struct http *h, uint32_t port, bool any, struct arena *a,
    struct err *e)
{
	union address at = { .v4 = { .sin_family = AF_INET,
				 .sin_addr = { htonl(INADDR_LOOPBACK) } } };
	struct err why = { 0 };
	uint16_t got;

	at.v4.sin_port = htons((uint16_t)port);
	if (http_listen_open_socket(&at, sizeof(at.v4), &h->fd, &got, &why) <
	    0) {
		at.v4.sin_port = 0;
		if (!any || port == 0 ||
		    http_listen_open_socket(&at, sizeof(at.v4), &h->fd, &got,
			e) < 0) {
			*e = why;
			return -1;
		}
	}
	h->near = true;
	h->port = got;
	h->shown = str_fmt(a, "127.0.0.1:%u", got);
	str_push(a, &h->hosts, h->shown);
	return 0;
}

/* An address as the operator wrote it. */
struct listen_at {
	union address at;
	socklen_t n;
	struct str host;
	uint16_t port; /* once it listens */
};

static int
http_listen_read(struct http *h, struct str text, struct arena *a,
    struct listen_at *out, struct err *e)
{
	*out = (struct listen_at){ 0 };
	if (http_listen_parse(text, a, &out->at, &out->n, &out->host, e) < 0)
		return -1;
	h->near = http_listen_is_loopback(&out->at);
	return 0;
}

/* Loopback has all its names. */
static int
http_listen_open(struct http *h, struct listen_at *x, struct arena *a,
    struct err *e)
{
	if (http_listen_open_socket(&x->at, x->n, &h->fd, &x->port, e) < 0)
		return -1;
	h->port = x->port;
	h->shown = x->at.any.sa_family == AF_INET6
	    ? str_fmt(a, "[%.*s]:%u", STR_ARG(x->host), x->port)
	    : str_fmt(a, "%.*s:%u", STR_ARG(x->host), x->port);
	if (!h->near)
		return 0;
	http_listen_allow(h, a, h->shown, x->port);
	http_listen_allow(h, a, S("localhost"), x->port);
	http_listen_allow(h, a, S("127.0.0.1"), x->port);
	http_listen_allow(h, a, S("[::1]"), x->port);
	return 0;
}

int
http_listen_loopback(struct http *h, struct str where, struct arena *a,
    struct err *e)
{
	struct listen_at x;

	if (http_listen_read(h, where, a, &x, e) < 0)
		return -1;
	if (!h->near)
		return err_set(e, ERR_USAGE,
		    "others can reach that address: --http takes a loopback "
		    "one, such as 127.0.0.1:8723");
	return http_listen_open(h, &x, a, e);
}

int
http_listen(struct http *h, const struct args *args, struct arena *a,
    struct err *e)
{
	const struct strs *names = args_list(args, "host");
	const struct strs *pages = args_list(args, "origin");
	struct listen_at x;

	if (http_listen_read(h, args_text(args, "http"), a, &x, e) < 0)
		return -1;
	if (!h->near && !args_has(args, "public"))
		return err_set(e, ERR_USAGE,
		    "others can reach that address, and tokens would be sent "
		    "in the clear: put a TLS proxy before a loopback address, "
		    "or give --public");
	if (!h->near && names->n == 0)
		return err_set(e, ERR_USAGE,
		    "--public needs --host, the name that clients use");
	if (http_listen_open(h, &x, a, e) < 0)
		return -1;
	for (size_t i = 0; i < names->n; i++) {
		http_listen_allow(h, a, names->v[i], x.port);
		str_push(a, &h->hosts, names->v[i]);
	}
	for (size_t i = 0; i < pages->n; i++)
		str_push(a, &h->origins, pages->v[i]);
	return 0;
}
