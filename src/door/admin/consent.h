#ifndef DOOR_ADMIN_CONSENT_H
#define DOOR_ADMIN_CONSENT_H

/*
 * An account's consent, for account consent and for whoever adds accounts and
 * goes on to it.
 */
#include "door/admin/internal.h"
#include "oauth/oauth.h"
#include "store/oauth.h"

/* How it is to be had; empty strings and NULLs keep what the account has. */
struct consent_ask {
	struct str provider, issuer, scope, redirect;
	const struct secret *client_id, *client_secret;
	bool device, no_browser;
	uint32_t timeout_s;
};

/* emcli account consent */
extern const struct arg_spec consent_args[];
int consent_run(struct admin_call *c, struct err *e);

/*
 * Shows the person where to go, waits, and keeps what comes back.  What has to
 * be seen at once goes to stdout now, what came of it to c->out.  ERR_USAGE
 * says which option is missing.
 */
int consent_get(struct admin_call *c, const struct store_account *acct,
    const struct consent_ask *ask, struct err *e);

/* consent_client.c: the client as options and their file say it. */
struct consent_client {
	struct secret *id, *secret; /* NULL: not given */
	struct str redirect;        /* empty: any free port */
};

int consent_client_read(struct admin_call *c, struct consent_client *out,
    struct err *e);
void consent_client_done(struct consent_client *x);

/* consent_from.c: where it comes from. */
struct consent_from {
	struct store_oauth keep; /* as it goes into the store */
	struct oauth_provider provider;
	const struct secret *id, *secret;     /* secret NULL: a public client */
	struct secret *kept_id, *kept_secret; /* what was unsealed for it */
};

int consent_from(struct admin_call *c, const struct store_account *acct,
    const struct consent_ask *ask, int64_t deadline_ms,
    struct consent_from *out, struct err *e);
void consent_from_done(struct consent_from *f);

/* browser.c: opens an address where there is a display.  Did it try? */
bool browser_open(struct str url, struct arena *a);
/* Is the person at another machine than we are? */
bool browser_is_remote(void);

#endif
