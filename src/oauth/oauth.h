#ifndef OAUTH_OAUTH_H
#define OAUTH_OAUTH_H

/*
 * OAuth 2 as a mail client needs it: consent in a browser (RFC 6749, PKCE of
 * RFC 7636, loopback redirect of RFC 8252, issuer of RFC 9207) or on another
 * device (RFC 8628), and tokens refreshed.  The room stores nothing: what must
 * last is handed back to the caller.
 *
 * Errors: ERR_AUTH when the provider or the person said no, with reason
 * "consent" when only a new consent helps; ERR_CONFIG when client or endpoint
 * are set up wrong; ERR_NETWORK when it may work later.
 */
#include "base/err.h"
#include "base/secret.h"
#include "base/str.h"

struct oauth_provider {
	struct str name;   /* as in --provider; empty: found by its issuer */
	struct str issuer; /* RFC 8414; empty: not known */
	struct str auth_url, token_url;
	struct str device_url; /* empty: no device flow */
	struct str scope;      /* what mail needs, RFC 6749 section 3.3 */
	/* Less, where that is enough (empty: there is no less). */
	struct str scope_read;  /* by its own API, and nothing is changed */
	struct str scope_draft; /* the same, and drafts are written */
	struct str scope_imap;  /* IMAP without submission */
	struct str more;     /* "&name=value" for the authorization request */
	struct str redirect; /* host of the loopback redirect */
	bool says_iss;       /* an answer without `iss` is refused */
	bool basic; /* the client logs in by HTTP Basic, not in the form */
};

/* -- provider.c ----------------------------------------------------------- */

/* The entry of the table, or NULL. */
const struct oauth_provider *oauth_provider_find(struct str name);
/* "google|microsoft": for the choices of an argument. */
#define OAUTH_PROVIDER_NAMES "google|microsoft"

/* -- discover.c ----------------------------------------------------------- */

/*
 * Fills endpoints and issuer from the provider's own document (OpenID Connect
 * Discovery 1.0, or RFC 8414); name, more and redirect of *io stay, and so does
 * a scope.  ERR_CONFIG when the document speaks for another issuer.
 */
int oauth_discover(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct oauth_provider *io, struct err *e);

/* Whoever asks.  Borrowed for the call. */
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
	struct secret *refresh; /* NULL: none came, the old one stays good */
	int64_t lives_s;        /* of the access token; 0: not told */
	bool scope_told;
	char scope[1024]; /* what was granted, RFC 6749 section 5.1 */
};

/* CLEANUP(oauth_token_done) struct oauth_token t = { 0 }. */
void oauth_token_done(struct oauth_token *t);
/*
 * A fresh access token, RFC 6749 section 6.  A refresh token that came along
 * must be stored before the access token is used: the old one may be dead.
 */
int oauth_token_refresh(const struct oauth_client *c,
    const struct secret *refresh, int64_t deadline_ms, struct oauth_token *out,
    struct err *e);
/*
 * Was granted what was asked?  *missing is the first scope that was not;
 * those of OpenID itself do not count.
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
	bool is_json; /* or it is a secret alone, and nothing below is set */
	bool web;     /* `web`, else `installed` */
	struct secret *id, *secret; /* secret NULL: it has none */
	struct str redirect; /* the first that is this machine, or empty */
};

/* ERR_USAGE for JSON that is no client. */
int oauth_post_file(const struct secret *text, struct arena *a,
    struct oauth_client_file *out, struct err *e);
void oauth_post_file_done(struct oauth_client_file *x);

/* -- redirect.c: where the browser comes back to --------------------------- */

struct oauth_redirect {
	struct str host, path; /* the path may be empty, and is "/" then */
	uint16_t port;         /* 0: any that is free */
};

/* Reads what a client was registered with.  ERR_USAGE: not this machine. */
int oauth_redirect_read(struct str url, struct oauth_redirect *out,
    struct err *e);

/* -- consent.c: in a browser ---------------------------------------------- */

struct oauth_consent;

/* Listens on 127.0.0.1, on the redirect's port or a free one.  The client is
 * borrowed till close. */
int oauth_consent_open(const struct oauth_client *c, struct arena *a,
    struct oauth_consent **out, struct err *e);
/* NULL-safe; sets *c to NULL. */
void oauth_consent_close(struct oauth_consent **c);
/* What the person has to open. */
struct str oauth_consent_url(const struct oauth_consent *c);
/*
 * Waits for the browser to come back, answers it, and exchanges the code.  Who
 * comes without our state is sent away and waited past.  paste: a descriptor
 * that gives lines, one of which may be the address the browser ended on; or
 * -1.  ERR_NETWORK when the deadline passes.
 */
int oauth_consent_wait(struct oauth_consent *c, int paste, int64_t deadline_ms,
    struct oauth_token *out, struct err *e);

/* -- device.c: on another device ------------------------------------------ */

struct oauth_device;

/* Asks for a code to show.  ERR_UNSUPPORTED: the provider has no such flow. */
int oauth_device_open(const struct oauth_client *c, struct arena *a,
    int64_t deadline_ms, struct oauth_device **out, struct err *e);
void oauth_device_close(struct oauth_device **d);
/* What the person opens, and the code to enter there. */
struct str oauth_device_url(const struct oauth_device *d);
struct str oauth_device_code(const struct oauth_device *d);
/* Asks, as often as the provider allows, until the person is done. */
int oauth_device_wait(struct oauth_device *d, int64_t deadline_ms,
    struct oauth_token *out, struct err *e);

#endif
