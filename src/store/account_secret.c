/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials, sealed in their account's row and bound to column and id. */
#include "store/account_row.h"
#include "store/keeping.h"
#include "store/slot.h"

/* The sealed columns: their place, and how to read and write them. */
static const struct {
	const char *where, *get, *put;
} sealed[] = {
	[STORE_PASSWORD] = {
	    "accounts/enc_password",
	    "SELECT enc_password FROM accounts WHERE id = ?1",
	    "UPDATE accounts SET enc_password = ?2 WHERE id = ?1",
	},
	[STORE_OAUTH_CLIENT_ID] = {
	    "accounts/enc_oauth_client_id",
	    "SELECT enc_oauth_client_id FROM accounts WHERE id = ?1",
	    "UPDATE accounts SET enc_oauth_client_id = ?2 WHERE id = ?1",
	},
	[STORE_OAUTH_CLIENT_SECRET] = {
	    "accounts/enc_oauth_client_secret",
	    "SELECT enc_oauth_client_secret FROM accounts WHERE id = ?1",
	    "UPDATE accounts SET enc_oauth_client_secret = ?2 WHERE id = ?1",
	},
	[STORE_OAUTH_REFRESH_TOKEN] = {
	    "accounts/enc_oauth_refresh_token",
	    "SELECT enc_oauth_refresh_token FROM accounts WHERE id = ?1",
	    "UPDATE accounts SET enc_oauth_refresh_token = ?2 WHERE id = ?1",
	},
};

static struct str
store_account_secret_place(enum store_sealed what, int64_t id, struct arena *a)
{
	return str_fmt(a, "%s/%lld", sealed[what].where, (long long)id);
}

int
store_account_secret_put(struct store *s, int64_t id, enum store_sealed what,
    const struct secret *value, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str bytes;

	if (store_key_current(s, e) < 0 ||
	    keeper_seal(s, store_account_secret_place(what, id, a), value, a,
		&bytes, e) < 0 ||
	    stmt_ask(s, e, sealed[what].put, &st, V(id), stmt_v_blob(bytes)) <
		0)
		return -1;
	if (stmt_run(s, st, e) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	return 0;
}

static int
store_account_secret_fails(struct err *e)
{
	return err_set(e, ERR_CONFIG,
	    "the account's credential cannot be unsealed");
}

int
store_account_secret(struct store *s, int64_t id, enum store_sealed what,
    struct secret **out, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str bytes;
	int r;

	if (stmt_ask(s, e, sealed[what].get, &st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r < 0)
		return -1;
	if (r == 0 || stmt_column_is_null(st, 0))
		return err_set(e, ERR_NOT_FOUND,
		    "the account has no such credential");
	bytes = stmt_column_raw(st, 0);
	if (keeper_unseal(s, store_account_secret_place(what, id, a), bytes,
		out, e) < 0) {
		if (s->role == STORE_SERVED || store_key_current(s, e) < 0)
			return -1;
		(void)store_account_secret_fails(e);
		return err_because(e, "tampered with, or moved: %s/%lld",
		    sealed[what].where, (long long)id);
	}
	return 0;
}

int
store_account_secret_opens(struct store *s, int64_t id, enum store_sealed what,
    struct err *e)
{
	CLEANUP(secret_close) struct secret *plain = NULL;

	int r;

	if (s->role != STORE_SERVED)
		return store_account_secret(s, id, what, &plain, e);
	r = keeper_ask_opens(s, id, what, e);
	return r == 0 ? store_account_secret_fails(e) : r < 0 ? -1 : 0;
}

static int
store_account_secret_every_id(struct store *s, struct arena *a, int64_t **out,
    size_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int64_t *v = NULL;
	int r;

	if (stmt_prepare(s, "SELECT id FROM accounts", &st, e) < 0)
		return -1;
	for (*n = 0; (r = stmt_step(s, st, e)) == 1; (*n)++) {
		v = arena_grow(a, v, *n * sizeof(*v), (*n + 1) * sizeof(*v));
		v[*n] = stmt_column_int(st, 0);
	}
	*out = v;
	return r;
}

/* One value, if it exists: 1, 0, -1. */
static int
store_account_secret_reseal_one(struct store *s, int64_t id,
    enum store_sealed what, const struct secret *old,
    const struct secret *fresh, struct err *e)
{
	CLEANUP(secret_close) struct secret *plain = NULL;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	CLEANUP(stmt_done) struct stmt *get = NULL, *put = NULL;
	struct str bytes;
	int r;

	if (stmt_ask(s, e, sealed[what].get, &get, V(id)) < 0)
		return -1;
	r = stmt_step(s, get, e);
	if (r < 0)
		return -1;
	if (r == 0 || stmt_column_is_null(get, 0))
		return 0;
	bytes = stmt_column_raw(get, 0);
	if (seal_open(old, store_account_secret_place(what, id, a), bytes,
		&plain, e) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "a credential cannot be unsealed: nothing was changed");
		return err_because(e, "tampered with, or moved: %s/%lld",
		    sealed[what].where, (long long)id);
	}
	if (seal_make(fresh, store_account_secret_place(what, id, a), plain, a,
		&bytes, e) < 0 ||
	    stmt_ask(s, e, sealed[what].put, &put, V(id), stmt_v_blob(bytes)) <
		0)
		return -1;
	return stmt_run(s, put, e) < 0 ? -1 : 1;
}

int
store_account_secret_reseal(struct store *s, const struct secret *old,
    const struct secret *fresh, size_t *n, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64UL << 20);
	int64_t *id;
	size_t ids;

	*n = 0;
	if (store_account_secret_every_id(s, a, &id, &ids, e) < 0)
		return -1;
	for (size_t i = 0; i < ids; i++)
		for (size_t k = 0; k < sizeof(sealed) / sizeof(sealed[0]);
		     k++) {
			int r = store_account_secret_reseal_one(s, id[i],
			    (enum store_sealed)k, old, fresh, e);

			if (r < 0)
				return -1;
			*n += (size_t)r;
		}
	return 0;
}
