/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of passwords: in sessions, and sealed in the store. */
#include "runtime/session_credential.h"

#include "base/path.h"

bool
session_credential_is(const struct store_account *v, const struct binding *b)
{
	return b->transport == TRANSPORT_STALWART &&
	    str_eq(v->backend, S("jmap")) && str_eq(v->url, b->jmap_url) &&
	    str_eq(v->from_addr, b->address) &&
	    str_eq(v->username, b->login_identity);
}

static bool
is_of(const struct session *x, struct str ref)
{
	return x->is != SESSION_IS_DAMAGED &&
	    x->manifest.mailbox.transport == TRANSPORT_STALWART &&
	    str_eq(x->manifest.mailbox.credential_ref, ref);
}

int
session_credential_find(struct sessions *s, struct str ref,
    struct binding *binding, struct session_credential_used *out, struct err *e)
{
	struct session *v = NULL;
	size_t n = 0;

	*out = (struct session_credential_used){ 0 };
	if (s->fd >= 0 && session_list(s, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!is_of(&v[i], ref))
			continue;
		*binding = v[i].manifest.mailbox;
		out->sessions++;
		out->running += v[i].is == SESSION_IS_RUNNING;
		out->id = v[i].id;
	}
	return out->sessions > 0 ? 0 : 1;
}

/* Only its password changes. */
static int
session_credential_keep(struct store_account *v, void *ctx, struct err *e)
{
	(void)v, (void)ctx, (void)e;
	return 0;
}

int
session_credential_seal(struct store *store, const struct binding *b,
    const struct secret *password, struct arena *a, struct str *account,
    struct err *e)
{
	const bool forget = password == NULL;
	const struct store_change change = {
		.change = session_credential_keep,
		.password = password,
		.forget = &forget,
	};
	struct store_account *v;
	size_t n;

	*account = S("");
	if (store_account_list(store, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!session_credential_is(&v[i], b))
			continue;
		*account = v[i].name;
		if (store_account_change(store, a, v[i].name, &change, e) < 0)
			return -1;
	}
	return 0;
}

static int
session_credential_refresh_one(struct sessions *s, const struct session *x,
    bool gone, struct err *e)
{
	CLEANUP(path_close) int folder = session_folder(s, x, false, e);
	CLEANUP(credential_done) struct credential c = { 0 };

	if (folder < 0)
		return -1;
	if (gone || x->is == SESSION_IS_STOPPED)
		return credential_copy_drop(folder, s->a, e);
	return credential_copy(&s->place, x->manifest.mailbox.credential_ref,
	    folder, s->a, &c, e);
}

int
session_credential_refresh(struct sessions *s, const struct binding *b,
    bool gone, struct session_credential_used *out, struct err *e)
{
	CLEANUP(credential_done) struct credential c = { 0 };
	CLEANUP(path_close) int durable = -1;
	struct session *v = NULL;
	size_t n = 0;

	*out = (struct session_credential_used){ 0 };
	if (s->fd >= 0 && session_list(s, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (!is_of(&v[i], b->credential_ref))
			continue;
		out->sessions++;
		out->running += v[i].is == SESSION_IS_RUNNING;
		if (session_credential_refresh_one(s, &v[i], gone, e) < 0)
			return -1;
	}
	if (!gone &&
	    (credential_open(&s->place, false, &durable, e) != 0 ||
		credential_read(durable, b->credential_ref, s->a, &c, e) != 0))
		return e->kind != ERR_NONE
		    ? -1
		    : credential_missing(e, "the mailbox's password is gone");
	return session_credential_seal(s->store, b, gone ? NULL : c.password,
	    s->a, &out->account, e);
}

int
session_credential_clean(struct sessions *s, size_t *cleaned, struct err *e)
{
	struct session *v = NULL;
	size_t n = 0;

	*cleaned = 0;
	if (s->fd >= 0 && session_list(s, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		CLEANUP(path_close) int folder = -1, copies = -1;

		if (v[i].is != SESSION_IS_STOPPED)
			continue;
		folder = session_folder(s, &v[i], false, e);
		if (folder < 0)
			return -1;
		copies = path_dir_open(folder, CREDENTIAL_COPIES);
		if (copies < 0)
			continue;
		if (credential_copy_drop(folder, s->a, e) < 0)
			return -1;
		(*cleaned)++;
	}
	return 0;
}
