/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an identity provider says for a server of resources: where its keys are,
 * these keys, and what it knows of a token (RFC 7662).
 */
#include "base/clock.h"
#include "net/http.h"
#include "oauth/internal.h"
#include "oauth/jws.h"

int
oauth_issuer_find(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct oauth_issuer *out, struct err *e)
{
	static const char methods[] =
	    "introspection_endpoint_auth_methods_supported";
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	bool any;

	*out = (struct oauth_issuer){ 0 };
	if (oauth_discover_open(a, issuer, ca_file, deadline_ms, &doc, e) < 0)
		return -1;
	out->issuer = str_dup(a, oauth_post_text(doc, "issuer"));
	out->basic = oauth_discover_lists(doc, methods,
			 S("client_secret_basic"), &any) ||
	    !any;
	if (oauth_discover_endpoint(a, out->issuer, doc, "jwks_uri", false,
		&out->keys_url, e) < 0)
		return -1;
	return oauth_discover_endpoint(a, out->issuer, doc,
	    "introspection_endpoint", false, &out->introspect_url, e);
}

static int
oauth_issuer_odd(struct err *e, const char *what, int status)
{
	(void)err_set(e, ERR_NETWORK, "the identity provider gave no %s", what);
	return err_because(e, "oauth: HTTP %d", status);
}

int
oauth_issuer_keys(struct arena *a, const struct oauth_issuer *x,
    struct str ca_file, int64_t deadline_ms, struct str *keys, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	CLEANUP(http_close) struct http *h = NULL;
	struct http_request q = { .url = x->keys_url,
		.redirects = 3,
		.max = LIMIT_ISSUER_KEYS,
		.deadline_ms = deadline_ms };
	struct err none = { 0 };
	struct http_reply r;

	if (x->keys_url.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the issuer's document has no jwks_uri: its tokens are "
		    "checked by asking it, see emcli help issuer set");
	if (http_open(ca_file, &h, e) < 0 || http_send(h, &q, &r, e) < 0)
		return -1;
	if (r.status != 200 ||
	    json_parse_open(r.body, LIMIT_ISSUER_KEYS, &doc, &none) < 0 ||
	    !json_parse_is_array(
		json_parse_member(json_parse_root(doc), "keys")))
		return oauth_issuer_odd(e, "keys", r.status);
	*keys = str_dup(a, r.body);
	return 0;
}

/* Section 2.2: of a token that is not active nothing else is said. */
static int
oauth_issuer_take(struct arena *a, const struct json_doc *doc, int status,
    const struct oauth_bearer_want *want, struct oauth_bearer *out,
    struct err *e)
{
	const struct json_value *v = doc != NULL ? json_parse_root(doc) : NULL;
	bool active;

	if (status == 401 || status == 403)
		return err_set(e, ERR_CONFIG,
		    "the identity provider refused the client that asks about "
		    "tokens: see emcli help issuer set");
	if (status != 200 ||
	    !json_parse_bool(json_parse_member(v, "active"), &active))
		return oauth_issuer_odd(e, "answer about a token", status);
	if (active)
		bearer_claims(a, v, want, true, out);
	else
		out->why = "the issuer does not know it, or no more";
	return 0;
}

int
oauth_issuer_ask(struct arena *a, const struct oauth_issuer *x,
    const struct oauth_issuer_client *c, struct str token,
    const struct oauth_bearer_want *want, int64_t deadline_ms,
    struct oauth_bearer *out, struct err *e)
{
	CLEANUP(oauth_form_done) struct oauth_form f = { .n = 0 };
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	const struct oauth_provider provider = { .basic = x->basic };
	const struct oauth_client client = { .provider = &provider,
		.id = c->id,
		.secret = c->secret,
		.ca_file = c->ca_file };
	int status = 0;

	*out = (struct oauth_bearer){ .is = OAUTH_BEARER_INVALID };
	if (x->introspect_url.n == 0)
		return err_set(e, ERR_CONFIG,
		    "the issuer's document has no introspection_endpoint");
	oauth_form_put(&f, "token", token);
	oauth_form_put(&f, "token_type_hint", S("access_token"));
	if (oauth_post(&client, x->introspect_url, &f, deadline_ms, &status,
		&doc, e) < 0)
		return -1;
	return oauth_issuer_take(a, doc, status, want, out, e);
}
