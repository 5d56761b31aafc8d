/* SPDX-License-Identifier: Apache-2.0 */
/* The identity provider as its commands show it. */
#include "desk/issuer.h"

#include "base/limits.h"
#include "source/endpoint.h"

const struct field issuer_fields[] = {
	{ "issuer", FIELD_TEXT, .help = "the identity provider" },
	{ "resource", FIELD_TEXT,
	    .help = "the address that clients use for this server" },
	{ "audience", FIELD_TEXT, .help = "what tokens must be for" },
	{ "scope", FIELD_TEXT, .nullable = true,
	    .help = "the scopes that they need; null: none" },
	{ "any_type", FIELD_BOOL,
	    .help = "may a signed one leave out that it is an access token?" },
	{ "checked", FIELD_TEXT,
	    .help =
		"by signature; or by introspection: the provider is asked" },
	{ "client_id", FIELD_TEXT, .nullable = true,
	    .help = "the client that asks it; null: none" },
	{ "ca", FIELD_TEXT, .nullable = true,
	    .help = "file of its authorities; null: the system's" },
	{ 0 },
};

struct str
issuer_bare(struct str issuer)
{
	return str_ends(issuer, S("/")) ? str_first(issuer, issuer.n - 1)
					: issuer;
}

void
issuer_put(struct json *out, const struct store_issuer *x)
{
	json_put_str(out, "issuer", x->issuer);
	json_put_str(out, "resource", x->resource);
	json_put_str(out, "audience",
	    x->audience.n > 0 ? x->audience : x->resource);
	json_put_str_or_null(out, "scope", x->scope);
	json_put_bool(out, "any_type", x->any_type);
	json_put_text(out, "checked",
	    x->client.n > 0 ? "introspection" : "signature");
	json_put_str_or_null(out, "client_id", x->client);
	json_put_str_or_null(out, "ca", x->ca_file);
}

/* It comes back in a header, between quotes. */
static bool
issuer_is_text(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < ' ' || s.p[i] > '~' || s.p[i] == '"' ||
		    s.p[i] == '\\')
			return false;
	return s.n <= LIMIT_BEARER_TEXT;
}

int
issuer_fits(const struct store_issuer *x, struct err *e)
{
	const struct str all[] = { x->issuer, x->resource, x->audience,
		x->scope, x->client };
	bool usable;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!issuer_is_text(all[i]))
			return err_set(e, ERR_USAGE,
			    "a value is longer than %d bytes, or has "
			    "characters that none of these can have",
			    LIMIT_BEARER_TEXT);
	if (x->any_type && x->client.n > 0)
		return err_set(e, ERR_USAGE,
		    "--any-type is about signed tokens: with --client-id the "
		    "provider is asked, and no signature is looked at");
	if (endpoint_ok(x->resource, &usable, e) < 0)
		return -1;
	if (!usable || str_has_char(x->resource, '?'))
		return err_set(e, ERR_USAGE,
		    "--resource takes https://HOST[:PORT]/PATH, or http:// on "
		    "this machine");
	return 0;
}
