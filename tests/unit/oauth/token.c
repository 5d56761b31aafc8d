/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of a token endpoint, from a server that sends exactly these. */
#include "../net/serve.h"

#include "oauth/internal.h"

#define HEAD(code) "HTTP/1.1 " code " X\r\nConnection: close\r\n\r\n"
#define OK_ HEAD("200")
#define BAD HEAD("400")

static const struct {
	const char *why, *say;
	enum err_kind kind; /* ERR_NONE: a token */
	const char *text;   /* in e.say, or the new refresh token */
} rows[] = {
	{ "Google's answer",
	    OK_ "{\"access_token\":\"at\",\"expires_in\":3599,"
		"\"scope\":\"https://mail.google.com/\","
		"\"token_type\":\"Bearer\"}",
	    ERR_NONE, NULL },
	{ "a new refresh token",
	    OK_ "{\"access_token\":\"at\",\"token_type\":\"bearer\","
		"\"refresh_token\":\"rt2\",\"expires_in\":3599}",
	    ERR_NONE, "rt2" },
	{ "seconds in quotes",
	    OK_ "{\"access_token\":\"at\",\"token_type\":\"BEARER\","
		"\"expires_in\":\"3599\"}",
	    ERR_NONE, NULL },
	{ "consent is gone",
	    BAD "{\"error\":\"invalid_grant\",\"error_description\":\"Token "
		"has been expired or revoked.\"}",
	    ERR_AUTH, "emcli account consent" },
	{ "a wrong client", HEAD("401") "{\"error\":\"invalid_client\"}",
	    ERR_CONFIG, "id or its secret" },
	{ "down", HEAD("503") "<html>", ERR_NETWORK, "try again later" },
	{ "too often", HEAD("429") "{}", ERR_NETWORK, "try again later" },
	{ "an error of its own", BAD "{\"error\":\"oops\"}", ERR_CONFIG,
	    "does not know" },
	{ "a page", OK_ "<html>hello</html>", ERR_NETWORK, "OAuth" },
	{ "a redirect", HEAD("302") "", ERR_NETWORK, "OAuth" },
	{ "nothing", OK_ "", ERR_NETWORK, "OAuth" },
	{ "an array", OK_ "[]", ERR_NETWORK, "OAuth" },
	{ "no token", OK_ "{\"token_type\":\"Bearer\"}", ERR_NETWORK, "OAuth" },
	{ "an empty token",
	    OK_ "{\"access_token\":\"\",\"token_type\":\"Bearer\"}",
	    ERR_NETWORK, "OAuth" },
	{ "a token that is a number",
	    OK_ "{\"access_token\":7,\"token_type\":\"Bearer\"}", ERR_NETWORK,
	    "OAuth" },
	{ "a token that would end a line",
	    OK_ "{\"access_token\":\"a\\r\\nb\",\"token_type\":\"Bearer\"}",
	    ERR_NETWORK, "OAuth" },
	{ "a refresh token that would",
	    OK_ "{\"access_token\":\"a\",\"token_type\":\"Bearer\","
		"\"refresh_token\":\"a\\u0001\"}",
	    ERR_NETWORK, "OAuth" },
	{ "two tokens",
	    OK_ "{\"access_token\":\"a\",\"access_token\":\"b\","
		"\"token_type\":\"Bearer\"}",
	    ERR_NETWORK, "OAuth" },
	{ "another kind of token",
	    OK_ "{\"access_token\":\"a\",\"token_type\":\"mac\"}", ERR_NETWORK,
	    "OAuth" },
	{ "an error that is no text", BAD "{\"error\":{\"a\":1}}", ERR_NETWORK,
	    "OAuth" },
	{ "junk behind it",
	    OK_ "{\"access_token\":\"a\",\"token_type\":\"Bearer\"}x",
	    ERR_NETWORK, "OAuth" },
};

static int
same(struct str plain, void *ctx)
{
	return str_eq(plain, str_of(ctx));
}

struct world {
	struct serve s;
	struct oauth_provider p;
	struct oauth_client c;
	struct secret *id, *secret, *refresh;
	struct arena *a;
};

static void
begin(struct world *w, const char *say)
{
	*w = (struct world){ .a = arena_open(1 << 20) };
	serve_start(&w->s, &say, 1);
	w->p.token_url = str_fmt(w->a, "%s/token", w->s.base);
	w->id = secret_new("id 1", 4);
	w->secret = secret_new("s3cret", 6);
	w->refresh = secret_new("rt1", 3);
	w->c = (struct oauth_client){ .provider = &w->p,
		.id = w->id,
		.secret = w->secret };
}

static char *
end(struct world *w)
{
	secret_close(&w->id);
	secret_close(&w->secret);
	secret_close(&w->refresh);
	arena_close(&w->a);
	return serve_stop(&w->s);
}

static void
refresh(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct oauth_token t = { 0 };
		struct err e = { 0 };
		struct world w;
		int r;

		begin(&w, rows[i].say);
		r = oauth_token_refresh(&w.c, w.refresh,
		    clock_mono_ms() + 20000, &t, &e);
		if ((r < 0) != (rows[i].kind != ERR_NONE) ||
		    e.kind != rows[i].kind)
			fail_msg("%s: %s (%s)", rows[i].why, e.say, e.detail);
		if (r < 0 && strstr(e.say, rows[i].text) == NULL)
			fail_msg("%s: %s", rows[i].why, e.say);
		if (r < 0)
			assert_true(t.access == NULL && t.refresh == NULL);
		else if (rows[i].text == NULL)
			assert_null(t.refresh);
		else
			assert_int_equal(secret_lend(t.refresh, same,
					     (void *)rows[i].text),
			    1);
		oauth_token_done(&t);
		(void)end(&w);
	}
}

static void
form(void **state)
{
	struct oauth_token t = { 0 };
	struct err e = { 0 };
	struct world w;
	char *asked;

	(void)state;
	begin(&w, rows[0].say);
	assert_int_equal(oauth_token_refresh(&w.c, w.refresh,
			     clock_mono_ms() + 20000, &t, &e),
	    0);
	assert_int_equal(t.lives_s, 3599);
	asked = end(&w);
	assert_non_null(strstr(asked,
	    "\r\n\r\ngrant_type=refresh_token&refresh_token=rt1&client_id="
	    "id%201&client_secret=s3cret"));
	assert_null(strstr(asked, "Authorization"));
	oauth_token_done(&t);
}

static void
basic(void **state)
{
	struct oauth_token t = { 0 };
	struct err e = { 0 };
	struct world w;
	char *asked;

	(void)state;
	begin(&w, rows[0].say);
	w.p.basic = true;
	assert_int_equal(oauth_token_exchange(&w.c, w.refresh, w.secret,
			     S("http://127.0.0.1:1/"), clock_mono_ms() + 20000,
			     &t, &e),
	    0);
	asked = end(&w);
	/* "id%201:s3cret" */
	assert_non_null(strstr(asked, "Basic aWQlMjAxOnMzY3JldA=="));
	assert_non_null(strstr(asked,
	    "\r\n\r\ngrant_type=authorization_code&code=rt1&redirect_uri="
	    "http%3A%2F%2F127.0.0.1%3A1%2F&code_verifier=s3cret"));
	assert_null(strstr(asked, "client_secret"));
	oauth_token_done(&t);
}

static void
device(void **state)
{
	static const struct {
		const char *say;
		int want;
		bool slower;
	} polls[] = {
		{ BAD "{\"error\":\"authorization_pending\"}", 0, false },
		{ BAD "{\"error\":\"slow_down\"}", 0, true },
		{ BAD "{\"error\":\"access_denied\"}", -1, false },
		{ BAD "{\"error\":\"expired_token\"}", -1, false },
		{ OK_ "{\"access_token\":\"a\",\"token_type\":\"Bearer\"}", 1,
		    false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(polls) / sizeof(polls[0]); i++) {
		struct oauth_token t = { 0 };
		struct err e = { 0 };
		struct world w;
		bool slower;

		begin(&w, polls[i].say);
		assert_int_equal(oauth_token_device(&w.c, w.refresh,
				     clock_mono_ms() + 20000, &slower, &t, &e),
		    polls[i].want);
		assert_int_equal(slower, polls[i].slower);
		oauth_token_done(&t);
		(void)end(&w);
	}
}

static void
granted(void **state)
{
	struct oauth_token t = { .scope_told = true, .scope = "a b" };
	struct str m;

	(void)state;
	assert_int_equal(oauth_token_granted(&t, S("a B offline_access openid"),
			     &m),
	    OAUTH_GRANTED_ALL);
	assert_int_equal(oauth_token_granted(&t, S("a c"), &m),
	    OAUTH_GRANTED_SOME);
	assert_true(str_eq(m, S("c")));
	/* Google lets people untick the only box. */
	assert_int_equal(oauth_token_granted(&t, S("openid c"), &m),
	    OAUTH_GRANTED_NONE);
	t.scope_told = false;
	assert_int_equal(oauth_token_granted(&t, S("c"), &m),
	    OAUTH_GRANTED_ALL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refresh),
		cmocka_unit_test(form),
		cmocka_unit_test(basic),
		cmocka_unit_test(device),
		cmocka_unit_test(granted),
	};

	return cmocka_run_group_tests_name("oauth/token", tests, NULL, NULL);
}
