/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proxies: SOCKS 5 (RFC 1928, RFC 1929) and HTTP CONNECT (RFC 9110 section
 * 9.3.6).  The proxy is the operator's, but its answers have the same caps as
 * any server's.  An invalid proxy setting is an error: connecting directly
 * would reveal more to the network than the operator wants.
 */
#include <arpa/inet.h>
#include <netinet/in.h>

#include "base/base64.h"
#include "net/internal.h"

#define HEAD_LINES 100
#define HEAD_LINE 8192

/* "host", "host:port", "[v6]:port" */
static bool
wire_proxy_parse_place(struct str in, uint16_t port, struct wire_proxy *out)
{
	struct str host = in, rest = { 0 };
	uint32_t n = port;

	if (str_starts(in, S("["))) {
		if (!str_cut(str_from(in, 1), ']', &host, &rest))
			return false;
		if (rest.n > 0 && rest.p[0] != ':')
			return false;
		rest = str_from(rest, 1);
	} else {
		(void)str_cut(in, ':', &host, &rest);
	}
	if (rest.n > 0 && (!str_to_u32(rest, 65535, &n) || n == 0))
		return false;
	if (!wire_connect_is_host(host))
		return false;
	memcpy(out->host, host.p, host.n);
	out->host[host.n] = '\0';
	out->port = (uint16_t)n;
	return true;
}

bool
wire_proxy_parse(struct str url, struct wire_proxy *out)
{
	static const struct {
		struct str scheme;
		enum wire_proxy_kind kind;
		uint16_t port;
	} kinds[] = {
		{ SI("socks5h://"), WIRE_PROXY_SOCKS5H, 1080 },
		{ SI("socks5://"), WIRE_PROXY_SOCKS5, 1080 },
		{ SI("http://"), WIRE_PROXY_HTTP, 80 },
	};
	struct str rest = { 0 }, login, user, pass;
	uint16_t port = 0;
	ptrdiff_t at = -1;

	*out = (struct wire_proxy){ 0 };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_starts_case(url, kinds[i].scheme)) {
			out->kind = kinds[i].kind;
			port = kinds[i].port;
			rest = str_from(url, kinds[i].scheme.n);
			break;
		}
	if (out->kind == WIRE_PROXY_NONE)
		return false;
	(void)str_cut(rest, '/', &rest, &login);
	/* The last "@" ends the login: a password may contain one. */
	for (size_t i = 0; i < rest.n; i++)
		if (rest.p[i] == '@')
			at = (ptrdiff_t)i;
	if (at >= 0) {
		login = str_first(rest, (size_t)at);
		rest = str_from(rest, (size_t)at + 1);
		(void)str_cut(login, ':', &user, &pass);
		if (str_hex_plain(out->user, sizeof(out->user), user, false) <
			0 ||
		    str_hex_plain(out->pass, sizeof(out->pass), pass, false) <
			0)
			return false;
	}
	return wire_proxy_parse_place(rest, port, out);
}

bool
wire_proxy_skips(struct str no_proxy, struct str host)
{
	struct str item;

	while (no_proxy.n > 0) {
		(void)str_cut(no_proxy, ',', &item, &no_proxy);
		item = str_trim(item);
		if (str_eq(item, S("*")))
			return true;
		if (str_starts(item, S("*.")))
			item = str_from(item, 1);
		if (item.n == 0)
			continue;
		if (str_eq_case(item, host))
			return true;
		/* "example.com" also means its sub-domains. */
		if (item.p[0] == '.') {
			if (str_ends_case(host, item) ||
			    str_eq_case(host, str_from(item, 1)))
				return true;
		} else if (host.n > item.n && str_ends_case(host, item) &&
		    host.p[host.n - item.n - 1] == '.') {
			return true;
		}
	}
	return false;
}

/*
 * This machine is never reached through a proxy, whatever the environment says.
 */
static bool
wire_proxy_is_loopback(struct str host)
{
	struct in_addr v4;
	char text[WIRE_HOST] = "";

	memcpy(text, host.p, host.n);
	if (inet_pton(AF_INET, text, &v4) == 1)
		return ntohl(v4.s_addr) >> 24 == 127;
	return str_eq_case(host, S("localhost")) ||
	    str_ends_case(host, S(".localhost")) || str_eq(host, S("::1"));
}

static struct str
wire_proxy_setting(const char *upper, const char *lower)
{
	const char *c = getenv(lower);

	if (c == NULL || c[0] == '\0')
		c = getenv(upper);
	return str_of(c);
}

int
wire_proxy_find(const char *host, struct wire_proxy *out, struct err *e)
{
	struct str url = wire_proxy_setting("ALL_PROXY", "all_proxy");

	*out = (struct wire_proxy){ 0 };
	if (url.n == 0)
		url = wire_proxy_setting("HTTPS_PROXY", "https_proxy");
	if (url.n == 0 || wire_proxy_is_loopback(str_of(host)) ||
	    wire_proxy_skips(wire_proxy_setting("NO_PROXY", "no_proxy"),
		str_of(host)))
		return 0;
	if (wire_proxy_parse(url, out))
		return 0;
	secret_wipe(out, sizeof(*out));
	return err_set(e, ERR_CONFIG,
	    "the proxy setting is not a socks5, socks5h or http address");
}

static int
wire_proxy_refuse(struct wire *w, struct err *e, const char *why)
{
	(void)wire_fail(w, e, "proxy", "the proxy refused the connection");
	return err_because(e, "%s", why);
}

/* RFC 1929. */
static int
wire_proxy_socks_login(struct wire *w, const struct wire_proxy *p,
    struct err *e)
{
	size_t user = strlen(p->user), pass = strlen(p->pass);
	unsigned char ask[3 + 255 + 255], answer[2];
	int r;

	ask[0] = 1;
	ask[1] = (unsigned char)user;
	memcpy(ask + 2, p->user, user);
	ask[2 + user] = (unsigned char)pass;
	memcpy(ask + 3 + user, p->pass, pass);
	r = wire_put(w, (struct str){ (char *)ask, 3 + user + pass }, e);
	secret_wipe(ask, sizeof(ask));
	if (r < 0 || wire_bytes(w, answer, 2, e) < 0)
		return -1;
	return answer[1] == 0
	    ? 0
	    : wire_proxy_refuse(w, e, "socks: wrong user name or password");
}

static int
wire_proxy_socks_greet(struct wire *w, const struct wire_proxy *p,
    struct err *e)
{
	bool login = p->user[0] != '\0';
	unsigned char answer[2];

	if (wire_put(w, login ? S("\5\2\0\2") : S("\5\1\0"), e) < 0 ||
	    wire_bytes(w, answer, 2, e) < 0)
		return -1;
	if (answer[0] != 5)
		return wire_proxy_refuse(w, e, "socks: not version 5");
	if (answer[1] == 0)
		return 0;
	if (answer[1] == 2 && login)
		return wire_proxy_socks_login(w, p, e);
	return wire_proxy_refuse(w, e,
	    "socks: the proxy accepts no login method of emcli's");
}

/* DST.ADDR of RFC 1928 section 5; returns its length. */
static size_t
wire_proxy_socks_addr(const struct wire_addrs *to, struct str name,
    unsigned char *out)
{
	const struct sockaddr_storage *sa = &to->v[0];

	if (to->n == 0) {
		out[0] = 3;
		out[1] = (unsigned char)name.n;
		memcpy(out + 2, name.p, name.n);
		return 2 + name.n;
	}
	if (sa->ss_family == AF_INET) {
		out[0] = 1;
		memcpy(out + 1, &((const struct sockaddr_in *)sa)->sin_addr, 4);
		return 5;
	}
	out[0] = 4;
	memcpy(out + 1, &((const struct sockaddr_in6 *)sa)->sin6_addr, 16);
	return 17;
}

static int
wire_proxy_socks_ask(struct wire *w, const struct wire_proxy *p,
    const char *host, uint16_t port, struct err *e)
{
	unsigned char ask[4 + 256 + 2] = { 5, 1, 0 }, answer[256 + 2];
	struct wire_addrs to = { .n = 0 };
	char why[32];
	size_t n;

	if ((p->kind == WIRE_PROXY_SOCKS5 || wire_connect_is_ip(host)) &&
	    wire_connect_resolve(host, port, w->deadline_ms, &to, e) < 0)
		return -1;
	if (wire_proxy_socks_greet(w, p, e) < 0)
		return -1;
	n = 3 + wire_proxy_socks_addr(&to, str_of(host), ask + 3);
	ask[n++] = (unsigned char)(port >> 8);
	ask[n++] = (unsigned char)port;
	if (wire_put(w, (struct str){ (char *)ask, n }, e) < 0 ||
	    wire_bytes(w, answer, 5, e) < 0)
		return -1;
	if (answer[0] != 5 || answer[1] != 0) {
		(void)snprintf(why, sizeof(why), "socks: reply %u", answer[1]);
		return wire_proxy_refuse(w, e, why);
	}
	/* BND.ADDR and BND.PORT are ignored; 1 byte of them was read. */
	if (answer[3] == 1)
		n = 4 - 1 + 2;
	else if (answer[3] == 4)
		n = 16 - 1 + 2;
	else if (answer[3] == 3)
		n = (size_t)answer[4] + 2;
	else
		return wire_proxy_refuse(w, e, "socks: unknown address type");
	return wire_bytes(w, answer, n, e);
}

static int
wire_proxy_put_basic(struct wire *w, const struct wire_proxy *p, struct err *e)
{
	char raw[sizeof(p->user) + sizeof(p->pass)], text[sizeof(raw) * 2];
	int n = snprintf(raw, sizeof(raw), "%s:%s", p->user, p->pass);
	size_t k = base64_encode(text, raw, (size_t)n);
	int r;

	r = wire_put(w, S("Proxy-Authorization: Basic "), e);
	if (r == 0)
		r = wire_put(w, (struct str){ text, k }, e);
	if (r == 0)
		r = wire_put(w, S("\r\n"), e);
	secret_wipe(raw, sizeof(raw));
	secret_wipe(text, sizeof(text));
	return r;
}

static int
wire_proxy_http_ask(struct wire *w, const struct wire_proxy *p,
    const char *host, uint16_t port, struct err *e)
{
	bool v6 = strchr(host, ':') != NULL;
	char place[WIRE_HOST + 16];
	struct str line, code;
	uint32_t status;
	char why[64];

	(void)snprintf(place, sizeof(place), "%s%s%s:%u", v6 ? "[" : "", host,
	    v6 ? "]" : "", (unsigned)port);
	if (wire_say_fmt(w, e, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n", place,
		place) < 0 ||
	    (p->user[0] != '\0' && wire_proxy_put_basic(w, p, e) < 0) ||
	    wire_put(w, S("\r\n"), e) < 0 ||
	    wire_line(w, HEAD_LINE, &line, e) < 0)
		return -1;
	if (!str_starts(line, S("HTTP/1.")) || line.n < 12)
		return wire_proxy_refuse(w, e, "http: not an HTTP answer");
	code = str_first(str_from(line, 9), 3);
	if (line.p[8] != ' ' || code.p[0] != '2') {
		(void)snprintf(why, sizeof(why), "http: status %u",
		    str_to_u32(code, 999, &status) ? status : 0);
		return wire_proxy_refuse(w, e, why);
	}
	for (int i = 0; i < HEAD_LINES; i++) {
		if (wire_line(w, HEAD_LINE, &line, e) < 0)
			return -1;
		if (line.n == 0)
			return 0;
	}
	return wire_proxy_refuse(w, e, "http: too many header lines");
}

int
wire_proxy_ask(struct wire *w, const struct wire_proxy *p, const char *host,
    uint16_t port, struct err *e)
{
	if (p->kind == WIRE_PROXY_HTTP)
		return wire_proxy_http_ask(w, p, host, port, e);
	return wire_proxy_socks_ask(w, p, host, port, e);
}
