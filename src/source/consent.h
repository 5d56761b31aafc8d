/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_CONSENT_H
#define SOURCE_CONSENT_H

/*
 * A refresh of a token in its parts: who has the store unseals the consent and
 * stores what came; who has the network makes the request, and needs no store.
 * In `direct` that is one process (source/token.c), in the broker there are two
 * (door/serve/tokens.c, wire_token.c).
 */
#include <signal.h>

#include "source/source.h"
#include "store/oauth.h"

/* CLEANUP(source_consent_done).  Its texts are in an arena. */
struct source_consent {
	struct str account; /* its name */
	struct str ca_file; /* of the account */
	/* Of the provider: of its members only provider, issuer, token_url and
	 * basic are read for a request. */
	struct store_oauth from;
	struct secret *id, *secret, *refresh; /* NULL: there is none */
};

/*
 * Unseals what there is.  Take the lock first (store/oauth.h): the process
 * before may have replaced the token.  ERR_NOT_FOUND, ERR_CONFIG, ERR_DB.
 */
int source_consent_load(struct store *s, struct arena *a,
    const struct store_account *acct, struct source_consent *out,
    struct err *e);
void source_consent_done(struct source_consent *c);
/*
 * Makes the request.  out->refresh is NULL unless it is another one, which must
 * be stored before the access token is used.  A request that is begun has
 * LIMIT_OAUTH_REFRESH_MS, whatever deadline_ms says.  ERR_AUTH with reason
 * "consent": only a new consent helps.  ERR_NETWORK, ERR_CONFIG.
 */
int source_consent_refresh(const struct source_consent *c, int64_t deadline_ms,
    struct oauth_token *out, struct err *e);
/*
 * From the request until it is stored only the deadline may stop us: the old
 * refresh token may already be invalid, and the new one is nowhere else.
 * Blocks signals; *before is to be set again.
 */
void source_consent_hold(sigset_t *before);

#endif
