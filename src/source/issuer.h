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

#endif
