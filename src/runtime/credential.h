/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RUNTIME_CREDENTIAL_H
#define RUNTIME_CREDENTIAL_H

/*
 * Passwords of agents' mailboxes on a server, in files.  Houmao reads and
 * writes the same files; only it needs the copy in a session's folder.  A file
 * is 0600 in a folder that is 0700, and is replaced whole: it is the old one or
 * the new one.  A password is in a struct secret, and in no arena, text or
 * error.
 *
 * The durable file of a mailbox is
 * mailbox-credentials/stalwart/<credential_ref>.json below the runtime root.  A
 * password that is about to replace the one in it is beside it under
 * <credential_ref>.next until the server has taken it.
 */
#include "base/secret.h"
#include "runtime/place.h"
#include "runtime/runtime.h"

struct credential {
	struct str ref, login;
	/* Where it is used; empty in a file of another program's. */
	struct str address, jmap_url, management_url;
	struct secret *password;
	bool pending; /* no login with it has succeeded yet */
};

/* For CLEANUP(credential_done). */
void credential_done(struct credential *c);

/*
 * The open folder of durable files, locked, so that one command changes them
 * at a time.  1: there is none, and `make` is not set.
 */
int credential_open(const struct place *p, bool make, int *folder,
    struct err *e);
/*
 * Reads the file with that name in a folder.  1: there is none.  ERR_CONFIG: it
 * is damaged, or others may read it.
 */
int credential_read(int folder, struct str name, struct arena *a,
    struct credential *out, struct err *e);
/*
 * Writes it, with that password and not its own, over one that is there; on
 * disk when it returns.  ERR_CONFIG; ERR_USAGE: the password is no text.
 */
int credential_write(int folder, struct str name, const struct credential *c,
    const struct secret *password, struct arena *a, struct err *e);
/* One that is not there is no error.  ERR_CONFIG. */
int credential_remove(int folder, struct str name, struct arena *a,
    struct err *e);
/* The name of a password that is to replace another. */
struct str credential_next(struct arena *a, struct str ref);
/* All names in a folder, sorted, those of `next` files too.  ERR_CONFIG. */
int credential_names(int folder, struct arena *a, struct strs *out,
    struct err *e);

/* ERR_CONFIG, reason "credential_missing", with what to do about it. */
int credential_missing(struct err *e, const char *what);

/* -- credential_password.c --------------------------------------------------
 */

/* Is it text on one line, and not blank? */
bool credential_password_ok(struct str plain);
/* 24 random bytes as text of RFC 4648 section 5, without padding. */
struct secret *credential_password_make(void);
/* "user:password" of two secrets, for HTTP Basic (RFC 7617).  ERR_CONFIG. */
int credential_password_join(const struct secret *user,
    const struct secret *password, struct secret **out, struct err *e);
/*
 * A request with a password in it: a JSON text with the value
 * CREDENTIAL_PLACE, which is replaced.  ERR_USAGE: the password is no text.
 */
#define CREDENTIAL_PLACE "(password)"
int credential_password_fill(struct str json, const struct secret *password,
    struct secret **out, struct err *e);

#define CREDENTIAL_COPIES "mailbox-secrets"
/*
 * credential_copy.c: the copy in the open folder of a session, in
 * mailbox-secrets/, written again unless it equals the durable one. ERR_CONFIG,
 * reason "credential_missing": there is no durable one.
 */
int credential_copy(const struct place *p, struct str ref, int session,
    struct arena *a, struct credential *out, struct err *e);
/* Removes it, and the folder. */
int credential_copy_drop(int session, struct arena *a, struct err *e);

#endif
