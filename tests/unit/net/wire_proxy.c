/* SPDX-License-Identifier: Apache-2.0 */
/* Proxy settings as people write them, and what is sent to a proxy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/internal.h"

static const struct {
	const char *url;
	enum wire_proxy_kind kind;
	const char *host, *user, *pass;
	uint16_t port;
} urls[] = {
	{ "socks5h://p.example:9050", WIRE_PROXY_SOCKS5H, "p.example", "", "",
	    9050 },
	{ "SOCKS5://p.example", WIRE_PROXY_SOCKS5, "p.example", "", "", 1080 },
	{ "http://u:p%40w@p.example:3128/", WIRE_PROXY_HTTP, "p.example", "u",
	    "p@w", 3128 },
	{ "http://u:p@w@p.example", WIRE_PROXY_HTTP, "p.example", "u", "p@w",
	    80 },
	{ "socks5h://[::1]:1080", WIRE_PROXY_SOCKS5H, "::1", "", "", 1080 },
	{ "https://p.example", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "socks4://p.example", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "p.example:3128", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://p.example:99999", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://p.example:0", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://p%zz:@p.example", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://u%00:p@p.example", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://[::1", WIRE_PROXY_NONE, "", "", "", 0 },
	{ "http://a\r\nb:80", WIRE_PROXY_NONE, "", "", "", 0 },
};

static void
parse(void **state)
{
	struct wire_proxy p;

	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		bool good = wire_proxy_parse(str_of(urls[i].url), &p);

		assert_int_equal(good, urls[i].kind != WIRE_PROXY_NONE);
		if (!good)
			continue;
		assert_int_equal(p.kind, urls[i].kind);
		assert_string_equal(p.host, urls[i].host);
		assert_string_equal(p.user, urls[i].user);
		assert_string_equal(p.pass, urls[i].pass);
		assert_int_equal(p.port, urls[i].port);
	}
}

static void
skips(void **state)
{
	static const struct {
		const char *list, *host;
		bool want;
	} rows[] = {
		{ "*", "mail.example", true },
		{ "a.example, mail.example", "mail.example", true },
		{ "MAIL.example", "mail.EXAMPLE", true },
		{ "example", "mail.example", true },
		{ ".example", "mail.example", true },
		{ "*.example", "mail.example", true },
		{ "ample", "mail.example", false },
		{ "il.example", "mail.example", false },
		{ "192.0.2.1", "192.0.2.1", true },
		{ "", "mail.example", false },
		{ ",,", "mail.example", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(wire_proxy_skips(str_of(rows[i].list),
				     str_of(rows[i].host)),
		    rows[i].want);
}

static void
environment(void **state)
{
	struct wire_proxy p;
	struct err e = { 0 };

	(void)state;
	assert_int_equal(setenv("ALL_PROXY", "socks5h://p.example", 1), 0);
	assert_int_equal(unsetenv("all_proxy"), 0);
	assert_int_equal(setenv("no_proxy", "b.example", 1), 0);
	assert_int_equal(wire_proxy_find("a.example", &p, &e), 0);
	assert_int_equal(p.kind, WIRE_PROXY_SOCKS5H);
	assert_int_equal(wire_proxy_find("b.example", &p, &e), 0);
	assert_int_equal(p.kind, WIRE_PROXY_NONE);
	assert_int_equal(wire_proxy_find("127.0.0.9", &p, &e), 0);
	assert_int_equal(p.kind, WIRE_PROXY_NONE);

	/* Never bypasses a proxy setting that cannot be understood. */
	assert_int_equal(setenv("ALL_PROXY", "gopher://p.example", 1), 0);
	assert_int_equal(wire_proxy_find("a.example", &p, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	assert_int_equal(unsetenv("ALL_PROXY"), 0);
}

static const struct talk {
	const char *why, *url, *host;
	struct str answers, asks;
	bool good;
} talks[] = {
	{ "SOCKS 5 with a name and a login", "socks5h://u:pw@p.example",
	    "m.example", SI("\5\2\1\0\5\0\0\1\1\2\3\4\1\1"),
	    SI("\5\2\0\2\1\1u\2pw\5\1\0\3\tm.example\3\341"), true },
	{ "SOCKS 5 with an address goes as an address", "socks5h://p.example",
	    "192.0.2.7", SI("\5\0\5\0\0\3\3abc\1\1"),
	    SI("\5\1\0\5\1\0\1\300\0\2\7\3\341"), true },
	{ "SOCKS 5 that refuses is refused", "socks5h://p.example", "m.example",
	    SI("\5\0\5\5\0\1\0"), SI("\5\1\0\5\1\0\3\tm.example\3\341"),
	    false },
	{ "SOCKS 5 must not ask for a login we have not", "socks5h://p.example",
	    "m.example", SI("\5\2"), SI("\5\1\0"), false },
	{ "a SOCKS 5 login that fails ends it", "socks5h://u:pw@p.example",
	    "m.example", SI("\5\2\1\1"), SI("\5\2\0\2\1\1u\2pw"), false },
	{ "HTTP CONNECT with a login", "http://u:pw@p.example", "m.example",
	    SI("HTTP/1.1 200 OK\r\nX: y\r\n\r\n"),
	    SI("CONNECT m.example:993 HTTP/1.1\r\nHost: m.example:993\r\n"
	       "Proxy-Authorization: Basic dTpwdw==\r\n\r\n"),
	    true },
	{ "HTTP CONNECT to an IPv6 literal", "http://p.example", "2001:db8::1",
	    SI("HTTP/1.0 200 OK\r\n\r\n"),
	    SI("CONNECT [2001:db8::1]:993 HTTP/1.1\r\n"
	       "Host: [2001:db8::1]:993\r\n\r\n"),
	    true },
	{ "HTTP CONNECT that wants a login is refused", "http://p.example",
	    "m.example", SI("HTTP/1.1 407 No\r\n\r\n"),
	    SI("CONNECT m.example:993 HTTP/1.1\r\nHost: m.example:993\r\n"
	       "\r\n"),
	    false },
	{ "what is not HTTP is refused", "http://p.example", "m.example",
	    SI("220 smtp\r\n"),
	    SI("CONNECT m.example:993 HTTP/1.1\r\nHost: m.example:993\r\n"
	       "\r\n"),
	    false },
};

static void
talk(void **state)
{
	const struct talk *t = *state;
	struct wire_proxy p;
	struct err e = { 0 };
	struct wire *w;
	char got[512];
	ssize_t n;
	int fd[2];

	assert_true(wire_proxy_parse(str_of(t->url), &p));
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	w = wire_over(fd[0], clock_mono_ms() + 5000);
	assert_int_equal(write(fd[1], t->answers.p, t->answers.n),
	    (ssize_t)t->answers.n);
	assert_int_equal(wire_proxy_ask(w, &p, t->host, 993, &e),
	    t->good ? 0 : -1);
	if (!t->good) {
		assert_int_equal(e.kind, ERR_NETWORK);
		assert_string_equal(e.reason, "proxy");
	}
	n = recv(fd[1], got, sizeof(got), MSG_DONTWAIT);
	assert_int_equal(n, (ssize_t)t->asks.n);
	assert_memory_equal(got, t->asks.p, t->asks.n);
	wire_close(&w);
	(void)close(fd[1]);
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(talks) / sizeof(talks[0]) + 3] = { 0 };
	size_t n = sizeof(talks) / sizeof(talks[0]);

	for (size_t i = 0; i < n; i++) {
		tests[i].name = talks[i].why;
		tests[i].test_func = talk;
		tests[i].initial_state = (void *)(uintptr_t)&talks[i];
	}
	tests[n++] = (struct CMUnitTest){
		.name = "proxy addresses are read whole or not at all",
		.test_func = parse,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "NO_PROXY names hosts and what is below a domain",
		.test_func = skips,
	};
	tests[n++] = (struct CMUnitTest){
		.name = "the environment decides, and is never half understood",
		.test_func = environment,
	};
	return cmocka_run_group_tests_name("net/wire_proxy", tests, NULL, NULL);
}
