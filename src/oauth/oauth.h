/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OAUTH_OAUTH_H
#define OAUTH_OAUTH_H

/*
 * OAuth 2 for a mail client: consent in a browser (RFC 6749, PKCE of RFC 7636,
 * loopback redirect of RFC 8252, issuer of RFC 9207) or on another device (RFC
 * 8628), and refreshing tokens.  The room stores nothing: it returns what must
 * be stored.
 *
 * Errors: ERR_AUTH if the provider or the person said no, with reason "consent"
 * if only a new consent helps; ERR_CONFIG if client or endpoint are set up
 * wrong; ERR_NETWORK if it may work later.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

struct oauth_provider {
	struct str name;   /* as in --provider; empty: found by its issuer */
	struct str issuer; /* RFC 8414; empty: unknown */
	struct str auth_url, token_url;
	struct str device_url; /* empty: no device flow */
	struct str scope;      /* for mail, RFC 6749 section 3.3 */
	/* A smaller scope, if that is sufficient (empty: there is none). */
	struct str scope_read;  /* reading only, by the provider's own API */
	struct str scope_draft; /* the same, plus writing drafts */
	struct str scope_label; /* the same, plus changing labels of mail */
	struct str scope_imap;  /* IMAP without submission */
	struct str more;     /* "&name=value" for the authorization request */
	struct str redirect; /* host of the loopback redirect */
	bool says_iss;       /* an answer without `iss` is refused */
	bool basic;          /* the client authenticates by HTTP Basic */
};

/* -- provider.c ----------------------------------------------------------- */

/* The entry of the table, or NULL. */
const struct oauth_provider *oauth_provider_find(struct str name);
/* "google|microsoft": for the choices of an argument. */
#define OAUTH_PROVIDER_NAMES "google|microsoft"

/* -- discover.c ----------------------------------------------------------- */

/*
 * Fills endpoints and issuer from the provider's own document (OpenID Connect
 * Discovery 1.0, or RFC 8414); keeps name, more and redirect of *io, and a
 * scope.  ERR_CONFIG if the document is for another issuer.
 */
int oauth_discover(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct oauth_provider *io, struct err *e);

/* The client that makes requests.  Borrowed for the call. */
struct oauth_client {
	const struct oauth_provider *provider;
	const struct secret *id;
	const struct secret *secret; /* NULL: a public client */
	struct str scope;            /* empty: the provider's */
	struct str redirect; /* as registered; empty: any free port, path / */
	struct str ca_file;
};

/* -- token.c -------------------------------------------------------------- */

struct oauth_token {
	struct secret *access;
	struct secret *refresh; /* NULL: none came, the old one stays valid */
	int64_t lives_s;        /* of the access token; 0: unknown */
	bool scope_told;
	char scope[1024]; /* what was granted, RFC 6749 section 5.1 */
};

/* CLEANUP(oauth_token_done) struct oauth_token t = { 0 }. */
void oauth_token_done(struct oauth_token *t);
/*
 * A fresh access token, RFC 6749 section 6.  Store a new refresh token before
 * you use the access token: the old one may no longer work.
 */
int oauth_token_refresh(const struct oauth_client *c,
    const struct secret *refresh, int64_t deadline_ms, struct oauth_token *out,
    struct err *e);
/*
 * Was the requested scope granted?  *missing is the first scope that was not;
 * OpenID's own scopes are ignored.
 */
enum oauth_granted {
	OAUTH_GRANTED_NONE,
	OAUTH_GRANTED_SOME,
	OAUTH_GRANTED_ALL,
};
enum oauth_granted oauth_token_granted(const struct oauth_token *t,
    struct str asked, struct str *missing);

/* -- post.c: a client as Google offers it for download --------------------- */

/* client_secret.json: CLEANUP(oauth_post_file_done). */
struct oauth_client_file {
	bool is_json; /* false: it is only a secret, and nothing below is set */
	bool web;     /* `web`, else `installed` */
	struct secret *id, *secret; /* secret NULL: it has none */
	struct str redirect;        /* the first on this machine, or empty */
};

/* ERR_USAGE for JSON that does not describe a client. */
int oauth_post_file(const struct secret *text, struct arena *a,
    struct oauth_client_file *out, struct err *e);
void oauth_post_file_done(struct oauth_client_file *x);

/* -- redirect.c: where the browser comes back to --------------------------- */

struct oauth_redirect {
	struct str host, path; /* the path may be empty, which means / */
	uint16_t port;         /* 0: any free port */
};

/*
 * Reads the redirect that a client was registered with.  ERR_USAGE: not this
 * machine.
 */
int oauth_redirect_read(struct str url, struct oauth_redirect *out,
    struct err *e);

/* -- consent.c: in a browser ---------------------------------------------- */

struct oauth_consent;

/*
 * Listens on 127.0.0.1, on the redirect's port or a free one.  The client is
 * borrowed until close.
 */
int oauth_consent_open(const struct oauth_client *c, struct arena *a,
    struct oauth_consent **out, struct err *e);
/* NULL-safe; sets *c to NULL. */
void oauth_consent_close(struct oauth_consent **c);
/* The address that the person must open. */
struct str oauth_consent_url(const struct oauth_consent *c);
/*
 * Waits for the browser to return, answers it, and exchanges the code.
 * Requests without our state are refused, and it continues to wait.  paste: a
 * descriptor that gives lines, one of which may be the browser's final address;
 * or -1.  ERR_NETWORK when the deadline passes.
 */
int oauth_consent_wait(struct oauth_consent *c, int paste, int64_t deadline_ms,
    struct oauth_token *out, struct err *e);

/* -- device.c: on another device ------------------------------------------ */

struct oauth_device;

/* Requests a code to show.  ERR_UNSUPPORTED: the provider has no such flow. */
int oauth_device_open(const struct oauth_client *c, struct arena *a,
    int64_t deadline_ms, struct oauth_device **out, struct err *e);
void oauth_device_close(struct oauth_device **d);
/* The address that the person opens, and the code to enter there. */
struct str oauth_device_url(const struct oauth_device *d);
struct str oauth_device_code(const struct oauth_device *d);
/* Polls, as often as the provider allows, until the person is done. */
int oauth_device_wait(struct oauth_device *d, int64_t deadline_ms,
    struct oauth_token *out, struct err *e);

#endif
