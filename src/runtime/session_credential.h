/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_SESSION_CREDENTIAL_H
#define RUNTIME_SESSION_CREDENTIAL_H

/* Where sessions and accounts of the store use a mailbox's password. */
#include "runtime/credential.h"
#include "runtime/session.h"

/* The copies and the accounts with a password. */
struct session_credential_used {
	size_t sessions;    /* their manifests name it */
	size_t running;     /* of these, running ones */
	struct str id;      /* of the last of these sessions, or empty */
	struct str account; /* the store's, or empty */
};

/*
 * Which sessions name that credential; *binding is the last one's.  1: none
 * does.  The sessions may be closed (fd -1): then there are none.
 */
int session_credential_find(struct sessions *s, struct str ref,
    struct binding *binding, struct session_credential_used *out,
    struct err *e);
/*
 * After the durable file has changed: running sessions get its copy again, and
 * the store's account its password.  With `gone` the copies are removed and the
 * account has no password any more.
 */
int session_credential_refresh(struct sessions *s, const struct binding *b,
    bool gone, struct session_credential_used *out, struct err *e);
/* The same for the account alone; `password` NULL: it has none any more. */
int session_credential_seal(struct store *store, const struct binding *b,
    const struct secret *password, struct arena *a, struct str *account,
    struct err *e);
/* Is the account the mailbox of that binding? */
bool session_credential_is(const struct store_account *v,
    const struct binding *b);
/* session_server.c: the account of a session's mailbox on a server. */
int session_server_account(struct sessions *s, struct session *x, int folder,
    struct err *e);
/* Removes the copies of stopped sessions; how many had one. */
int session_credential_clean(struct sessions *s, size_t *cleaned,
    struct err *e);

#endif
