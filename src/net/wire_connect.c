/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connects to a host name.  All addresses are tried, each a quarter of a second
 * after the previous one or as soon as that failed, and the first that connects
 * is used (RFC 8305, without its sorting).
 *
 * getaddrinfo(3) blocks and cannot be cancelled without threads.  The
 * resolver's own options, set below, limit its time: a try lasts at most 3
 * seconds and there are at most 2 rounds, so with glibc's maximum of three name
 * servers one name takes at most 18 seconds.  IP literals and "localhost" need
 * no query.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <resolv.h>

#include "base/clock.h"
#include "net/internal.h"

#define STAGGER_MS 250

static const char check_name[] =
    "check the spelling of the host (emcli account edit --imap-host or "
    "--smtp-host) and this machine's name server";

bool
wire_connect_is_ip(const char *host)
{
	unsigned char raw[16];

	return inet_pton(AF_INET, host, raw) == 1 ||
	    inet_pton(AF_INET6, host, raw) == 1;
}

/* Letters, digits, "-", "." and "_", or an IPv6 literal: A-labels only. */
bool
wire_connect_is_host(struct str host)
{
	char text[WIRE_HOST] = "";

	if (host.n == 0 || host.n >= sizeof(text) || host.p[0] == '-' ||
	    host.p[0] == '.')
		return false;
	for (size_t i = 0; i < host.n; i++) {
		unsigned char c = (unsigned char)host.p[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!letter && !(c >= '0' && c <= '9') && c != '-' &&
		    c != '.' && c != '_' && c != ':')
			return false;
	}
	if (!str_has_char(host, ':'))
		return true;
	memcpy(text, host.p, host.n);
	return wire_connect_is_ip(text);
}

static void
wire_connect_add_addr(struct wire_addrs *out, const struct sockaddr *sa,
    socklen_t len)
{
	if (out->n == WIRE_ADDRS || len > sizeof(out->v[0]))
		return;
	memcpy(&out->v[out->n], sa, len);
	out->len[out->n++] = len;
}

/* RFC 6761 section 6.3: names of this machine are not looked up. */
static bool
wire_connect_is_localhost(const char *host)
{
	struct str h = str_of(host);

	return str_eq_case(h, S("localhost")) ||
	    str_ends_case(h, S(".localhost"));
}

static void
wire_connect_add_loopback(struct wire_addrs *out, uint16_t port)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
		.sin6_port = htons(port),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT };

	wire_connect_add_addr(out, (struct sockaddr *)&v4, sizeof(v4));
	wire_connect_add_addr(out, (struct sockaddr *)&v6, sizeof(v6));
}

/* glibc reads these for the lookups of this thread, resolv.conf(5). */
static void
wire_connect_bound_lookup(int64_t deadline_ms)
{
	int left_s = clock_left_ms(deadline_ms) / 1000;

	if (res_init() != 0)
		return;
	_res.retry = 2;
	_res.retrans = left_s < 6 ? 1 : 3;
}

int
wire_connect_resolve(const char *host, uint16_t port, int64_t deadline_ms,
    struct wire_addrs *out, struct err *e)
{
	struct addrinfo hint = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_NUMERICSERV };
	struct addrinfo *list = NULL;
	char service[8];
	int r;

	out->n = 0;
	if (wire_connect_is_localhost(host)) {
		wire_connect_add_loopback(out, port);
		return 0;
	}
	(void)snprintf(service, sizeof(service), "%u", (unsigned)port);
	if (wire_connect_is_ip(host)) {
		hint.ai_flags |= AI_NUMERICHOST;
	} else {
		hint.ai_flags |= AI_ADDRCONFIG;
		wire_connect_bound_lookup(deadline_ms);
	}
	r = getaddrinfo(host, service, &hint, &list);
	if (r != 0) {
		(void)wire_fail(NULL, e, "dns",
		    r == EAI_AGAIN ? "the host name cannot be looked up now"
				   : "host not found");
		(void)err_hint(e, check_name);
		return err_because(e, "%s: %s", host, gai_strerror(r));
	}
	for (const struct addrinfo *i = list; i != NULL; i = i->ai_next)
		wire_connect_add_addr(out, i->ai_addr, i->ai_addrlen);
	freeaddrinfo(list);
	if (out->n == 0) {
		(void)wire_fail(NULL, e, "dns", "host not found");
		return err_hint(e, check_name);
	}
	return 0;
}

static int
wire_connect_begin(const struct sockaddr_storage *to, socklen_t len)
{
	int on = 1;
	int fd = socket(to->ss_family,
	    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);

	if (fd < 0)
		return -1;
	/* Writes are already whole commands; Nagle only delays them. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (connect(fd, (const struct sockaddr *)to, len) == 0 ||
	    errno == EINPROGRESS)
		return fd;
	on = errno;
	(void)close(fd);
	errno = on;
	return -1;
}

/* A refusal is more useful than "no route", which an unused family gives. */
static void
wire_connect_note(int *why, int error)
{
	if (*why == 0 ||
	    (error != ENETUNREACH && error != EADDRNOTAVAIL &&
		error != EAFNOSUPPORT))
		*why = error;
}

/* The first of these that is connected, or -1. */
static int
wire_connect_settle(struct pollfd *p, size_t n, size_t *live, int *why)
{
	for (size_t i = 0; i < n; i++) {
		int error = 0;
		socklen_t len = sizeof(error);

		if (p[i].fd < 0 || p[i].revents == 0)
			continue;
		if (getsockopt(p[i].fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
			error = errno;
		if (error == 0) {
			int fd = p[i].fd;

			p[i].fd = -1;
			return fd;
		}
		wire_connect_note(why, error);
		(void)close(p[i].fd);
		p[i].fd = -1;
		(*live)--;
	}
	return -1;
}

static int
wire_connect_race(const struct wire_addrs *to, int64_t deadline_ms, int *why)
{
	struct pollfd p[WIRE_ADDRS];
	size_t n = 0, live = 0;
	int64_t next = 0;
	int fd = -1;

	while (fd < 0) {
		int64_t now = clock_mono_ms();
		int64_t wait = deadline_ms - now;

		if (wait <= 0) {
			*why = ETIMEDOUT;
			break;
		}
		if (n < to->n && (live == 0 || now >= next)) {
			p[n] = (struct pollfd){ .events = POLLOUT };
			p[n].fd = wire_connect_begin(&to->v[n], to->len[n]);
			if (p[n].fd < 0)
				wire_connect_note(why, errno);
			else
				live++;
			n++;
			next = now + STAGGER_MS;
			continue;
		}
		if (live == 0)
			break;
		if (n < to->n && next - now < wait)
			wait = next - now;
		if (wait > INT32_MAX)
			wait = INT32_MAX;
		if (poll(p, n, (int)wait) > 0)
			fd = wire_connect_settle(p, n, &live, why);
	}
	for (size_t i = 0; i < n; i++)
		if (p[i].fd >= 0)
			(void)close(p[i].fd);
	return fd;
}

int
wire_connect(const char *host, uint16_t port, int64_t deadline_ms, int *fd,
    struct err *e)
{
	struct wire_addrs to;
	const char *say;
	int why = 0, got;

	if (wire_connect_resolve(host, port, deadline_ms, &to, e) < 0)
		return -1;
	got = wire_connect_race(&to, deadline_ms, &why);
	if (got >= 0) {
		*fd = got;
		return 0;
	}
	if (why == ECONNREFUSED)
		say = "connection refused";
	else if (why == ETIMEDOUT)
		say = "the server did not answer in time";
	else
		say = "the server cannot be reached";
	(void)wire_fail(NULL, e, "tcp", say);
	(void)err_hint(e,
	    "check host and port (emcli account edit), that the server runs, "
	    "and that no firewall blocks it");
	errno = why;
	(void)err_because(e, "%s port %u", host, (unsigned)port);
	errno = why;
	return err_errno(e, "connect");
}
