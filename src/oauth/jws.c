/* SPDX-License-Identifier: Apache-2.0 */
/* Signed tokens: their three parts, and their keys. */
#include "oauth/jws.h"

#include "base/base64.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/signature.h"
#include "net/sha256.h"

enum {
	RSA_LEAST = 2048, /* bits, RFC 7518 section 3.3 */
	HASH = 32,
	PARTS = 2
};

/* RFC 7518 section 3.1, RFC 8037.  "none" and whatever has a shared secret are
 * not here. */
static const struct jws_algorithm {
	const char *name;
	enum signature_kind kind;
	const char *type, *curve; /* kty and crv of its keys */
	const char *part[PARTS];  /* and what they consist of */
} algorithms[] = {
	{ "RS256", SIGNATURE_RSA, "RSA", NULL, { "n", "e" } },
	{ "PS256", SIGNATURE_RSA_PSS, "RSA", NULL, { "n", "e" } },
	{ "ES256", SIGNATURE_P256, "EC", "P-256", { "x", "y" } },
	{ "EdDSA", SIGNATURE_ED25519, "OKP", "Ed25519", { "x" } },
};

static const struct jws_algorithm *
jws_algorithm_find(struct str name)
{
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++)
		if (str_eq(name, str_of(algorithms[i].name)))
			return &algorithms[i];
	return NULL;
}

/* False: it is not base64url, or empty. */
static bool
jws_decode(struct arena *a, struct str text, struct str *out)
{
	char *p = arena_alloc(a, text.n + 3);
	ptrdiff_t n = base64_decode_url(p, text);

	*out = (struct str){ p, n > 0 ? (size_t)n : 0 };
	return n > 0;
}

struct str
jws_text(struct arena *a, const struct json_value *v, const char *name,
    bool *bad)
{
	const struct json_value *m = json_parse_member(v, name);
	struct str s = { "", 0 };

	if (m != NULL && !json_parse_str(m, &s))
		*bad = true;
	return str_dup(a, s);
}

static const char *
jws_read_head(struct arena *a, struct str head, struct jws *out)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct json_value *v;
	struct err none = { 0 };
	bool bad = false;

	if (json_parse_open(head, LIMIT_BEARER, &doc, &none) < 0 ||
	    !json_parse_is_object(v = json_parse_root(doc)))
		return "its header is no JSON object";
	out->algorithm = jws_algorithm_find(jws_text(a, v, "alg", &bad));
	out->type = jws_text(a, v, "typ", &bad);
	out->key = jws_text(a, v, "kid", &bad);
	if (bad)
		return "its header is not as RFC 7515 has it";
	/* RFC 7515 section 4.1.11: nothing of that kind is known here. */
	if (json_parse_member(v, "crit") != NULL)
		return "its header demands an extension";
	return out->algorithm != NULL ? NULL : "its algorithm is not accepted";
}

const char *
jws_read(struct arena *a, struct str token, struct jws *out)
{
	struct str head, rest, payload, value;

	*out = (struct jws){ 0 };
	if (token.n > LIMIT_BEARER)
		return "it is too long";
	if (!str_cut(token, '.', &head, &rest) ||
	    !str_cut(rest, '.', &payload, &value) || str_has_char(value, '.'))
		return "it is no signed JWT";
	out->of = str_first(token, head.n + 1 + payload.n);
	if (!jws_decode(a, head, &head) ||
	    !jws_decode(a, payload, &out->payload) ||
	    !jws_decode(a, value, &out->value))
		return "it is no signed JWT";
	return jws_read_head(a, head, out);
}

/* RFC 7517 section 4.3: absent, or with "verify". */
static bool
jws_key_verifies(const struct json_value *key)
{
	const struct json_value *ops = json_parse_member(key, "key_ops");
	struct str s;

	for (size_t i = 0; i < json_parse_count(ops); i++)
		if (json_parse_str(json_parse_item(ops, i), &s) &&
		    str_eq(s, S("verify")))
			return true;
	return ops == NULL;
}

/* Could that key have signed it? */
static bool
jws_key_fits(struct arena *a, const struct jws *x, const struct json_value *key)
{
	const struct jws_algorithm *is = x->algorithm;
	bool bad = false;
	struct str type = jws_text(a, key, "kty", &bad);
	struct str curve = jws_text(a, key, "crv", &bad);
	struct str use = jws_text(a, key, "use", &bad);
	struct str name = jws_text(a, key, "alg", &bad);
	struct str id = jws_text(a, key, "kid", &bad);

	return !bad && str_eq(type, str_of(is->type)) &&
	    (is->curve == NULL || str_eq(curve, str_of(is->curve))) &&
	    (use.n == 0 || str_eq(use, S("sig"))) &&
	    (name.n == 0 || str_eq(name, str_of(is->name))) &&
	    (x->key.n == 0 || str_eq(id, x->key)) && jws_key_verifies(key);
}

static bool
jws_key_read(struct arena *a, const struct jws_algorithm *is,
    const struct json_value *key, struct str *out)
{
	struct str part[PARTS] = { { "", 0 }, { "", 0 } };
	bool bad = false;
	struct buf b;

	for (size_t i = 0; i < PARTS && is->part[i] != NULL; i++)
		if (!jws_decode(a, jws_text(a, key, is->part[i], &bad),
			&part[i]))
			return false;
	if (is->curve == NULL) {
		*out = signature_rsa_key(a, part[0], part[1]);
		return out->n > 0;
	}
	/* Points have a fixed size, and so both their halves. */
	buf_init(&b, a, LIMIT_ISSUER_KEYS);
	buf_str(&b, part[0]);
	buf_str(&b, part[1]);
	*out = buf_view(&b);
	return is->part[1] == NULL || part[0].n == part[1].n;
}

static bool
jws_good_by(struct arena *a, const struct jws *x, const struct json_value *key,
    const unsigned char hash[HASH])
{
	struct signature s = { .kind = x->algorithm->kind,
		.bits = RSA_LEAST,
		.of = { (const char *)hash, HASH },
		.value = x->value };

	if (s.kind == SIGNATURE_ED25519)
		s.of = x->of;
	return jws_key_read(a, x->algorithm, key, &s.key) && signature_good(&s);
}

bool
jws_good(struct arena *a, const struct jws *x, const struct json_value *keys,
    bool *known)
{
	const struct json_value *list = json_parse_member(keys, "keys");
	unsigned char hash[HASH];

	*known = false;
	sha256_of(x->of, hash);
	for (size_t i = 0;
	     i < json_parse_count(list) && i < LIMIT_ISSUER_KEYS_N; i++) {
		const struct json_value *key = json_parse_item(list, i);

		if (!jws_key_fits(a, x, key))
			continue;
		/* Without its key's name it may be of a new one. */
		*known = x->key.n > 0;
		if (jws_good_by(a, x, key, hash))
			return true;
	}
	return false;
}
