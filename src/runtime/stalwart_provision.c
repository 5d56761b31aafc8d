/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An account on the server and its password here, in an order that loses
 * neither: what the server is told is in a file first, and what is in the file
 * counts as known once a login has succeeded.
 */
#include "base/path.h"
#include "runtime/stalwart.h"

struct provision {
	const struct place *place;
	const struct stalwart_want *w;
	struct arena *a;
	struct strs *notes;
	int folder;            /* of durable files, locked */
	struct credential has; /* the durable one, if there is one */
	bool known;
	struct stalwart server;
	bool open; /* `server` is */
};

static void
provision_done(struct provision *t)
{
	credential_done(&t->has);
	if (t->open)
		stalwart_close(&t->server);
	path_close(&t->folder);
}

static struct str
provision_ref(const struct provision *t)
{
	return t->w->binding->credential_ref;
}

static int
provision_login(struct provision *t, const struct secret *password,
    struct err *e)
{
	bool archive;

	if (stalwart_login(t->w->binding, password, t->w->deadline_ms, &archive,
		e) < 0)
		return -1;
	if (!archive && t->notes != NULL)
		str_push(t->a, t->notes,
		    S("the mailbox has no folder with the role archive: make "
		      "one, or nothing can be archived"));
	return 0;
}

/* Writes a password under a name. */
static int
provision_write(struct provision *t, struct str name,
    const struct secret *password, bool pending, struct err *e)
{
	const struct binding *b = t->w->binding;
	struct credential c = {
		.ref = b->credential_ref,
		.login = b->login_identity,
		.address = b->address,
		.jmap_url = b->jmap_url,
		.management_url = b->management_url,
		.pending = pending,
	};

	return credential_write(t->folder, name, &c, password, t->a, e);
}

static int
provision_read(struct provision *t, struct err *e)
{
	int r;

	credential_done(&t->has);
	r = credential_read(t->folder, provision_ref(t), t->a, &t->has, e);
	t->known = r == 0;
	return r < 0 ? -1 : 0;
}

/* What a killed command was about to replace the password with. */
static int
provision_settle(struct provision *t, struct err *e)
{
	CLEANUP(credential_done) struct credential next = { 0 };
	struct str name = credential_next(t->a, provision_ref(t));
	struct err why = { 0 };
	int r = credential_read(t->folder, name, t->a, &next, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	if (provision_login(t, next.password, &why) == 0) {
		if (provision_write(t, provision_ref(t), next.password, false,
			e) < 0)
			return -1;
	} else if (why.kind != ERR_AUTH) {
		*e = why;
		return -1;
	}
	return credential_remove(t->folder, name, t->a, e);
}

static int
provision_begin(struct provision *t, bool make, struct err *e)
{
	int r = credential_open(t->place, make, &t->folder, e);

	if (r != 0)
		return r;
	return provision_settle(t, e) < 0 || provision_read(t, e) < 0 ? -1 : 0;
}

static int
provision_server(struct provision *t, struct err *e)
{
	if (t->open)
		return 0;
	t->open = true;
	return stalwart_open(&t->server, &t->w->keys, t->w->binding,
	    t->w->deadline_ms, t->a, e);
}

/* -- the account's password is replaced -------------------------------------
 */

static int
provision_replace(struct provision *t, const struct stalwart_account *account,
    struct err *e)
{
	CLEANUP(secret_close) struct secret *fresh = credential_password_make();
	struct str next = credential_next(t->a, provision_ref(t));
	struct err why = { 0 };

	if (provision_write(t, next, fresh, true, e) < 0)
		return -1;
	if (stalwart_set_password(&t->server, account, fresh, e) < 0) {
		/* Refused is not done; of anything else it is not known. */
		if (e->kind == ERR_REJECTED || e->kind == ERR_AUTH ||
		    e->kind == ERR_CONFIG)
			(void)credential_remove(t->folder, next, t->a, &why);
		return -1;
	}
	if (provision_login(t, fresh, e) < 0 ||
	    provision_write(t, provision_ref(t), fresh, false, e) < 0)
		return -1;
	return credential_remove(t->folder, next, t->a, e);
}

/* -- a new session's mailbox ------------------------------------------------
 */

/* The operator gave the password: it is kept if it opens the mailbox. */
static int
provision_given(struct provision *t, struct err *e)
{
	if (provision_login(t, t->w->given, e) < 0) {
		if (e->kind == ERR_AUTH)
			return err_set(e, ERR_AUTH,
			    "the mail server refuses the password of "
			    "--mailbox-password-file for this address");
		return -1;
	}
	return provision_write(t, provision_ref(t), t->w->given, false, e);
}

/* 1: the password in the file does not open it. */
static int
provision_known(struct provision *t, struct err *e)
{
	struct err why = { 0 };

	if (provision_login(t, t->has.password, &why) == 0)
		return t->has.pending ? provision_write(t, provision_ref(t),
					    t->has.password, false, e)
				      : 0;
	if (why.kind == ERR_AUTH && t->has.pending)
		return 1;
	*e = why;
	if (why.kind == ERR_AUTH)
		return credential_missing(e,
		    "the mail server refuses the mailbox's password that is "
		    "kept here");
	return -1;
}

static int
provision_make(struct provision *t, struct err *e)
{
	CLEANUP(secret_close) struct secret *fresh = NULL;
	const struct secret *password = t->has.password;

	if (!t->known) {
		password = fresh = credential_password_make();
		if (provision_write(t, provision_ref(t), fresh, true, e) < 0)
			return -1;
	}
	if (stalwart_create(&t->server, t->w->binding->address, password, e) <
		0 ||
	    provision_login(t, password, e) < 0)
		return -1;
	return provision_write(t, provision_ref(t), password, false, e);
}

static int
provision_run(struct provision *t, struct err *e)
{
	struct stalwart_account account;
	int r;

	if (t->w->given != NULL)
		return provision_given(t, e);
	if (t->known && !t->w->reset) {
		r = provision_known(t, e);
		if (r <= 0)
			return r;
	}
	if (provision_server(t, e) < 0)
		return -1;
	r = stalwart_find(&t->server, t->w->binding->address, &account, e);
	if (r < 0)
		return -1;
	if (r > 0)
		return provision_make(t, e);
	if (t->w->reset)
		return provision_replace(t, &account, e);
	return credential_missing(e,
	    "the account exists on the mail server, and its password is not "
	    "known here");
}

int
stalwart_provision(const struct place *p, const struct stalwart_want *w,
    struct arena *a, struct strs *notes, struct err *e)
{
	struct provision t = { .place = p,
		.w = w,
		.a = a,
		.notes = notes,
		.folder = -1 };
	int r = provision_begin(&t, true, e);

	if (r == 0)
		r = provision_run(&t, e);
	provision_done(&t);
	return r;
}

/* -- the operator's commands ------------------------------------------------
 */

static int
provision_change(struct provision *t, struct stalwart_account *account,
    struct err *e)
{
	int r = provision_begin(t, false, e);

	if (r < 0)
		return -1;
	if (r > 0 || !t->known)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no such credential: see emcli credential list");
	if (provision_server(t, e) < 0)
		return -1;
	return stalwart_find(&t->server, t->w->binding->address, account, e);
}

static int
provision_gone(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND,
	    "the mail server has no account with that address any more: emcli "
	    "credential cleanup removes what is kept of it");
}

int
stalwart_provision_rotate(const struct place *p, const struct stalwart_want *w,
    struct arena *a, struct err *e)
{
	struct provision t = { .place = p, .w = w, .a = a, .folder = -1 };
	struct stalwart_account account;
	int r = provision_change(&t, &account, e);

	if (r == 0)
		r = provision_replace(&t, &account, e);
	else if (r > 0)
		r = provision_gone(e);
	provision_done(&t);
	return r;
}

int
stalwart_provision_revoke(const struct place *p, const struct stalwart_want *w,
    struct arena *a, struct err *e)
{
	CLEANUP(secret_close)
	struct secret *nobodys = credential_password_make();
	struct provision t = { .place = p, .w = w, .a = a, .folder = -1 };
	struct stalwart_account account;
	int r = provision_change(&t, &account, e);

	if (r == 0)
		r = stalwart_set_password(&t.server, &account, nobodys, e);
	if (r >= 0)
		r = credential_remove(t.folder, provision_ref(&t), a, e);
	provision_done(&t);
	return r;
}

int
stalwart_provision_delete(const struct place *p, const struct stalwart_want *w,
    struct arena *a, struct err *e)
{
	struct provision t = { .place = p, .w = w, .a = a, .folder = -1 };
	struct stalwart_account account;
	int r = provision_change(&t, &account, e);

	if (r == 0)
		r = stalwart_delete(&t.server, &account, e);
	if (r >= 0)
		r = credential_remove(t.folder, provision_ref(&t), a, e);
	provision_done(&t);
	return r;
}
