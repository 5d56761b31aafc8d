/* SPDX-License-Identifier: Apache-2.0 */
#ifndef OAUTH_INTERNAL_H
#define OAUTH_INTERNAL_H

/* Shared by the files of oauth/. */
#include "base/json.h"
#include "base/limits.h"
#include "oauth/oauth.h"

/* -- form.c: application/x-www-form-urlencoded ----------------------------- */

/* On the stack, since it may hold secrets; CLEANUP(oauth_form_done). */
struct oauth_form {
	size_t n;
	bool over; /* something did not fit */
	char p[LIMIT_OAUTH_FORM];
};

void oauth_form_done(struct oauth_form *f);
void oauth_form_raw(struct oauth_form *f, struct str s);
/* Percent-encoded, RFC 3986: only unreserved characters stay. */
void oauth_form_escape(struct oauth_form *f, struct str s);
/* "name=value", with a "&" before it except for the first. */
void oauth_form_put(struct oauth_form *f, const char *name, struct str value);
void oauth_form_secret(struct oauth_form *f, const char *name,
    const struct secret *value);
struct str oauth_form_view(const struct oauth_form *f);
/*
 * Decodes a value of a query into out, NUL-terminated: its length, -1 if
 * missing, -2 if it is given twice (RFC 6749 section 3.1), too long, or badly
 * encoded.
 */
ptrdiff_t oauth_form_find(struct str query, const char *name, char *out,
    size_t room);

/* -- pkce.c ---------------------------------------------------------------- */

enum {
	OAUTH_RANDOM = 43 /* characters of 32 bytes as base64url */
};

/* 256 random bits as base64url and a NUL; wipe it if it is a secret. */
void oauth_pkce_random(char out[OAUTH_RANDOM + 1]);
/* RFC 7636 section 4.2, S256. */
void oauth_pkce_challenge(struct str verifier, char out[OAUTH_RANDOM + 1]);

/* -- fault.c --------------------------------------------------------------- */

/* Turns a provider's error code and words into an error. */
int oauth_fault_set(struct err *e, int status, struct str code,
    struct str words);
/*
 * For a value that is used, not for words of an error (base/said.h): at most
 * room - 1 bytes of its visible ASCII.
 */
void oauth_fault_clean(char *out, size_t room, struct str s);

/* -- request.c: what a browser says to the listener ------------------------ */

enum {
	OAUTH_REQUEST_MAX = 16384
};

struct oauth_request {
	size_t n;
	char p[OAUTH_REQUEST_MAX];
};

/*
 * Adds bytes.  0: more are needed.  200: *query is the part after the path
 * (empty is "/") and its "?"; any other status is a refusal.  A foreign Host is
 * refused, so that a DNS name that points to this machine is useless.
 */
int oauth_request_feed(struct oauth_request *r, struct str bytes, uint16_t port,
    struct str path, struct str *query);

/* -- answer.c: the query of the redirect ----------------------------------- */

struct oauth_answer {
	struct secret *code;
};

void oauth_answer_done(struct oauth_answer *x);
/*
 * 0: not bound to our state, so the rest was ignored.  1: *out is filled. -1:
 * it is for us but has no code: *e says why.
 */
int oauth_answer_read(struct str query, struct str state,
    const struct oauth_provider *p, struct oauth_answer *out, struct err *e);
/* The query of an address that a person pasted; empty if there is none. */
struct str oauth_answer_query(struct str line);

/* -- redirect.c ------------------------------------------------------------ */

/* The address itself, once its port is known. */
struct str oauth_redirect_uri(struct arena *a, const struct oauth_redirect *r,
    uint16_t port);

/* -- listen.c -------------------------------------------------------------- */

struct oauth_listen;

/* The redirect's path is borrowed until it is closed. */
int oauth_listen_open(const struct oauth_redirect *want,
    struct oauth_listen **out, struct err *e);
void oauth_listen_close(struct oauth_listen **l);
uint16_t oauth_listen_port(const struct oauth_listen *l);
/*
 * Serves until `take` is done: take(query, ctx) returns 0 to continue, 1 for
 * done, -1 for done and refused, and the page says so.  Also passes lines of
 * `paste` to take.  ERR_NETWORK at the deadline.
 */
int oauth_listen_serve(struct oauth_listen *l, int paste, int64_t deadline_ms,
    int (*take)(struct str query, void *ctx), void *ctx, struct err *e);

/* -- discover.c ------------------------------------------------------------ */

/* May an issuer's document name this endpoint? */
bool oauth_discover_leads(struct str issuer, struct str url);
/* Fetches and parses its document, which is the issuer's own: errors of
 * oauth_discover().  *doc is to be closed in any case. */
int oauth_discover_open(struct arena *a, struct str issuer, struct str ca_file,
    int64_t deadline_ms, struct json_doc **doc, struct err *e);
/* One endpoint of it; empty: it has none.  ERR_CONFIG: it needs one, or it is
 * none that oauth_discover_leads() accepts. */
int oauth_discover_endpoint(struct arena *a, struct str issuer,
    const struct json_doc *doc, const char *name, bool needed, struct str *out,
    struct err *e);
/* Is the word in that list of it?  *any: there is such a list. */
bool oauth_discover_lists(const struct json_doc *doc, const char *name,
    struct str word, bool *any);

/* -- token.c --------------------------------------------------------------- */

/* RFC 6749 section 4.1.3. */
int oauth_token_exchange(const struct oauth_client *c,
    const struct secret *code, const struct secret *verifier,
    struct str redirect_uri, int64_t deadline_ms, struct oauth_token *out,
    struct err *e);
/* RFC 8628 section 3.4.  1: done; 0: ask again later, *slower as requested. */
int oauth_token_device(const struct oauth_client *c,
    const struct secret *device_code, int64_t deadline_ms, bool *slower,
    struct oauth_token *out, struct err *e);

/* -- post.c ---------------------------------------------------------------- */

/*
 * Sends a form as the client to one of its endpoints and parses the JSON
 * answer; adds client_id, and the client's secret in the form that the provider
 * requires.  *doc may be NULL for an answer that is not JSON.
 */
int oauth_post(const struct oauth_client *c, struct str url,
    struct oauth_form *f, int64_t deadline_ms, int *status,
    struct json_doc **doc, struct err *e);
/* A member that is a string, or empty. */
struct str oauth_post_text(const struct json_doc *doc, const char *name);
/* A member that is a number of seconds, also in quotes; else def. */
int64_t oauth_post_seconds(const struct json_doc *doc, const char *name,
    int64_t def);

#endif
