/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the provider's keys count, and when it is asked for them: kept for
 * an hour, for one setting, and asked for at most once a minute.
 */
#include "../store/fixture.h"

#include "../net/serve.h"
#include "../oauth/signer.h"
#include "base/clock.h"
#include "base/limits.h"
#include "source/issuer.h"

#define HEAD "HTTP/1.1 200 X\r\nConnection: close\r\n\r\n"
#define NOBODY "HTTP/1.1 500 X\r\nConnection: close\r\n\r\n"
#define DOCUMENT HEAD "{\"issuer\":\"BASE\",\"jwks_uri\":\"BASE/jwks\"}"

enum {
	MINUTE_MS = 60000,
	HOUR_MS = 60 * MINUTE_MS
};

static const enum signer_key old = SIGNER_ED25519, fresh = SIGNER_P256;

/* A provider that says that, and the setting that names it. */
struct scene {
	struct fx *x;
	struct serve serve;
	struct store_issuer by;
};

/* One key more in a set; its name is its number. */
static struct str
key_of(struct arena *a, enum signer_key which)
{
	return str_fmt(a, "{%.*s,\"kid\":\"k%d\"}",
	    STR_ARG(signer_jwk(a, which)), which);
}

static const char *
keys_of(struct arena *a, enum signer_key which)
{
	return str_fmt(a, HEAD "{\"keys\":[%.*s]}", STR_ARG(key_of(a, which)))
	    .p;
}

static void
begin(struct scene *s, void **state, const char *const *say, size_t n)
{
	*s = (struct scene){ .x = *state };
	serve_start(&s->serve, say, n);
	s->by.issuer = str_of(s->serve.base);
	s->by.resource = S("https://m.example/mcp");
}

/* How often it was asked for that path. */
static size_t
end(struct scene *s, const char *path)
{
	const char *at = serve_stop(&s->serve);
	char line[64];
	size_t n = 0;

	(void)snprintf(line, sizeof(line), "GET %s ", path);
	while ((at = strstr(at, line)) != NULL) {
		at++;
		n++;
	}
	return n;
}

/* A token that the key signs, which has that name. */
static struct str
token_by(struct scene *s, enum signer_key which, const char *kid)
{
	struct arena *a = s->x->a;
	long long now = (long long)clock_now();
	struct str text = signer_text(a,
	    str_fmt(a, "{\"alg\":\"%s\",\"typ\":\"at+jwt\",\"kid\":\"%s\"}",
		which == SIGNER_P256 ? "ES256" : "EdDSA", kid),
	    str_fmt(a,
		"{\"iss\":\"%.*s\",\"aud\":\"https://m.example/mcp\","
		"\"sub\":\"7\",\"iat\":%lld,\"exp\":%lld}",
		STR_ARG(s->by.issuer), now, now + 600));

	return signer_token(a, text, signer_value(a, which, false, text));
}

static enum oauth_bearer_is
is(struct scene *s, struct str token)
{
	struct oauth_bearer got;

	assert_ok(s->x,
	    issuer_check(s->x->s, s->x->a, &s->by, token, &got, &s->x->e));
	return got.is;
}

static enum oauth_bearer_is
is_by(struct scene *s, enum signer_key which)
{
	char kid[8];

	(void)snprintf(kid, sizeof(kid), "k%d", which);
	return is(s, token_by(s, which, kid));
}

/* As if what is kept had come, and been asked for, so long ago. */
static void
age(struct scene *s, int64_t got_ms, int64_t tried_ms)
{
	struct store_issuer_kept kept;
	int64_t now = clock_now_ms();

	assert_int_equal(store_issuer_kept_get(s->x->s, s->x->a, &kept,
			     &s->x->e),
	    1);
	kept.got_ms = now - got_ms;
	kept.tried_ms = now - tried_ms;
	assert_ok(s->x, store_issuer_kept_put(s->x->s, &kept, &s->x->e));
}

static void
they_are_fetched_once(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT, keys_of(x->a, old), NOBODY };
	struct scene s;

	begin(&s, state, say, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	assert_int_equal(end(&s, "/jwks"), 1);
}

/* Strangers choose the names of keys. */
static void
a_name_that_is_unknown_asks_once_a_minute(void **state)
{
	struct fx *x = *state;
	const char *keys = keys_of(x->a, old);
	const char *say[] = { DOCUMENT, keys, DOCUMENT, keys, NOBODY };
	struct scene s;

	begin(&s, state, say, 5);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	for (int i = 0; i < 3; i++)
		assert_int_equal(is(&s, token_by(&s, old, "made-up")),
		    OAUTH_BEARER_KEY);
	age(&s, MINUTE_MS, MINUTE_MS);
	for (int i = 0; i < 3; i++)
		assert_int_equal(is(&s, token_by(&s, old, "made-up")),
		    OAUTH_BEARER_KEY);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	assert_int_equal(end(&s, "/jwks"), 2);
}

static void
a_new_key_is_found_and_the_old_one_is_forgotten(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT, keys_of(x->a, old), DOCUMENT,
		keys_of(x->a, fresh), NOBODY };
	struct scene s;

	begin(&s, state, say, 5);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	assert_int_equal(is_by(&s, fresh), OAUTH_BEARER_KEY);
	age(&s, MINUTE_MS, MINUTE_MS);
	assert_int_equal(is_by(&s, fresh), OAUTH_BEARER_GOOD);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_KEY);
	assert_int_equal(end(&s, "/jwks"), 2);
}

/* Its tokens have no key's name: a wrong signature may be that of a new key. */
static void
a_new_key_without_a_name_is_found(void **state)
{
	struct fx *x = *state;
	struct str key = signer_jwk(x->a, old);
	const char *say[] = { DOCUMENT,
		str_fmt(x->a, HEAD "{\"keys\":[{%.*s}]}",
		    STR_ARG(signer_jwk(x->a, fresh)))
		    .p,
		DOCUMENT,
		str_fmt(x->a, HEAD "{\"keys\":[{%.*s}]}", STR_ARG(key)).p };
	struct scene s;
	struct str text, token;
	long long now = (long long)clock_now();

	begin(&s, state, say, 4);
	text = signer_text(x->a, S("{\"alg\":\"EdDSA\",\"typ\":\"at+jwt\"}"),
	    str_fmt(x->a,
		"{\"iss\":\"%.*s\",\"aud\":\"https://m.example/mcp\","
		"\"sub\":\"7\",\"iat\":%lld,\"exp\":%lld}",
		STR_ARG(s.by.issuer), now, now + 600));
	token = signer_token(x->a, text, signer_value(x->a, old, false, text));
	assert_int_equal(is(&s, token), OAUTH_BEARER_KEY);
	age(&s, MINUTE_MS, MINUTE_MS);
	assert_int_equal(is(&s, token), OAUTH_BEARER_GOOD);
	assert_int_equal(end(&s, "/jwks"), 2);
}

/* What was withdrawn does not count for longer. */
static void
they_are_good_for_an_hour(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT, keys_of(x->a, old), DOCUMENT,
		keys_of(x->a, fresh), NOBODY };
	struct scene s;

	begin(&s, state, say, 5);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	age(&s, HOUR_MS - MINUTE_MS, HOUR_MS);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	age(&s, HOUR_MS, HOUR_MS);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_KEY);
	assert_int_equal(end(&s, "/jwks"), 2);
}

/* Somebody set the clock back. */
static void
they_are_not_good_before_they_came(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT, keys_of(x->a, old), DOCUMENT,
		keys_of(x->a, fresh) };
	struct scene s;

	begin(&s, state, say, 4);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	age(&s, -HOUR_MS, -HOUR_MS);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_KEY);
	assert_int_equal(end(&s, "/jwks"), 2);
}

static void
a_provider_that_is_ill_is_left_alone_for_a_minute(void **state)
{
	struct fx *x = *state;
	const char *say[] = { NOBODY, NOBODY, DOCUMENT, keys_of(x->a, old) };
	struct oauth_bearer got;
	struct scene s;
	struct str token;

	begin(&s, state, say, 4);
	token = token_by(&s, old, "k4");
	assert_err(x, issuer_check(x->s, x->a, &s.by, token, &got, &x->e),
	    ERR_CONFIG);
	for (int i = 0; i < 3; i++)
		assert_err(x,
		    issuer_check(x->s, x->a, &s.by, token, &got, &x->e),
		    ERR_NETWORK);
	assert_non_null(strstr(x->e.say, "in a minute"));
	age(&s, clock_now_ms(), MINUTE_MS);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	assert_int_equal(end(&s, "/jwks"), 1);
}

/* It answers nothing, so that nothing can be learnt of the next one. */
static void
what_was_kept_for_another_setting_does_not_count(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT, keys_of(x->a, old), DOCUMENT,
		keys_of(x->a, fresh) };
	struct scene s;

	begin(&s, state, say, 4);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	/* Who vouches for the provider is part of it. */
	s.by.ca_file = S("/etc/ssl/certs/ca-certificates.crt");
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_KEY);
	assert_int_equal(is_by(&s, fresh), OAUTH_BEARER_GOOD);
	assert_int_equal(end(&s, "/jwks"), 2);
}

static void
what_is_no_token_asks_for_nothing(void **state)
{
	static const char *const texts[] = { "", "a", "a.b.c",
		"eyJhbGciOiJub25lIn0.e30.", "emcli_00" };
	const char *say[] = { DOCUMENT, NOBODY };
	struct scene s;

	begin(&s, state, say, 2);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_int_equal(is(&s, str_of(texts[i])),
		    OAUTH_BEARER_INVALID);
	assert_string_equal(serve_stop(&s.serve), "");
}

/* n keys before the one that counts. */
static const char *
after_others(struct arena *a, size_t n, size_t filler)
{
	struct str list = S(""), fill = { arena_alloc(a, filler + 1), filler };

	memset((char *)(uintptr_t)fill.p, 'x', filler);
	for (size_t i = 0; i < n; i++)
		list = str_fmt(a, "%.*s{\"kty\":\"oct\",\"k\":\"%.*s\"},",
		    STR_ARG(list), STR_ARG(fill));
	return str_fmt(a, HEAD "{\"keys\":[%.*s%.*s]}", STR_ARG(list),
	    STR_ARG(key_of(a, old)))
	    .p;
}

static void
there_are_only_so_many(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT,
		after_others(x->a, LIMIT_ISSUER_KEYS_N - 1, 1), DOCUMENT,
		after_others(x->a, LIMIT_ISSUER_KEYS_N, 1) };
	struct scene s;

	begin(&s, state, say, 4);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_GOOD);
	age(&s, HOUR_MS, HOUR_MS);
	assert_int_equal(is_by(&s, old), OAUTH_BEARER_KEY);
	assert_int_equal(end(&s, "/jwks"), 2);
}

static void
they_are_not_longer_than_that(void **state)
{
	struct fx *x = *state;
	const char *say[] = { DOCUMENT,
		after_others(x->a, 1, LIMIT_ISSUER_KEYS) };
	struct oauth_bearer got;
	struct scene s;

	begin(&s, state, say, 2);
	assert_err(x,
	    issuer_check(x->s, x->a, &s.by, token_by(&s, old, "k4"), &got,
		&x->e),
	    ERR_LIMIT);
	assert_int_equal(end(&s, "/jwks"), 1);
}

static int
make_keys(void **state)
{
	(void)state;
	signer_begin();
	return 0;
}

static int
free_keys(void **state)
{
	(void)state;
	signer_end();
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("they are fetched once", they_are_fetched_once),
		TEST("a name that is unknown asks once a minute",
		    a_name_that_is_unknown_asks_once_a_minute),
		TEST("a new key is found, and the old one is forgotten",
		    a_new_key_is_found_and_the_old_one_is_forgotten),
		TEST("a new key without a name is found",
		    a_new_key_without_a_name_is_found),
		TEST("they are good for an hour", they_are_good_for_an_hour),
		TEST("they are not good before they came",
		    they_are_not_good_before_they_came),
		TEST("a provider that is ill is left alone for a minute",
		    a_provider_that_is_ill_is_left_alone_for_a_minute),
		TEST("what was kept for another setting does not count",
		    what_was_kept_for_another_setting_does_not_count),
		TEST("what is no token asks for nothing",
		    what_is_no_token_asks_for_nothing),
		TEST("there are only so many", there_are_only_so_many),
		TEST("they are not longer than that",
		    they_are_not_longer_than_that),
	};

	return cmocka_run_group_tests_name("issuer", tests, make_keys,
	    free_keys);
}
