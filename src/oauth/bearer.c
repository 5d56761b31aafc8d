/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an access token says (RFC 9068 section 4): whose it is, of whom, for
 * whom, and how long.
 */
#include "base/limits.h"
#include "oauth/jws.h"

struct reading {
	struct arena *a;
	const struct json_value *claims;
	const struct oauth_bearer_want *want;
	bool answer; /* RFC 7662: what is left out was checked by the issuer */
};

static const char *
bearer_check_issuer(const struct reading *r)
{
	bool bad = false;
	struct str is = jws_text(r->a, r->claims, "iss", &bad);

	if (!bad && is.n == 0 && r->answer)
		return NULL;
	return !bad && str_eq(is, r->want->issuer) ? NULL
						   : "it is another issuer's";
}

/* RFC 7519 section 4.1.3: one, or a list. */
static const char *
bearer_check_audience(const struct reading *r)
{
	const struct json_value *v = json_parse_member(r->claims, "aud");
	struct str s;

	if (json_parse_str(v, &s) && str_eq(s, r->want->audience))
		return NULL;
	for (size_t i = 0; i < json_parse_count(v); i++)
		if (json_parse_str(json_parse_item(v, i), &s) &&
		    str_eq(s, r->want->audience))
			return NULL;
	return "it is for another audience";
}

/* RFC 7519 section 2, NumericDate.  1; 0: it is missing; -1: it is none. */
static int
bearer_time(const struct reading *r, const char *name, int64_t *out)
{
	const int64_t most = 1LL << 40;
	const struct json_value *v = json_parse_member(r->claims, name);
	double x;

	*out = 0;
	if (v == NULL)
		return 0;
	if (json_parse_real(v, &x) && x >= 0 && x < (double)most)
		*out = (int64_t)x;
	else if (!json_parse_int(v, out))
		return -1;
	return *out >= 0 && *out <= most ? 1 : -1;
}

static const char *
bearer_check_times(const struct reading *r)
{
	int64_t now = r->want->now_s, end, from, made;
	int has_end = bearer_time(r, "exp", &end);
	int has_from = bearer_time(r, "nbf", &from);
	int has_made = bearer_time(r, "iat", &made);

	if (has_end < 0 || has_from < 0 || has_made < 0)
		return "a time in it is none";
	if (!r->answer && (has_end == 0 || has_made == 0))
		return "it has no times";
	if (has_end > 0 && now >= end + LIMIT_BEARER_SKEW_S)
		return "it has expired";
	if ((has_from > 0 && from > now + LIMIT_BEARER_SKEW_S) ||
	    (has_made > 0 && made > now + LIMIT_BEARER_SKEW_S))
		return "it is not valid yet";
	return NULL;
}

/* RFC 9449, RFC 8705: whoever sends it would have to prove that it may. */
static const char *
bearer_check_bound(const struct reading *r)
{
	return json_parse_member(r->claims, "cnf") == NULL
	    ? NULL
	    : "it is bound to a key, which nothing here can prove";
}

/*
 * RFC 7662 section 2.2: also a refresh token is active.  Providers say in
 * members of their own what a token is for.
 */
static const char *
bearer_check_use(const struct reading *r)
{
	static const char *const others[] = { "refresh", "refresh_token",
		"offline", "id", "id_token" };
	bool bad = false;
	struct str type = jws_text(r->a, r->claims, "token_type", &bad);
	struct str use = jws_text(r->a, r->claims, "token_use", &bad);
	struct str kind = jws_text(r->a, r->claims, "typ", &bad);

	if (!r->answer)
		return NULL;
	if (bad || (type.n > 0 && !str_eq_case(type, S("Bearer"))))
		return "it is no bearer token";
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (str_eq_case(use, str_of(others[i])) ||
		    str_eq_case(kind, str_of(others[i])))
			return "it is no access token";
	return NULL;
}

static const char *
bearer_take_subject(const struct reading *r, struct oauth_bearer *out)
{
	bool bad = false;
	struct str s = jws_text(r->a, r->claims, "sub", &bad);

	if (bad || s.n == 0 || s.n > LIMIT_BEARER_SUBJECT)
		return "it has no subject";
	out->subject = s;
	return NULL;
}

static bool
bearer_lists(struct str words, struct str one)
{
	struct str word;
	bool more = true;

	while (more) {
		more = str_cut(words, ' ', &word, &words);
		if (str_eq(word, one))
			return true;
	}
	return false;
}

/* `scope` is a text (RFC 8693 section 4.2); some say `scp`, and some a list. */
static bool
bearer_has_scope(const struct reading *r, struct str one)
{
	static const char *const names[] = { "scope", "scp" };
	struct str s;

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		const struct json_value *v =
		    json_parse_member(r->claims, names[k]);

		if (json_parse_str(v, &s) && bearer_lists(s, one))
			return true;
		for (size_t i = 0; i < json_parse_count(v); i++)
			if (json_parse_str(json_parse_item(v, i), &s) &&
			    str_eq(s, one))
				return true;
	}
	return false;
}

static bool
bearer_has_scopes(const struct reading *r)
{
	struct str rest = r->want->scope, one;
	bool more = rest.n > 0;

	while (more) {
		more = str_cut(rest, ' ', &one, &rest);
		if (one.n > 0 && !bearer_has_scope(r, one))
			return false;
	}
	return true;
}

void
bearer_claims(struct arena *a, const struct json_value *claims,
    const struct oauth_bearer_want *want, bool answer, struct oauth_bearer *out)
{
	static const char *(*const checks[])(
	    const struct reading *r) = { bearer_check_issuer,
		bearer_check_audience, bearer_check_times, bearer_check_bound,
		bearer_check_use };
	const struct reading r = { a, claims, want, answer };

	*out = (struct oauth_bearer){ .is = OAUTH_BEARER_INVALID };
	for (size_t i = 0;
	     out->why == NULL && i < sizeof(checks) / sizeof(checks[0]); i++)
		out->why = checks[i](&r);
	if (out->why == NULL)
		out->why = bearer_take_subject(&r, out);
	if (out->why != NULL)
		return;
	out->is =
	    bearer_has_scopes(&r) ? OAUTH_BEARER_GOOD : OAUTH_BEARER_SCOPE;
	if (out->is == OAUTH_BEARER_SCOPE)
		out->why = "it lacks the scope";
}

/*
 * RFC 9068 section 4: otherwise a token made for something else would do. `any`
 * is for providers that name no type, or only JWT; one of another type is not
 * meant for this (RFC 8725 section 3.11).
 */
static bool
bearer_is_access_token(struct str type, bool any)
{
	return str_eq_case(type, S("at+jwt")) ||
	    str_eq_case(type, S("application/at+jwt")) ||
	    (any && (type.n == 0 || str_eq_case(type, S("JWT"))));
}

static void
bearer_check_payload(struct arena *a, struct str payload,
    const struct oauth_bearer_want *want, struct oauth_bearer *out)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err none = { 0 };

	if (json_parse_open(payload, LIMIT_BEARER, &doc, &none) < 0 ||
	    !json_parse_is_object(json_parse_root(doc)))
		out->why = "its claims are no JSON object";
	else
		bearer_claims(a, json_parse_root(doc), want, false, out);
}

void
oauth_bearer_check(struct arena *a, struct str token,
    const struct oauth_bearer_want *want, struct str keys,
    struct oauth_bearer *out)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct err none = { 0 };
	struct jws x;
	bool known;

	*out = (struct oauth_bearer){ .is = OAUTH_BEARER_INVALID };
	out->why = jws_read(a, token, &x);
	if (out->why == NULL && !bearer_is_access_token(x.type, want->any_type))
		out->why = "its header does not say that it is an access token";
	if (out->why != NULL)
		return;
	(void)json_parse_open(keys, LIMIT_ISSUER_KEYS, &doc, &none);
	if (jws_good(a, &x, doc != NULL ? json_parse_root(doc) : NULL,
		&known)) {
		bearer_check_payload(a, x.payload, want, out);
	} else {
		out->is = known ? OAUTH_BEARER_INVALID : OAUTH_BEARER_KEY;
		out->why = known ? "its signature is wrong"
				 : "its key is not one of the issuer's";
	}
}
