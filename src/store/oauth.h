/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STORE_OAUTH_H
#define STORE_OAUTH_H

/*
 * The OAuth provider of each account, and its refresh token, which a provider
 * may replace at every use.  Access tokens are not stored.
 */
#include "store/store.h"

struct store_oauth {
	struct str provider;  /* a name in the table of oauth/, or empty */
	struct str issuer;    /* issuer of any other provider, or empty */
	struct str token_url; /* empty: as in the table */
	bool basic;           /* the client authenticates with HTTP Basic */
	struct str scope;     /* empty: as in the table */
	int64_t consent_s, refresh_s; /* unix seconds; 0: never */
	bool has_client_id, has_client_secret, has_refresh;
};

/* ERR_NOT_FOUND: no such account. */
int store_oauth_get(struct store *s, struct arena *a, int64_t account,
    struct store_oauth *out, struct err *e);

/* The result of a consent; client_secret may be NULL, which removes it. */
struct store_consent {
	struct store_oauth from; /* has_* and the times are not read */
	const struct secret *client_id, *client_secret, *refresh;
};

/*
 * Replaces the consent, and a stored access token, in one transaction that is
 * on disk when it returns.
 */
int store_oauth_consent(struct store *s, int64_t account,
    const struct store_consent *c, struct err *e);
/*
 * Records that a token was refreshed; refresh, if not NULL, replaces the old
 * one.  On disk before it returns, because the old one may no longer work.
 * ERR_NOT_FOUND if the consent was removed meanwhile; it is not restored.
 */
int store_oauth_refreshed(struct store *s, int64_t account,
    const struct secret *refresh, struct err *e);

/*
 * Names the provider that will be asked: its name or issuer, and the scope.
 * Removes a consent, which was of another.  For the operator.
 */
int store_oauth_name(struct store *s, int64_t account,
    const struct store_oauth *x, struct err *e);
/* Removes a consent: client, token and provider. */
int store_oauth_forget(struct store *s, int64_t account, struct err *e);

/*
 * One process at a time refreshes an account's token.  Otherwise two would use
 * one refresh token, and a provider that detects reuse would revoke both.  A
 * lock ends with its process.  ERR_DB if the deadline passes.
 */
struct store_lock;

#define STORE_LOCK_ALL (-1) /* all accounts, present and future */
#define STORE_LOCK_ISSUER 0 /* no account's: what is kept of store/issuer.h */

int store_lock_take(struct store *s, int64_t account, int64_t deadline_ms,
    struct store_lock **out, struct err *e);
/* Before a refresh token is used: is it held still?  ERR_DB if not. */
int store_lock_still(struct store *s, struct store_lock *l, struct err *e);
/* NULL-safe; sets *l to NULL. */
void store_lock_close(struct store_lock **l);

#endif
