/* SPDX-License-Identifier: Apache-2.0 */
/* The identity provider as its commands show it. */
#include "desk/issuer.h"

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
