/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_STALWART_H
#define RUNTIME_STALWART_H

/*
 * Accounts of agents on a Stalwart server: looked for, made, given another
 * password, deleted.  Two interfaces are known: the REST interface of version
 * 0.15 and the JMAP objects of 0.16 and later.  No mail is read here: that is
 * backend/jmap.
 *
 * The management credentials come from the environment alone (base/env.h); they
 * are sent to the origin of the URL that the operator gave and nowhere else.
 */
#include "net/http.h"
#include "runtime/credential.h"

/* From the environment; NULL: not set.  A token, or a key with its secret. */
struct stalwart_keys {
	const struct secret *token, *key, *secret;
};

enum stalwart_dialect {
	STALWART_UNKNOWN,
	STALWART_REST,
	STALWART_JMAP,
	STALWART_NONE, /* the server has neither */
};

struct stalwart {
	struct arena *a;
	struct http *http;
	struct stalwart_keys keys;
	struct secret *basic; /* of key and secret */
	struct str jmap_url, management_url;
	enum stalwart_dialect dialect;
	struct str api, account; /* STALWART_JMAP: where, and as whom */
	int64_t deadline_ms;
};

/* An account, by what its server calls it. */
struct stalwart_account {
	struct str id;
	bool is_user; /* no group, list or domain */
};

/*
 * For the server of a binding.  Nothing is sent yet.  ERR_CONFIG: no management
 * credentials are set, or a URL is not usable.  stalwart_close() follows in any
 * case.
 */
int stalwart_open(struct stalwart *s, const struct stalwart_keys *keys,
    const struct binding *b, int64_t deadline_ms, struct arena *a,
    struct err *e);
/* For CLEANUP(stalwart_close). */
void stalwart_close(struct stalwart *s);

/*
 * Each of these finds out first which interface there is.  ERR_UNSUPPORTED:
 * none that is known; ERR_AUTH: the management credentials are refused;
 * ERR_REJECTED: the server refuses the change; ERR_NETWORK, ERR_LIMIT.
 *
 * stalwart_find: 0, or 1: there is none with that address.
 */
int stalwart_find(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e);
/* Its domain too, if it is missing. */
int stalwart_create(struct stalwart *s, struct str address,
    const struct secret *password, struct err *e);
int stalwart_set_password(struct stalwart *s,
    const struct stalwart_account *account, const struct secret *password,
    struct err *e);
int stalwart_delete(struct stalwart *s, const struct stalwart_account *account,
    struct err *e);

/* -- stalwart_login.c -------------------------------------------------------
 */

/*
 * Opens the mailbox as an agent does.  ERR_AUTH: the password is refused.
 * *archive: it has a folder for archived mail.
 */
int stalwart_login(const struct binding *b, const struct secret *password,
    int64_t deadline_ms, bool *archive, struct err *e);

/* -- stalwart_provision.c ---------------------------------------------------
 */

struct stalwart_want {
	const struct binding *binding;
	const struct secret *given; /* the account's password, or NULL */
	bool reset;                 /* an existing account gets another one */
	struct stalwart_keys keys;
	int64_t deadline_ms;
};

/*
 * Makes sure that the account exists and that its password is in the durable
 * file.  The file is written before the server is asked, so that a password
 * that the server has is never lost; what a killed command left is settled
 * first.  ERR_CONFIG with the reason "credential_missing": the account exists,
 * and its password is not known here.  Notes are for the operator.
 */
int stalwart_provision(const struct place *p, const struct stalwart_want *w,
    struct arena *a, struct strs *notes, struct err *e);
/* The account's password is replaced, in the file and on the server. */
int stalwart_provision_rotate(const struct place *p,
    const struct stalwart_want *w, struct arena *a, struct err *e);
/* The account gets a password that nobody knows; the file goes. */
int stalwart_provision_revoke(const struct place *p,
    const struct stalwart_want *w, struct arena *a, struct err *e);
/* The account is deleted with all its mail; the file goes. */
int stalwart_provision_delete(const struct place *p,
    const struct stalwart_want *w, struct arena *a, struct err *e);

/* -- stalwart_http.c: one request and its JSON ------------------------------
 */

struct stalwart_request {
	const char *method; /* NULL: GET, or POST with a body */
	struct str url;
	struct str body;               /* JSON, or empty */
	const struct secret *password; /* for CREDENTIAL_PLACE in it, or NULL */
	unsigned redirects;
};

struct stalwart_answer {
	int status;
	struct json_doc *doc; /* NULL: it is not JSON */
	struct str url;       /* where it came from */
};

/* For CLEANUP(stalwart_http_done). */
void stalwart_http_done(struct stalwart_answer *x);
/* Any status but 401 and 403 is an answer. */
int stalwart_http(struct stalwart *s, const struct stalwart_request *q,
    struct stalwart_answer *out, struct err *e);
/* Another answer than the interface has.  `what` is static. */
int stalwart_http_nonsense(struct err *e, const char *what);
/* ERR_REJECTED with the server's word for why, which is data. */
int stalwart_http_refused(struct err *e, const char *what, struct str why);

/* -- stalwart_rest.c, stalwart_jmap.c: the interfaces ------------------------
 */

/* 0: the server has this one; 1: it has not. */
int stalwart_rest_probe(struct stalwart *s, struct err *e);
int stalwart_rest_find(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e);
int stalwart_rest_create(struct stalwart *s, struct str address,
    const struct secret *password, struct err *e);
int stalwart_rest_set_password(struct stalwart *s, struct str id,
    const struct secret *password, struct err *e);
int stalwart_rest_delete(struct stalwart *s, struct str id, struct err *e);

#define STALWART_ID 255 /* an id, RFC 8620 section 1.2 */
int stalwart_jmap_probe(struct stalwart *s, struct err *e);
/* A request of calls; the arguments of each between open and close. */
struct json *stalwart_jmap_begin(struct stalwart *s);
void stalwart_jmap_open(struct stalwart *s, struct json *j, const char *method);
void stalwart_jmap_close(struct json *j, const char *id);
int stalwart_jmap_send(struct stalwart *s, struct json *j,
    const struct secret *password, struct stalwart_answer *x, struct err *e);

/* -- stalwart_object.c: over stalwart_jmap.c --------------------------------
 */

int stalwart_object_find(struct stalwart *s, struct str address,
    struct stalwart_account *out, struct err *e);
int stalwart_object_create(struct stalwart *s, struct str address,
    const struct secret *password, struct err *e);
int stalwart_object_set_password(struct stalwart *s, struct str id,
    const struct secret *password, struct err *e);
int stalwart_object_delete(struct stalwart *s, struct str id, struct err *e);

/* Answers as they are read; pure, for tests. */
/*
 * REST: *data is the member of that name.  ERR_NOT_FOUND, ERR_REJECTED: the
 * answer is an error, whatever its status; ERR_NETWORK: it is neither.
 */
int stalwart_rest_read(const struct stalwart_answer *x,
    const struct json_value **data, struct err *e);
/* JMAP: the arguments of the response with that call id. */
int stalwart_jmap_read(const struct stalwart_answer *x, const char *method,
    const char *id, const struct json_value **args, struct err *e);
/*
 * Was the object with that key made, changed or deleted?  `done` and `not` are
 * "created" and "notCreated".
 */
int stalwart_jmap_check(const struct json_value *args, const char *done,
    const char *not_done, const char *key, const struct json_value **out,
    struct err *e);

#endif
