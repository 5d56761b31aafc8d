/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OAUTH_BEARER_H
#define OAUTH_BEARER_H

/*
 * OAuth 2 for a server that others call: is an access token one of the issuer's
 * that the operator trusts, and made for this server?  As a signed JWT (RFC
 * 9068) or by asking the issuer (RFC 7662).  The token is in no error and in no
 * text that comes back.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

/* What a token must be. */
struct oauth_bearer_want {
	struct str issuer;
	struct str audience; /* must be among its audiences, RFC 8707 */
	struct str scope;    /* words, all of which it needs; may be empty */
	bool any_type;       /* it may also name no type, or JWT */
	int64_t now_s;
};

enum oauth_bearer_is {
	OAUTH_BEARER_INVALID, /* zero: whatever else is wrong */
	OAUTH_BEARER_KEY,     /* its key is not among those that are known */
	OAUTH_BEARER_SCOPE,   /* it is good, but not for this */
	OAUTH_BEARER_GOOD,
};

struct oauth_bearer {
	enum oauth_bearer_is is;
	struct str subject; /* only of a good one */
	const char *why;    /* fixed words; NULL: it is good */
};

/* -- bearer.c: a JWT; no I/O ----------------------------------------------- */

/* Checks it with the issuer's keys, the text of a JWK Set (RFC 7517). */
void oauth_bearer_check(struct arena *a, struct str token,
    const struct oauth_bearer_want *want, struct str keys,
    struct oauth_bearer *out);

/* -- issuer.c: what the issuer says ---------------------------------------- */

struct oauth_issuer {
	struct str issuer;         /* as it spells itself, and its tokens do */
	struct str keys_url;       /* empty: it has none */
	struct str introspect_url; /* likewise */
	bool basic; /* whoever asks there authenticates by HTTP Basic */
};

/* Reads its document: oauth_discover().  The deadline is on clock_mono_ms(). */
int oauth_issuer_find(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct oauth_issuer *out, struct err *e);
/* Fetches its keys.  ERR_NETWORK, ERR_LIMIT; ERR_CONFIG: it has none. */
int oauth_issuer_keys(struct arena *a, const struct oauth_issuer *x,
    struct str ca_file, int64_t deadline_ms, struct str *keys, struct err *e);
/* Asks it about a token, as that client.  ERR_NETWORK, ERR_CONFIG. */
struct oauth_issuer_client {
	const struct secret *id, *secret;
	struct str ca_file;
};
int oauth_issuer_ask(struct arena *a, const struct oauth_issuer *x,
    const struct oauth_issuer_client *c, struct str token,
    const struct oauth_bearer_want *want, int64_t deadline_ms,
    struct oauth_bearer *out, struct err *e);

#endif
