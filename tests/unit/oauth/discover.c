/* SPDX-License-Identifier: Apache-2.0 */
/* A provider's own document, and false ones. */
#include "../net/serve.h"

#include "oauth/internal.h"

#define HEAD "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n"
#define ENDS                                                                   \
	"\"authorization_endpoint\":\"https://login.example/a\","              \
	"\"token_endpoint\":\"https://login.example/t\""

static const struct {
	const char *why, *doc;
	const char *text; /* in e.say; NULL: accepted */
	bool basic, says_iss;
} rows[] = {
	{ "a short one", HEAD "{\"issuer\":\"BASE\"," ENDS "}", NULL, true,
	    false },
	{ "a slash at the end is no other issuer",
	    HEAD "{\"issuer\":\"BASE/\"," ENDS "}", NULL, true, false },
	{ "the secret in the form",
	    HEAD "{\"issuer\":\"BASE\"," ENDS
		 ",\"token_endpoint_auth_methods_supported\":[\"none\","
		 "\"client_secret_post\"]}",
	    NULL, false, false },
	{ "it promises an issuer",
	    HEAD "{\"issuer\":\"BASE\"," ENDS
		 ",\"authorization_response_iss_parameter_supported\":true}",
	    NULL, true, true },
	{ "it speaks for another",
	    HEAD "{\"issuer\":\"https://evil.example\"," ENDS "}",
	    "evil.example", false, false },
	{ "it speaks for nobody", HEAD "{" ENDS "}", "another issuer", false,
	    false },
	{ "no token endpoint",
	    HEAD
	    "{\"issuer\":\"BASE\",\"authorization_endpoint\":\"https://a/\"}",
	    "token_endpoint", false, false },
	{ "an endpoint in the clear",
	    HEAD
	    "{\"issuer\":\"BASE\",\"authorization_endpoint\":\"http://a/\"}",
	    "authorization_endpoint", false, false },
	{ "a device endpoint that is none",
	    HEAD "{\"issuer\":\"BASE\"," ENDS
		 ",\"device_authorization_endpoint\":\"file:///\"}",
	    "device_authorization", false, false },
	{ "no PKCE worth the name",
	    HEAD "{\"issuer\":\"BASE\"," ENDS
		 ",\"code_challenge_methods_supported\":[\"plain\"]}",
	    "PKCE", false, false },
	{ "no JSON", HEAD "<html>", "no discovery document", false, false },
};

static void
run(size_t i)
{
	const char *say[] = { rows[i].doc, rows[i].doc };
	struct oauth_provider p = { .more = SI("&m=1") };
	struct arena *a = arena_open(1 << 20);
	struct err e = { 0 };
	struct serve s;
	int r;

	serve_start(&s, say, 2);
	r = oauth_discover(a, str_of(s.base), S(""), clock_mono_ms() + 20000,
	    &p, &e);
	if ((r < 0) != (rows[i].text != NULL))
		fail_msg("%s: %s (%s)", rows[i].why, e.say, e.detail);
	if (r < 0 && strstr(e.say, rows[i].text) == NULL)
		fail_msg("%s: %s", rows[i].why, e.say);
	if (r == 0) {
		assert_true(str_eq(p.token_url, S("https://login.example/t")));
		assert_true(str_eq(p.more, S("&m=1")));
		assert_int_equal(p.basic, rows[i].basic);
		assert_int_equal(p.says_iss, rows[i].says_iss);
	}
	(void)serve_stop(&s);
	arena_close(&a);
}

static void
what_we_know_of_a_provider_stays(void **state)
{
	const char *say[] = { rows[0].doc };
	struct oauth_provider p = { .name = SI("google"),
		.redirect = SI("127.0.0.9") };
	struct arena *a = arena_open(1 << 20);
	struct err e = { 0 };
	struct serve s;

	(void)state;
	serve_start(&s, say, 1);
	assert_int_equal(oauth_discover(a, str_of(s.base), S(""),
			     clock_mono_ms() + 20000, &p, &e),
	    0);
	assert_false(p.basic);
	assert_true(str_eq(p.redirect, S("127.0.0.9")));
	(void)serve_stop(&s);
	arena_close(&a);
}

static void
documents(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		run(i);
}

static void
places(void **state)
{
	static const char *const none[] = {
		"HTTP/1.1 404 X\r\nConnection: close\r\n\r\n",
		"HTTP/1.1 404 X\r\nConnection: close\r\n\r\n",
	};
	struct oauth_provider p = { .name = SI("") };
	struct arena *a = arena_open(1 << 20);
	struct err e = { 0 };
	struct serve s;
	char *asked;

	(void)state;
	serve_start(&s, none, 2);
	assert_int_equal(oauth_discover(a, str_fmt(a, "%s/realm/", s.base),
			     S(""), clock_mono_ms() + 20000, &p, &e),
	    -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	asked = serve_stop(&s);
	assert_non_null(
	    strstr(asked, "GET /realm/.well-known/openid-configuration "));
	/* RFC 8414 section 3.1. */
	assert_non_null(strstr(asked,
	    "GET /.well-known/oauth-authorization-server/realm "));
	assert_int_equal(oauth_discover(a, S("http://login.example"), S(""),
			     clock_mono_ms() + 20000, &p, &e),
	    -1);
	assert_int_equal(e.kind, ERR_USAGE);
	arena_close(&a);
}

static void
an_issuer_elsewhere_does_not_lead_home(void **state)
{
	static const struct {
		struct str issuer, url;
		bool good;
	} v[] = {
		{ SI("https://a.example"), SI("https://b.example/t"), true },
		{ SI("HTTPS://a.example"), SI("Https://b.example/t"), true },
		{ SI("https://a.example"), SI("http://127.0.0.1:6379/"),
		    false },
		{ SI("HTTPS://a.example"), SI("http://localhost/t"), false },
		{ SI("https://a.example"), SI("http://b.example/t"), false },
		{ SI("http://127.0.0.1:9"), SI("http://[::1]/t"), true },
		{ SI("http://127.0.0.1:9"), SI("http://b.example/t"), false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		if (oauth_discover_leads(v[i].issuer, v[i].url) != v[i].good)
			fail_msg("%s: %s", v[i].issuer.p, v[i].url.p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_issuer_elsewhere_does_not_lead_home),
		cmocka_unit_test(documents),
		cmocka_unit_test(what_we_know_of_a_provider_stays),
		cmocka_unit_test(places),
	};

	return cmocka_run_group_tests_name("oauth/discover", tests, NULL, NULL);
}
