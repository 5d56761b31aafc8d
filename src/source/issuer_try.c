/* SPDX-License-Identifier: Apache-2.0 */
/* Does the identity provider answer as its tokens' checks need it to? */
#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "source/issuer.h"

/* May the client ask?  The answer about such a token is no. */
static int
issuer_try_client(struct arena *a, const struct oauth_issuer *is,
    const struct store_issuer *x, const struct secret *secret,
    int64_t deadline_ms, struct err *e)
{
	CLEANUP(secret_close)
	struct secret *id = secret_new(x->client.p, x->client.n);
	const struct oauth_issuer_client client = { id, secret, x->ca_file };
	const struct oauth_bearer_want none = { .issuer = is->issuer };
	struct oauth_bearer unused;

	return oauth_issuer_ask(a, is, &client, S("none"), &none, deadline_ms,
	    &unused, e);
}

static int
issuer_try_keys(struct arena *a, const struct oauth_issuer *is,
    const struct store_issuer *x, int64_t deadline_ms, size_t *n, struct err *e)
{
	CLEANUP(json_parse_close) struct json_doc *doc = NULL;
	struct str keys = { 0 };

	if (oauth_issuer_keys(a, is, x->ca_file, deadline_ms, &keys, e) < 0 ||
	    json_parse_open(keys, LIMIT_ISSUER_KEYS, &doc, e) < 0)
		return -1;
	*n = json_parse_count(json_parse_member(json_parse_root(doc), "keys"));
	return *n > 0 ? 0
		      : err_set(e, ERR_CONFIG,
			    "the identity provider has no key now: no token of "
			    "it can be checked");
}

int
issuer_try(struct arena *a, const struct store_issuer *x,
    const struct secret *secret, int64_t deadline_ms, struct issuer_tried *out,
    struct err *e)
{
	struct oauth_issuer is;

	*out = (struct issuer_tried){ .keys = 0 };
	if (oauth_issuer_find(a, x->issuer, x->ca_file, deadline_ms, &is, e) <
	    0)
		return -1;
	out->issuer = is.issuer;
	out->where = x->client.n > 0 ? is.introspect_url : is.keys_url;
	return x->client.n > 0
	    ? issuer_try_client(a, &is, x, secret, deadline_ms, e)
	    : issuer_try_keys(a, &is, x, deadline_ms, &out->keys, e);
}
