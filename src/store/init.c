/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates a store: file, schema, and the DEK under both keys.  Repeated or
 * concurrent calls have the same result: existing data is kept.
 */
#include "store/chain.h"
#include "store/internal.h"
#include "store/opening.h"
#include "store/seal.h"
#include "store/slot.h"

/* A database that is not emcli's is not touched. */
static int
store_init_must_be_ours(struct store *s, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = migrate_known(s, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	if (stmt_prepare(s, s->driver->parts, &st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1)
		return err_set(e, ERR_CONFIG,
		    "the database was not made by emcli");
	return r;
}

/* Opens the slot and closes it again: is the key right?  1, 0 empty, -1. */
static int
try_slot(struct store *s, const struct key *k, struct err *e)
{
	CLEANUP(secret_close) struct secret *dek = NULL;

	return store_key_unwrap(s, k, &dek, e);
}

static int
store_init_new_dek(struct store *s, const struct key *admin,
    const struct key *agent, struct err *e)
{
	CLEANUP(secret_close) struct secret *dek = NULL;
	int r = try_slot(s, agent, e);

	/*
	 * Only one slot is filled: a new DEK would orphan what the old one
	 * sealed.
	 */
	if (r != 0)
		return r < 0 ? -1 : store_key_refuse(admin, e);
	if (seal_key(&dek, e) < 0 || store_key_wrap(s, admin, dek, e) < 0)
		return -1;
	return store_key_wrap(s, agent, dek, e);
}

static int
store_init_fill_slots(struct store *s, const struct key *admin,
    const struct key *agent, bool *created, struct err *e)
{
	CLEANUP(secret_close) struct secret *dek = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	if (tx_begin(s, &t, e) < 0)
		return -1;
	r = store_key_unwrap(s, admin, &dek, e);
	if (r < 0)
		return -1;
	*created = r == 0;
	if (r == 0) {
		/* Signed while it is empty: no row can be missing unnoticed. */
		if (store_init_new_dek(s, admin, agent, e) < 0 ||
		    chain_sign_key(admin->key, &s->audit_key, e) < 0 ||
		    chain_sign_first(s, e) < 0 || signed_copy_first(s, e) < 0)
			return -1;
	} else {
		/*
		 * The agent's slot may be empty on purpose (a broker's store).
		 */
		r = try_slot(s, agent, e);
		if (r < 0 || (r == 0 && store_key_wrap(s, agent, dek, e) < 0))
			return -1;
	}
	return tx_commit(&t, e);
}

static int
store_init_make(const char *path, const struct store_keys *k, bool *created,
    struct err *e)
{
	CLEANUP(store_key_done) struct key admin = { 0 };
	CLEANUP(store_key_done) struct key agent = { 0 };
	CLEANUP(store_close) struct store *s = NULL;
	mode_t was;
	int r;

	if (store_key_admin(k, &admin, e) < 0 ||
	    store_key_agent(k, &agent, e) < 0)
		return -1;
	/* The same key twice would make every agent an operator. */
	if (secret_eq(admin.key, agent.key))
		return err_set(e, ERR_CONFIG,
		    "EMCLI_KEY and EMCLI_ADMIN_KEY must be different keys");
	r = store_file_check(path, &was, e);
	if (r < 0 || (r == 0 && store_file_make(path, e) < 0) ||
	    store_file_guarded(path, e) < 0)
		return -1;
	if (store_connect_open(path, &s, e) < 0 ||
	    store_init_must_be_ours(s, e) < 0 ||
	    store_connect_use_wal(s, e) < 0 ||
	    migrate_run(s, migrations_all, e) < 0)
		return -1;
	return store_init_fill_slots(s, &admin, &agent, created, e);
}

int
store_init(const char *path, const struct store_keys *k, bool *created,
    struct err *e)
{
	int r = store_init_make(path, k, created, e);

	if (r < 0)
		store_refused_note(path, k, e);
	return r;
}
