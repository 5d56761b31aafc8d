/* SPDX-License-Identifier: Apache-2.0 */
/* Allowed requests, their answers, and data that must never be sent. */
#include "http_go.h"
#include "openssl_conf.h"

#include "base/limits.h"

static const struct {
	const char *why;
	struct str url;
	bool ok;
} urls[] = {
	{ "https is what it is for", SI("https://login.example/a?b=c"), true },
	{ "a port", SI("https://login.example:8443/"), true },
	{ "this machine may do without TLS", SI("http://127.0.0.1:1/x"), true },
	{ "all of its network is this machine", SI("http://127.9.0.1/"), true },
	{ "by IPv6 too", SI("http://[::1]:80/"), true },
	{ "and by its name", SI("http://localhost:1/"), true },
	{ "nothing else may", SI("http://login.example/"), false },
	{ "a name that only begins like it", SI("http://127.0.0.1.example/"),
	    false },
	{ "a name that only ends like it", SI("http://not.localhost.example/"),
	    false },
	{ "the host stands behind the @", SI("http://127.0.0.1@evil.example/"),
	    false },
	{ "no user names at all", SI("https://u:p@login.example/"), false },
	{ "no fragment", SI("https://login.example/#x"), false },
	{ "no other scheme", SI("file:///etc/passwd"), false },
	{ "nor this", SI("ftp://127.0.0.1/"), false },
	{ "a scheme is needed", SI("login.example"), false },
	{ "no line end", SI("https://login.example/\r\nX: y"), false },
	{ "no space", SI("https://login.example/ a"), false },
	{ "no NUL", SI("https://login.example/\0a"), false },
	{ "not nothing", SI(""), false },
};

/* This comes first: libraries read the environment only once. */
static void
the_environment_s_files_are_left_alone(void **state)
{
	char dir[] = "/tmp/emcli-http-XXXXXX", path[64];
	struct openssl_conf c;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/keys", dir);
	assert_int_equal(setenv("SSLKEYLOGFILE", path, 1), 0);
	openssl_conf_plant(&c);
	assert_true(http_url_ok(S("https://login.example/")));
	openssl_conf_untouched(&c);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(rmdir(dir), 0);
}

static void
url(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		if (http_url_ok(urls[i].url) != urls[i].ok)
			fail_msg("%s", urls[i].why);
}

static void
get(void **state)
{
	BEGIN("HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nhello");

	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.status, 404);
	assert_true(str_eq(r.body, S("hello")));
	asked = serve_stop(&s);
	assert_non_null(strstr(asked, "GET /go HTTP/1.1\r\n"));
	assert_null(strcasestr(asked, "Accept-Encoding"));
	assert_null(strcasestr(asked, "Authorization"));
	END;
}

static void
a_user_and_a_password_of_their_own(void **state)
{
	BEGIN("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	struct secret *basic = secret_new("p:w", 3);

	q.basic = basic;
	q.basic_user = S("a:b");
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	e = (struct err){ 0 };
	q.basic_user = S("a@b.example");
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_true(str_eq(r.url, q.url));
	asked = serve_stop(&s);
	assert_non_null(
	    strstr(asked, "Authorization: Basic YUBiLmV4YW1wbGU6cDp3\r\n"));
	secret_close(&basic);
	END;
}

/* The reported URL after a redirect contains no user name. */
static void
a_redirect_with_a_password(void **state)
{
	BEGIN("HTTP/1.1 302 Go\r\nLocation: /on\r\nContent-Length: 0\r\n"
	      "Connection: close\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	struct secret *basic = secret_new("pw", 2);

	q.redirects = 1;
	q.basic = basic;
	q.basic_user = S("id");
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_true(str_ends(r.url, S("/on")));
	assert_int_equal(str_find(r.url, S("id")), -1);
	asked = serve_stop(&s);
	assert_non_null(
	    strstr(strstr(asked, "GET /on "), "Authorization: Basic aWQ6cHc="));
	secret_close(&basic);
	END;
}

static void
post(void **state)
{
	BEGIN("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
	struct secret *basic = secret_new("id:pw", 5);

	q.body = S("a=b");
	q.type = S("application/x-www-form-urlencoded");
	q.basic = basic;
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.body.n, 0);
	asked = serve_stop(&s);
	assert_non_null(strstr(asked, "POST /go HTTP/1.1\r\n"));
	assert_non_null(strstr(asked, "Authorization: Basic aWQ6cHc=\r\n"));
	assert_non_null(strstr(asked, "x-www-form-urlencoded\r\n"));
	assert_non_null(strstr(asked, "\r\n\r\na=b"));
	secret_close(&basic);
	END;
}

static void
no_redirect_unless_asked(void **state)
{
	BEGIN("HTTP/1.1 302 Go\r\nLocation: /on\r\nContent-Length: 0\r\n\r\n");

	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.status, 302);
	(void)serve_stop(&s);
	END;
}

static void
no_redirect_of_a_post(void **state)
{
	BEGIN("HTTP/1.1 307 Go\r\nLocation: /on\r\nContent-Length: 0\r\n\r\n");

	q.body = S("code=secret");
	q.redirects = 3;
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.status, 307);
	(void)serve_stop(&s);
	END;
}

static void
redirect(void **state)
{
	BEGIN("HTTP/1.1 302 Go\r\nLocation: /on\r\nContent-Length: 0\r\n"
	      "Connection: close\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	struct secret *token = secret_new("tok", 3);
	const char *second;

	q.redirects = 1;
	q.bearer = token;
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.status, 200);
	asked = serve_stop(&s);
	second = strstr(asked, "GET /on ");
	assert_non_null(second);
	assert_non_null(strstr(asked, "Bearer tok"));
	/* The same destination may get it again. */
	assert_non_null(strstr(second, "Bearer tok"));
	secret_close(&token);
	END;
}

static void
a_token_stays_at_home(void **state)
{
	static const char *const there[] = {
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	};
	struct secret *token = secret_new("tok", 3);
	struct arena *a = arena_open(1 << 20);
	struct http *h = open_http();
	struct serve s, other;
	struct http_reply r;
	struct err e = { 0 };
	char text[200];
	const char *say[] = { text };

	(void)state;
	serve_start(&other, there, 1);
	(void)snprintf(text, sizeof(text),
	    "HTTP/1.1 302 Go\r\nLocation: %s/x\r\nContent-Length: 0\r\n\r\n",
	    other.base);
	serve_start(&s, say, 1);
	struct http_request q = { .url = at(a, &s, "/"),
		.bearer = token,
		.redirects = 2,
		.max = 100,
		.deadline_ms = clock_mono_ms() + 20000 };

	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.status, 200);
	assert_non_null(strstr(serve_stop(&s), "Bearer tok"));
	assert_null(strstr(serve_stop(&other), "tok"));
	secret_close(&token);
	END;
}

static void
a_cookie_stays_at_home_too(void **state)
{
	static const char *const there[] = {
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
	};
	struct secret *cookie = secret_new("ponymail=abc", 12);
	struct arena *a = arena_open(1 << 20);
	struct http *h = open_http();
	struct serve s, other;
	struct http_reply r;
	struct err e = { 0 };
	char text[200];
	const char *say[] = { text }, *asked;

	(void)state;
	serve_start(&other, there, 1);
	(void)snprintf(text, sizeof(text),
	    "HTTP/1.1 302 Go\r\nLocation: %s/x\r\nContent-Length: 0\r\n\r\n",
	    other.base);
	serve_start(&s, say, 1);
	struct http_request q = { .url = at(a, &s, "/"),
		.cookie = cookie,
		.redirects = 2,
		.max = 100,
		.deadline_ms = clock_mono_ms() + 20000 };

	assert_int_equal(http_send(h, &q, &r, &e), 0);
	assert_int_equal(r.status, 200);
	asked = serve_stop(&s);
	assert_non_null(strstr(asked, "\r\nCookie: ponymail=abc\r\n"));
	assert_null(strcasestr(asked, "Authorization"));
	assert_null(strcasestr(serve_stop(&other), "cookie"));
	secret_close(&cookie);
	END;
}

static void
a_cookie_is_one_pair(void **state)
{
	static const struct str bad[] = { SI("a=b\r\nX: y"), SI("a=b; c=d"),
		SI("novalue"), SI("a=\0b") };
	struct http *h = open_http();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct secret *cookie = secret_new(bad[i].p, bad[i].n);
		struct http_request q = { .url = S("http://127.0.0.1:1/"),
			.cookie = cookie,
			.deadline_ms = clock_mono_ms() + 1000 };
		struct http_reply r;
		struct err e = { 0 };

		assert_int_equal(http_send(h, &q, &r, &e), -1);
		assert_int_equal(e.kind, ERR_USAGE);
		secret_close(&cookie);
	}
	http_close(&h);
}

/* A name is added only before a value that has none. */
static void
a_cookie_may_lack_its_name(void **state)
{
	static const struct str in[] = { SI("0b-1"), SI("other=0b-1") };
	BEGIN("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

	q.cookie_name = "session";
	for (size_t i = 0; i < 2; i++) {
		struct secret *cookie = secret_new(in[i].p, in[i].n);

		q.cookie = cookie;
		assert_int_equal(http_send(h, &q, &r, &e), 0);
		secret_close(&cookie);
	}
	asked = serve_stop(&s);
	assert_non_null(strstr(asked, "Cookie: session=0b-1\r\n"));
	assert_non_null(strstr(asked, "Cookie: other=0b-1\r\n"));
	END;
}

/* The headers of an answer, which do not stay for the next one. */
static void
type_and_wait(void **state)
{
	BEGIN("HTTP/1.1 429 No\r\nRetry-After: 120\r\nContent-Length: 0\r\n"
	      "Content-Type: multipart/mixed; boundary=\"b b\"\r\n\r\n",
	    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
	    "HTTP/1.1 503 No\r\nContent-Length: 0\r\n"
	    "Retry-After: Fri, 31 Dec 2094 23:59:59 GMT\r\n\r\n",
	    "HTTP/1.1 503 No\r\nContent-Length: 0\r\n"
	    "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n\r\n",
	    "HTTP/1.1 503 No\r\nContent-Length: 0\r\n"
	    "Retry-After: -5\r\n\r\n",
	    "HTTP/1.1 503 No\r\nContent-Length: 0\r\n"
	    "Retry-After: 9999999999\r\n\r\n");
	static const int64_t wait[] = { 120, 0, LIMIT_RETRY_AFTER_S, 0, 0,
		LIMIT_RETRY_AFTER_S };

	for (size_t i = 0; i < sizeof(wait) / sizeof(wait[0]); i++) {
		assert_int_equal(http_send(h, &q, &r, &e), 0);
		if (r.retry_after_s != wait[i])
			fail_msg("answer %zu: %lld", i,
			    (long long)r.retry_after_s);
		assert_true(str_eq(r.type,
		    i == 0 ? S("multipart/mixed; boundary=\"b b\"") : S("")));
	}
	(void)serve_stop(&s);
	END;
}

static void
a_redirect_to_the_clear_is_refused(void **state)
{
	BEGIN("HTTP/1.1 302 Go\r\nLocation: http://login.example/\r\n"
	      "Content-Length: 0\r\n\r\n");

	q.redirects = 3;
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	(void)serve_stop(&s);
	END;
}

static void
too_long(void **state)
{
	BEGIN("HTTP/1.1 200 OK\r\n\r\n0123456789");

	q.max = 9;
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	(void)serve_stop(&s);
	END;
}

static void
too_slow(void **state)
{
	BEGIN("");

	q.deadline_ms = clock_mono_ms() + 300;
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	assert_non_null(strstr(e.say, "in time"));
	(void)serve_stop(&s);
	END;
}

static void
no_proxy_for_this_machine(void **state)
{
	BEGIN("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

	(void)setenv("http_proxy", "http://127.0.0.1:1", 1);
	(void)setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
	assert_int_equal(http_send(h, &q, &r, &e), 0);
	(void)unsetenv("http_proxy");
	(void)unsetenv("ALL_PROXY");
	(void)serve_stop(&s);
	END;
}

static void
through_a_proxy(void **state)
{
	BEGIN("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
	char proxy[80];

	(void)snprintf(proxy, sizeof(proxy), "http://me:pw@127.0.0.1:%d",
	    s.port);
	(void)setenv("HTTPS_PROXY", proxy, 1);
	q.url = S("https://login.example/x");
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	(void)unsetenv("HTTPS_PROXY");
	asked = serve_stop(&s);
	assert_non_null(strstr(asked, "CONNECT login.example:443 "));
	assert_non_null(strstr(asked, "Basic bWU6cHc="));
	END;
}

/* 1, GSSAPI, would start code of another library. */
static void
no_gssapi_with_a_socks_proxy(void **state)
{
	static const char greeting[] = { 5, 2, 0, 2 };
	BEGIN("\5\377");
	char proxy[80];

	(void)snprintf(proxy, sizeof(proxy), "socks5h://me:pw@127.0.0.1:%d",
	    s.port);
	(void)setenv("HTTPS_PROXY", proxy, 1);
	q.url = S("https://login.example/x");
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_NETWORK);
	(void)unsetenv("HTTPS_PROXY");
	assert_memory_equal(serve_stop(&s), greeting, sizeof(greeting));
	END;
}

static void
a_bad_ca_file(void **state)
{
	struct http *h = NULL;
	struct http_reply r;
	struct err e = { 0 };
	struct http_request q = { .url = S("https://localhost:1/"),
		.deadline_ms = clock_mono_ms() + 1000 };

	(void)state;
	assert_int_equal(http_open(S("/nonexistent/ca"), &h, &e), 0);
	assert_int_equal(http_send(h, &q, &r, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	http_close(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_s_files_are_left_alone),
		cmocka_unit_test(url),
		cmocka_unit_test(get),
		cmocka_unit_test(a_user_and_a_password_of_their_own),
		cmocka_unit_test(a_redirect_with_a_password),
		cmocka_unit_test(post),
		cmocka_unit_test(no_redirect_unless_asked),
		cmocka_unit_test(no_redirect_of_a_post),
		cmocka_unit_test(redirect),
		cmocka_unit_test(a_token_stays_at_home),
		cmocka_unit_test(a_cookie_stays_at_home_too),
		cmocka_unit_test(a_cookie_is_one_pair),
		cmocka_unit_test(a_cookie_may_lack_its_name),
		cmocka_unit_test(type_and_wait),
		cmocka_unit_test(a_redirect_to_the_clear_is_refused),
		cmocka_unit_test(too_long),
		cmocka_unit_test(too_slow),
		cmocka_unit_test(no_proxy_for_this_machine),
		cmocka_unit_test(through_a_proxy),
		cmocka_unit_test(no_gssapi_with_a_socks_proxy),
		cmocka_unit_test(a_bad_ca_file),
	};

	return cmocka_run_group_tests_name("net/http", tests, NULL, NULL);
}
