/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DESK_CONSENT_H
#define DESK_CONSENT_H

/*
 * An account's consent, for account consent and for whoever adds accounts and
 * goes on to it.
 */
#include "desk/note.h"
#include "oauth/oauth.h"
#include "store/oauth.h"
#include "store/store.h"

#define CONSENT_TIMEOUT_S 300

/* How it is to be had; empty strings and NULLs keep what the account has. */
struct consent_ask {
	struct str provider, issuer, scope, redirect;
	const struct secret *client_id, *client_secret;
	bool device, no_browser;
	bool open; /* others may read the file the client was read from */
	uint32_t timeout_s;
};

/*
 * Shows the person where to go, waits, and keeps what comes back.  ERR_USAGE
 * says which option is missing.
 */
int consent_get(struct notes *n, struct store *s,
    const struct store_account *acct, const struct consent_ask *ask,
    struct err *e);

/* consent_client.c: the client as options and their file say it. */
struct consent_client {
	struct secret *id, *secret; /* NULL: not given */
	struct str redirect;        /* empty: any free port */
	bool open;                  /* others may read its file */
};

int consent_client_read(const struct call *c, struct consent_client *out,
    struct err *e);
void consent_client_done(struct consent_client *x);

/* consent_from.c: where it comes from. */
struct consent_from {
	struct store_oauth keep; /* as it goes into the store */
	struct oauth_provider provider;
	const struct secret *id, *secret;     /* secret NULL: a public client */
	struct secret *kept_id, *kept_secret; /* what was unsealed for it */
};

int consent_from(struct arena *a, struct store *s,
    const struct store_account *acct, const struct consent_ask *ask,
    int64_t deadline_ms, struct consent_from *out, struct err *e);
void consent_from_done(struct consent_from *f);

#endif
