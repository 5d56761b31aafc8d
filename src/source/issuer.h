/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCE_ISSUER_H
#define SOURCE_ISSUER_H

/*
 * Access tokens of callers, checked with the operator's identity provider.
 * What it says is kept in the store for an hour, for all processes; one at a
 * time asks for it, at most once a minute.
 */
#include "oauth/bearer.h"
#include "store/issuer.h"

/*
 * 0 with the verdict.  ERR_NETWORK, ERR_CONFIG: the provider cannot be asked,
 * so there is none.
 */
int issuer_check(struct store *s, struct arena *a,
    const struct store_issuer *by, struct str token, struct oauth_bearer *out,
    struct err *e);
/* What it says to whoever wants to know whether that would work. */
struct issuer_tried {
	struct str issuer; /* as it spells itself */
	struct str where;  /* its keys are, or questions go */
	size_t keys;       /* of one whose tokens are signed */
};

/*
 * Asks it, and keeps nothing; with x->client as that client.  ERR_NETWORK,
 * ERR_CONFIG, ERR_USAGE.  The deadline is on clock_mono_ms().  issuer_try.c
 */
int issuer_try(struct arena *a, const struct store_issuer *x,
    const struct secret *secret, int64_t deadline_ms, struct issuer_tried *out,
    struct err *e);

#endif
