#ifndef STORE_OAUTH_H
#define STORE_OAUTH_H

/*
 * Where accounts' tokens come from, and the refresh tokens themselves, which a
 * provider may replace at every use.  Access tokens are never kept.
 */
#include "store/store.h"

struct store_oauth {
	struct str provider;          /* of the table in oauth/, or empty */
	struct str issuer;            /* of any other provider, or empty */
	struct str token_url;         /* empty: the table's */
	bool basic;                   /* the client logs in by HTTP Basic */
	struct str scope;             /* empty: the table's */
	int64_t consent_s, refresh_s; /* unix seconds; 0: never */
	bool has_client_id, has_client_secret, has_refresh;
};

/* ERR_NOT_FOUND: no such account. */
int store_oauth_get(struct store *s, struct arena *a, int64_t account,
    struct store_oauth *out, struct err *e);

/* What a consent brought; client_secret may be NULL, and is then taken away. */
struct store_consent {
	struct store_oauth from; /* has_* and the times are not read */
	const struct secret *client_id, *client_secret, *refresh;
};

/*
 * Puts a consent in place of what was there, an access token that was handed
 * in among it, in one transaction that outlives a power cut.
 */
int store_oauth_consent(struct store *s, int64_t account,
    const struct store_consent *c, struct err *e);
/*
 * Notes that a token was refreshed; refresh, when not NULL, replaces the old
 * one.  On disk before it returns: the old one may be dead already.
 * ERR_NOT_FOUND when the consent was forgotten meanwhile: it does not come
 * back.
 */
int store_oauth_refreshed(struct store *s, int64_t account,
    const struct secret *refresh, struct err *e);

/* Drops what a consent left: client, token and where they came from. */
int store_oauth_forget(struct store *s, int64_t account, struct err *e);

/*
 * One process at a time refreshes an account's token, or two would use one
 * refresh token, and a provider that looks for thieves would take both away.
 * A lock ends with its process.  ERR_DB when the deadline passes.
 */
struct store_lock;

#define STORE_LOCK_ALL (-1) /* every account there is or may be */

int store_lock_take(struct store *s, int64_t account, int64_t deadline_ms,
    struct store_lock **out, struct err *e);
/* NULL-safe; sets *l to NULL. */
void store_lock_close(struct store_lock **l);

#endif
