/* SPDX-License-Identifier: Apache-2.0 */
/* Access tokens of an issuer that has its keys here, and those of forgers. */
#include "../rows.h"
#include "signer.h"

#include "oauth/bearer.h"
#include "oauth/jws.h"

#define NOW 1700000000
#define CLAIMS "\"sub\":\"dora\",\"client_id\":\"c\",\"jti\":\"1\""
#define GOOD                                                                   \
	"{\"iss\":\"https://id.example\",\"aud\":\"https://m.example/mcp\","   \
	"\"iat\":1700000000,\"exp\":1700000600," CLAIMS "}"
#define AT(times)                                                              \
	"{\"iss\":\"https://id.example\",\"aud\":\"https://m.example/"         \
	"mcp\"," times "," CLAIMS "}"
#define ISS(iss)                                                               \
	"{" iss "\"aud\":\"https://m.example/mcp\",\"iat\":1700000000,"        \
	"\"exp\":1700000600," CLAIMS "}"
#define AUD(aud)                                                               \
	"{\"iss\":\"https://id.example\"," aud "\"iat\":1700000000,"           \
	"\"exp\":1700000600," CLAIMS "}"
#define MORE(more)                                                             \
	"{\"iss\":\"https://id.example\",\"aud\":\"https://m.example/mcp\","   \
	"\"iat\":1700000000,\"exp\":1700000600," more CLAIMS "}"
#define SUB(sub)                                                               \
	"{\"iss\":\"https://id.example\",\"aud\":\"https://m.example/mcp\","   \
	"\"iat\":1700000000,\"exp\":1700000600" sub "}"

#define RS "{\"alg\":\"RS256\",\"typ\":\"at+jwt\",\"kid\":\"rsa\"}"
#define HEAD(alg, kid)                                                         \
	"{\"alg\":\"" alg "\",\"typ\":\"at+jwt\",\"kid\":\"" kid "\"}"

static const struct {
	const char *why, *header, *claims;
	enum signer_key by;
	enum oauth_bearer_is is;
	const char *scope;
} rows[] = {
	{ "RS256", RS, GOOD, SIGNER_RSA, OAUTH_BEARER_GOOD, "" },
	{ "PS256", HEAD("PS256", "rsa"), GOOD, SIGNER_RSA, OAUTH_BEARER_GOOD,
	    "" },
	{ "ES256", HEAD("ES256", "p256"), GOOD, SIGNER_P256, OAUTH_BEARER_GOOD,
	    "" },
	{ "EdDSA", HEAD("EdDSA", "ed"), GOOD, SIGNER_ED25519, OAUTH_BEARER_GOOD,
	    "" },
	{ "the long form of its type",
	    "{\"alg\":\"RS256\",\"typ\":\"application/AT+JWT\",\"kid\":"
	    "\"rsa\"}",
	    GOOD, SIGNER_RSA, OAUTH_BEARER_GOOD, "" },
	{ "no kid: every key that fits",
	    "{\"alg\":\"RS256\",\"typ\":\"at+jwt\"}", GOOD, SIGNER_RSA_OTHER,
	    OAUTH_BEARER_GOOD, "" },
	{ "the other of two keys", HEAD("RS256", "other"), GOOD,
	    SIGNER_RSA_OTHER, OAUTH_BEARER_GOOD, "" },
	/* Signatures. */
	{ "the other key under its name", RS, GOOD, SIGNER_RSA_OTHER,
	    OAUTH_BEARER_INVALID, "" },
	{ "no kid, and no key that fits: it may be a new one",
	    "{\"alg\":\"RS256\",\"typ\":\"at+jwt\"}", GOOD, SIGNER_RSA_SHORT,
	    OAUTH_BEARER_KEY, "" },
	{ "a key that is not there", HEAD("RS256", "new"), GOOD, SIGNER_RSA,
	    OAUTH_BEARER_KEY, "" },
	{ "a key for encryption", HEAD("RS256", "enc"), GOOD, SIGNER_RSA,
	    OAUTH_BEARER_KEY, "" },
	{ "a key that may not verify", HEAD("RS256", "ops"), GOOD, SIGNER_RSA,
	    OAUTH_BEARER_KEY, "" },
	{ "a key of another algorithm", HEAD("PS256", "rs"), GOOD, SIGNER_RSA,
	    OAUTH_BEARER_KEY, "" },
	{ "a key that is too short", HEAD("RS256", "short"), GOOD,
	    SIGNER_RSA_SHORT, OAUTH_BEARER_INVALID, "" },
	{ "an algorithm of another kind of key", HEAD("ES256", "rsa"), GOOD,
	    SIGNER_RSA, OAUTH_BEARER_KEY, "" },
	{ "a broken key", HEAD("RS256", "broken"), GOOD, SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "RS512", HEAD("RS512", "rsa"), GOOD, SIGNER_RSA, OAUTH_BEARER_INVALID,
	    "" },
	{ "HS256", HEAD("HS256", "rsa"), GOOD, SIGNER_RSA, OAUTH_BEARER_INVALID,
	    "" },
	{ "none", HEAD("none", "rsa"), GOOD, SIGNER_RSA, OAUTH_BEARER_INVALID,
	    "" },
	{ "no algorithm", "{\"typ\":\"at+jwt\",\"kid\":\"rsa\"}", GOOD,
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "two algorithms",
	    "{\"alg\":\"none\",\"alg\":\"RS256\",\"typ\":\"at+jwt\"}", GOOD,
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "an extension that must be known",
	    "{\"alg\":\"RS256\",\"typ\":\"at+jwt\",\"kid\":\"rsa\",\"crit\":["
	    "\"b64\"],\"b64\":false}",
	    GOOD, SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "a key of its own",
	    "{\"alg\":\"RS256\",\"typ\":\"at+jwt\",\"kid\":\"mine\",\"jku\":"
	    "\"https://evil.example/\",\"jwk\":{}}",
	    GOOD, SIGNER_RSA, OAUTH_BEARER_KEY, "" },
	{ "a kid that is a number",
	    "{\"alg\":\"RS256\",\"typ\":\"at+jwt\",\"kid\":1}", GOOD,
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "an ID token", "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"rsa\"}",
	    GOOD, SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "no type", "{\"alg\":\"RS256\",\"kid\":\"rsa\"}", GOOD, SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "a header that is a list", "[]", GOOD, SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	/* Issuer and audience. */
	{ "another issuer", RS, ISS("\"iss\":\"https://id2.example\","),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "an issuer with a slash", RS, ISS("\"iss\":\"https://id.example/\","),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "no issuer", RS, ISS(""), SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "a list of issuers", RS, ISS("\"iss\":[\"https://id.example\"],"),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "among audiences", RS,
	    AUD("\"aud\":[\"x\",\"https://m.example/mcp\"],"), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "" },
	{ "another audience", RS, AUD("\"aud\":\"https://m.example/\","),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "other audiences", RS, AUD("\"aud\":[\"x\",\"y\"],"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "an audience within a list", RS,
	    AUD("\"aud\":[[\"https://m.example/mcp\"]],"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "an empty list of audiences", RS, AUD("\"aud\":[],"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "no audience", RS, AUD(""), SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	/* Times. */
	{ "expired within the skew", RS,
	    AT("\"iat\":1699999000,\"exp\":1699999941"), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "" },
	{ "expired", RS, AT("\"iat\":1699999000,\"exp\":1699999940"),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "no end", RS, AT("\"iat\":1700000000"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "an end in quotes", RS,
	    AT("\"iat\":1700000000,\"exp\":\"1700000600\""), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "an end with a fraction", RS,
	    AT("\"iat\":1700000000,\"exp\":1700000600.5"), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "" },
	{ "an end beyond all numbers", RS,
	    AT("\"iat\":1700000000,\"exp\":1e300"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "a negative end", RS, AT("\"iat\":1700000000,\"exp\":-1"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "not valid yet", RS,
	    AT("\"iat\":1700000000,\"exp\":1700000600,\"nbf\":1700000061"),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "valid since now", RS,
	    AT("\"iat\":1700000000,\"exp\":1700000600,\"nbf\":1700000060"),
	    SIGNER_RSA, OAUTH_BEARER_GOOD, "" },
	{ "made later", RS, AT("\"iat\":1700000061,\"exp\":1700000600"),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "never made", RS, AT("\"exp\":1700000600"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	/* Whose it is. */
	{ "no subject", RS, SUB(""), SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "an empty subject", RS, SUB(",\"sub\":\"\""), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "a subject that is a number", RS, SUB(",\"sub\":1"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "two subjects", RS, SUB(",\"sub\":\"dora\",\"sub\":\"dora\""),
	    SIGNER_RSA, OAUTH_BEARER_INVALID, "" },
	{ "bound to a key", RS, MORE("\"cnf\":{\"jkt\":\"x\"},"), SIGNER_RSA,
	    OAUTH_BEARER_INVALID, "" },
	{ "claims that are a list", RS, "[]", SIGNER_RSA, OAUTH_BEARER_INVALID,
	    "" },
	{ "claims that are no JSON", RS, "{", SIGNER_RSA, OAUTH_BEARER_INVALID,
	    "" },
	/* Scopes. */
	{ "its scope", RS, MORE("\"scope\":\"mail x\","), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "mail" },
	{ "its two scopes", RS, MORE("\"scope\":\"x mail read\","), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "mail read" },
	{ "one of two scopes", RS, MORE("\"scope\":\"mail\","), SIGNER_RSA,
	    OAUTH_BEARER_SCOPE, "mail read" },
	{ "a scope that begins like it", RS, MORE("\"scope\":\"mailer\","),
	    SIGNER_RSA, OAUTH_BEARER_SCOPE, "mail" },
	{ "no scope", RS, GOOD, SIGNER_RSA, OAUTH_BEARER_SCOPE, "mail" },
	{ "scp as a list", RS, MORE("\"scp\":[\"x\",\"mail\"],"), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "mail" },
	{ "scp as a text", RS, MORE("\"scp\":\"x mail\","), SIGNER_RSA,
	    OAUTH_BEARER_GOOD, "mail" },
	{ "nothing is good without a signature", RS,
	    MORE("\"scope\":\"mail\","), SIGNER_RSA_OTHER, OAUTH_BEARER_INVALID,
	    "mail" },
};

/* All of its keys, and some that are not for signatures. */
static struct str
make_keys(struct arena *a)
{
	struct str rsa = signer_jwk(a, SIGNER_RSA);

	return str_fmt(a,
	    "{\"keys\":[7,{},{\"kid\":\"broken\",\"kty\":\"RSA\",\"n\":\"!\"},"
	    "{\"kid\":\"secret\",\"kty\":\"oct\",\"k\":\"AAAA\"},"
	    "{\"kid\":\"enc\",\"use\":\"enc\",%.*s},"
	    "{\"kid\":\"ops\",\"key_ops\":[\"sign\"],%.*s},"
	    "{\"kid\":\"rs\",\"alg\":\"RS256\",%.*s},"
	    "{\"kid\":\"rsa\",\"use\":\"sig\",%.*s},{\"kid\":\"other\",%.*s},"
	    "{\"kid\":\"short\",%.*s},{\"kid\":\"p256\",\"alg\":\"ES256\",%.*s}"
	    ",{\"kid\":\"ed\",\"key_ops\":[\"verify\"],%.*s}]}",
	    STR_ARG(rsa), STR_ARG(rsa), STR_ARG(rsa), STR_ARG(rsa),
	    STR_ARG(signer_jwk(a, SIGNER_RSA_OTHER)),
	    STR_ARG(signer_jwk(a, SIGNER_RSA_SHORT)),
	    STR_ARG(signer_jwk(a, SIGNER_P256)),
	    STR_ARG(signer_jwk(a, SIGNER_ED25519)));
}

static struct oauth_bearer
check(struct arena *a, struct str token, const char *scope, bool any_type)
{
	const struct oauth_bearer_want want = {
		.issuer = S("https://id.example"),
		.audience = S("https://m.example/mcp"),
		.scope = str_of(scope),
		.any_type = any_type,
		.now_s = NOW,
	};
	struct oauth_bearer got;

	oauth_bearer_check(a, token, &want, make_keys(a), &got);
	if ((got.is == OAUTH_BEARER_GOOD) != (got.why == NULL))
		fail_msg("a verdict and a reason");
	return got;
}

static void
a_token(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	size_t i = (size_t)(uintptr_t)*state;
	struct str text =
	    signer_text(a, str_of(rows[i].header), str_of(rows[i].claims));
	bool pss = strstr(rows[i].header, "PS256") != NULL;
	struct oauth_bearer got = check(a,
	    signer_token(a, text, signer_value(a, rows[i].by, pss, text)),
	    rows[i].scope, false);

	if (got.is != rows[i].is)
		fail_msg("%d: %s", (int)got.is,
		    got.why != NULL ? got.why : "good");
	if (got.is == OAUTH_BEARER_GOOD)
		assert_true(str_eq(got.subject, S("dora")));
}

/* The oldest forgery: the public key as the secret of an HMAC. */
static void
a_public_key_is_no_secret(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	static const char *const heads[] = { HEAD("HS256", "rsa"),
		HEAD("HS256", "secret"), HEAD("RS256", "rsa"),
		HEAD("RS256", "secret") };
	struct str key = signer_jwk(a, SIGNER_RSA);
	unsigned char mac[32];
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct str text = signer_text(a, str_of(heads[i]), S(GOOD));

		(void)HMAC(EVP_sha256(), key.p, (int)key.n,
		    (const unsigned char *)text.p, text.n, mac, &n);
		assert_true(
		    check(a,
			signer_token(a, text, (struct str){ (char *)mac, n }),
			"", true)
			.is != OAUTH_BEARER_GOOD);
	}
}

/* A provider that does not say at+jwt, where the operator allows it. */
static void
any_type(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	static const struct {
		const char *head;
		enum oauth_bearer_is is, any;
	} types[] = {
		{ "{\"alg\":\"RS256\",\"kid\":\"rsa\"}", OAUTH_BEARER_INVALID,
		    OAUTH_BEARER_GOOD },
		{ "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"rsa\"}",
		    OAUTH_BEARER_INVALID, OAUTH_BEARER_GOOD },
		{ RS, OAUTH_BEARER_GOOD, OAUTH_BEARER_GOOD },
		/* It is meant for something else. */
		{ "{\"alg\":\"RS256\",\"typ\":\"logout+jwt\",\"kid\":\"rsa\"}",
		    OAUTH_BEARER_INVALID, OAUTH_BEARER_INVALID },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct str text =
		    signer_text(a, str_of(types[i].head), S(GOOD));
		struct str token = signer_token(a, text,
		    signer_value(a, SIGNER_RSA, false, text));

		assert_int_equal(check(a, token, "", false).is, types[i].is);
		assert_int_equal(check(a, token, "", true).is, types[i].any);
	}
}

/* What a provider answers of a token, RFC 7662 section 2.2. */
#define SAYS(more)                                                             \
	"{\"active\":true,\"aud\":\"https://m.example/"                        \
	"mcp\",\"sub\":\"dora\"" more "}"
static const struct {
	const char *why, *says;
	enum oauth_bearer_is is;
} answers[] = {
	{ "as little as that", SAYS(""), OAUTH_BEARER_GOOD },
	{ "a bearer token", SAYS(",\"token_type\":\"bearer\""),
	    OAUTH_BEARER_GOOD },
	{ "an access token",
	    SAYS(",\"token_use\":\"access_token\",\"typ\":\"Bearer\""),
	    OAUTH_BEARER_GOOD },
	{ "a refresh token", SAYS(",\"token_use\":\"refresh_token\""),
	    OAUTH_BEARER_INVALID },
	{ "a refresh token by its type", SAYS(",\"typ\":\"Refresh\""),
	    OAUTH_BEARER_INVALID },
	{ "an ID token", SAYS(",\"token_use\":\"id\""), OAUTH_BEARER_INVALID },
	{ "one of DPoP", SAYS(",\"token_type\":\"DPoP\""),
	    OAUTH_BEARER_INVALID },
	{ "a type that is no text", SAYS(",\"token_type\":[\"Bearer\"]"),
	    OAUTH_BEARER_INVALID },
	{ "another issuer's", SAYS(",\"iss\":\"https://id2.example\""),
	    OAUTH_BEARER_INVALID },
	{ "one that has expired", SAYS(",\"exp\":1699999940"),
	    OAUTH_BEARER_INVALID },
	{ "no audience", "{\"active\":true,\"sub\":\"dora\"}",
	    OAUTH_BEARER_INVALID },
	{ "no subject", "{\"active\":true,\"aud\":\"https://m.example/mcp\"}",
	    OAUTH_BEARER_INVALID },
};

static void
an_answer(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	size_t i = (size_t)(uintptr_t)*state;
	const struct oauth_bearer_want want = {
		.issuer = S("https://id.example"),
		.audience = S("https://m.example/mcp"),
		.now_s = NOW,
	};
	struct oauth_bearer got;
	struct err e = { 0 };

	assert_int_equal(json_parse_open(str_of(answers[i].says), 4096, &doc,
			     &e),
	    0);
	bearer_claims(a, json_parse_root(doc), &want, true, &got);
	assert_int_equal(got.is, answers[i].is);
}

/* Every byte of a good token counts, and so does its end. */
static void
a_changed_token(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str text = signer_text(a, S(RS), S(GOOD));
	struct str token =
	    signer_token(a, text, signer_value(a, SIGNER_RSA, false, text));
	char *p = str_c(a, token);

	(void)state;
	assert_int_equal(check(a, str_of(p), "", false).is, OAUTH_BEARER_GOOD);
	for (size_t i = 0; i < token.n; i += 7) {
		char was = p[i];

		p[i] = was == 'A' ? 'B' : 'A';
		if (check(a, str_of(p), "", false).is == OAUTH_BEARER_GOOD)
			fail_msg("byte %zu", i);
		p[i] = was;
	}
	for (size_t i = 0; i < token.n; i += 31)
		if (check(a, str_first(token, i), "", false).is ==
		    OAUTH_BEARER_GOOD)
			fail_msg("cut at %zu", i);
}

static const char *const odd[] = { "", ".", "..", "...", "a", "a.b", "a.b.c",
	"e30.e30.", "e30..e30", ".e30.e30", "e30.e30.e30.e30",
	"e30.e30.e30=", "e30.e30.e3+", "e30=.e30=.e30=" };

static void
what_is_no_token(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct str text;

	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		assert_int_equal(check(a, str_of(odd[i]), "", true).is,
		    OAUTH_BEARER_INVALID);
	/* Deep, and long. */
	text = signer_text(a, rows_repeat(a, S("["), 3000), S(GOOD));
	assert_int_equal(check(a, signer_token(a, text, S("xxxx")), "", true)
			     .is,
	    OAUTH_BEARER_INVALID);
	text = signer_text(a, S(RS), rows_repeat(a, S("[["), 2000));
	assert_int_equal(check(a,
			     signer_token(a, text,
				 signer_value(a, SIGNER_RSA, false, text)),
			     "", true)
			     .is,
	    OAUTH_BEARER_INVALID);
	text = signer_text(a, S(RS),
	    str_fmt(a, MORE("\"x\":\"%.*s\","),
		STR_ARG(rows_repeat(a, S("x"), LIMIT_BEARER))));
	assert_int_equal(check(a,
			     signer_token(a, text,
				 signer_value(a, SIGNER_RSA, false, text)),
			     "", true)
			     .is,
	    OAUTH_BEARER_INVALID);
}

int
main(void)
{
	int r;

	signer_begin();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		rows_add(rows[i].why, a_token, (const void *)(uintptr_t)i);
	rows_add("a public key is no secret", a_public_key_is_no_secret, NULL);
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		rows_add(answers[i].why, an_answer, (const void *)(uintptr_t)i);
	rows_add("any type, where that is allowed", any_type, NULL);
	rows_add("a changed token", a_changed_token, NULL);
	rows_add("what is no token", what_is_no_token, NULL);
	r = cmocka_run_group_tests_name("bearer", rows_tests, NULL, NULL);
	signer_end();
	return r;
}
