/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OAUTH_JWS_H
#define OAUTH_JWS_H

/*
 * A JWS in its compact form (RFC 7515 section 3.1), and whether one of a set of
 * keys (RFC 7517) signed it.  No I/O.
 */
#include "base/json.h"
#include "oauth/bearer.h"

struct jws_algorithm;

struct jws {
	const struct jws_algorithm *algorithm;
	struct str type;  /* the header's typ; empty: it has none */
	struct str key;   /* its kid; empty: it has none */
	struct str of;    /* what is signed */
	struct str value; /* the signature */
	struct str payload;
};

/* NULL, or why it is none that is accepted, in fixed words. */
const char *jws_read(struct arena *a, struct str token, struct jws *out);
/* A member that is a text; otherwise empty, and *bad if it is anything else. */
struct str jws_text(struct arena *a, const struct json_value *v,
    const char *name, bool *bad);
/*
 * Is it signed by one of the keys?  *known: the key that it names is there. The
 * algorithm says of which kind the key must be, so that no public key is ever
 * taken for a shared secret.
 */
bool jws_good(struct arena *a, const struct jws *x,
    const struct json_value *keys, bool *known);

/* bearer.c: the claims of a token, which is the issuer's.  `answer`: they are
 * those of an answer to a question about it (RFC 7662 section 2.2). */
void bearer_claims(struct arena *a, const struct json_value *claims,
    const struct oauth_bearer_want *want, bool answer,
    struct oauth_bearer *out);

#endif
