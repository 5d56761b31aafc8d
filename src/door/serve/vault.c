/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper's store: what it knows of an account, and the only place of the
 * broker that unseals a credential for another process.
 */
#include <stdlib.h>

#include "backend/cache.h"
#include "door/serve/keeper.h"
#include "source/consent.h"

struct serve_vault {
	const struct env *env;
	struct store *store; /* NULL: it could not be opened */
};

static bool
serve_vault_reopen(struct serve_vault *v)
{
	const struct store_keys keys = { NULL, v->env->agent_key };
	struct err none = { 0 };

	store_close(&v->store);
	if (store_open(v->env->db, STORE_AGENT, &keys, &v->store, &none) < 0)
		return false;
	store_open_keep(v->store);
	return true;
}

struct serve_vault *
serve_vault_open(const struct env *env)
{
	struct serve_vault *v = calloc(1, sizeof(*v));

	if (v == NULL)
		err_bug("out of memory");
	v->env = env;
	if (serve_vault_reopen(v))
		return v;
	free(v);
	return NULL;
}

static enum serve_outcome
serve_vault_fault(const struct err *e)
{
	return e->kind == ERR_NOT_FOUND ? SERVE_ABSENT : SERVE_UNKEPT;
}

static int
serve_vault_load(struct serve_vault *v, struct arena *a, int64_t id,
    enum serve_purpose purpose, struct serve_vault_account *out, struct err *e)
{
	struct store_account acct = { 0 };
	struct serve_account x = { 0 };
	bool sends = serve_ask_sends((uint8_t)purpose);
	struct source src = { 0 };

	if (store_account_of(v->store, a, id, &acct, e) < 0 ||
	    store_account_print(v->store, a, id, &out->print, e) < 0 ||
	    source_resolve_given(&acct, 0, &src, e) < 0)
		return -1;
	/* Only what a wire may do. */
	if (sends && src.submitter == NULL)
		return err_set(e, ERR_CONFIG, "no wire is for this account");
	x.backend = acct.backend;
	x.view = src.view;
	x.files = source_wire_in_files(&src, sends);
	x.has_password = acct.has_password && !x.files;
	x.view.cache_dir = store_file_cache(v->store, a);
	x.view.cache_dir = backend_cache_apart(a, src.be, &x.view);
	out->files = x.files;
	out->paths = x.files ? serve_confine_wire_print(&x, v->env) : 0;
	out->token = !x.files && source_by_token(&x.view, x.has_password);
	out->name = acct.name;
	out->bytes = serve_account_put(a, &x);
	return out->bytes.n > 0
	    ? 0
	    : err_set(e, ERR_CONFIG, "the account's settings are too long");
}

enum serve_outcome
serve_vault_account(struct serve_vault *v, struct arena *a, int64_t id,
    enum serve_purpose purpose, struct serve_vault_account *out)
{
	struct err e = { 0 };

	*out = (struct serve_vault_account){ 0 };
	if (v->store == NULL && !serve_vault_reopen(v))
		return SERVE_UNKEPT;
	return serve_vault_load(v, a, id, purpose, out, &e) == 0
	    ? SERVE_GOOD
	    : serve_vault_fault(&e);
}

static int
serve_vault_unseal(struct serve_vault *v, int64_t id, struct ipc_passed *out,
    struct err *e)
{
	CLEANUP(secret_close) struct secret *s = NULL;
	int fd;

	if (store_account_secret(v->store, id, STORE_PASSWORD, &s, e) < 0)
		return -1;
	fd = secret_pipe(s);
	if (fd < 0)
		return err_set(e, ERR_CONFIG, "there is no pipe");
	out->fd[out->n++] = fd;
	return 0;
}

enum serve_outcome
serve_vault_secret(struct serve_vault *v, int64_t id, struct ipc_passed *out)
{
	struct err e = { 0 };

	/* The operator may have changed the data key: once more with it. */
	for (int i = 0; i < 2; i++) {
		e = (struct err){ 0 };
		if (v->store != NULL && serve_vault_unseal(v, id, out, &e) == 0)
			return SERVE_GOOD;
		ipc_pass_close(out);
		if (e.kind == ERR_NOT_FOUND || !serve_vault_reopen(v))
			break;
	}
	return serve_vault_fault(&e);
}

enum serve_outcome
serve_vault_consent(struct serve_vault *v, struct arena *a, int64_t id,
    struct store_lock **lock, struct source_consent *out)
{
	struct store_account acct = { 0 };
	struct err e = { 0 };

	/* Once: the keeper waits for nobody. */
	if (v->store == NULL)
		return SERVE_UNKEPT;
	if (store_lock_take(v->store, id, 0, lock, &e) < 0)
		return SERVE_LATE;
	for (int i = 0; i < 2; i++) {
		e = (struct err){ 0 };
		if (store_account_of(v->store, a, id, &acct, &e) == 0 &&
		    source_consent_load(v->store, a, &acct, out, &e) == 0)
			return SERVE_GOOD;
		if (e.kind == ERR_NOT_FOUND || !serve_vault_reopen(v))
			break;
	}
	store_lock_close(lock);
	return serve_vault_fault(&e);
}

enum serve_outcome
serve_vault_refreshed(struct serve_vault *v, int64_t id,
    const struct secret *refresh)
{
	struct err e = { 0 };

	if (v->store != NULL &&
	    store_oauth_refreshed(v->store, id, refresh, &e) == 0)
		return SERVE_GOOD;
	return serve_vault_fault(&e);
}
