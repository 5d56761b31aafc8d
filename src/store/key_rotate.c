/* SPDX-License-Identifier: Apache-2.0 */
/* Another key for the same DEK, and the audit log's signatures under it. */
#include "store/chain.h"
#include "store/internal.h"
#include "store/key.h"
#include "store/slot.h"

/* Does fresh open the slot?  1, 0, -1. */
static int
store_key_rotate_opens(struct store *s, enum store_slot which,
    const struct secret *fresh, struct err *e)
{
	struct store_keys k = { fresh, fresh };
	CLEANUP(store_key_done) struct key key = { 0 };
	CLEANUP(secret_close) struct secret *dek = NULL;
	struct err no = { 0 };

	if (store_key_slot(which, &k, &key, e) < 0)
		return -1;
	if (store_key_unwrap(s, &key, &dek, &no) == 1)
		return 1;
	if (no.kind != ERR_NONE && no.kind != ERR_CONFIG) {
		*e = no;
		return -1;
	}
	return 0;
}

/* One key in both slots would make every agent an operator. */
static int
store_key_rotate_must_be_new(struct store *s, const struct secret *fresh,
    struct err *e)
{
	for (int i = STORE_SLOT_ADMIN; i <= STORE_SLOT_AGENT; i++) {
		int r = store_key_rotate_opens(s, (enum store_slot)i, fresh, e);

		if (r != 0)
			return r < 0
			    ? -1
			    : err_set(e, ERR_USAGE,
				  "the new key is already a key of this store");
	}
	return 0;
}

/* Is the slot filled, with whatever key? */
static int
store_key_rotate_must_be_full(struct store *s, const struct key *k,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str unused;
	int r = store_setting_get(s, a, str_of(k->slot), &unused, e);

	if (r != 0)
		return r < 0 ? -1 : 0;
	return err_set(e, ERR_CONFIG,
	    "the store has no key for agents: emcli init makes one");
}

/* Signs with the new admin key what the old one signed. */
static int
store_key_rotate_resign(struct store *s, const struct key *to,
    struct secret **fresh, struct err *e)
{
	if (!str_eq(str_of(to->slot), S("dek_wrap_admin")))
		return 0;
	if (chain_sign_key(to->key, fresh, e) < 0 ||
	    chain_sign_anew(s, s->audit_key, *fresh, e) < 0)
		return -1;
	return signed_copy_anew(s, s->audit_key, *fresh, e);
}

int
store_key_rotate(struct store *s, enum store_slot which,
    const struct store_keys *k, const struct secret *fresh,
    const struct store_key_last *last, struct err *e)
{
	struct store_keys with = { fresh, fresh };
	CLEANUP(store_key_done) struct key admin = { 0 };
	CLEANUP(store_key_done) struct key to = { 0 };
	CLEANUP(secret_close) struct secret *dek = NULL;
	CLEANUP(secret_close) struct secret *signs = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	int r;

	if (store_key_need_admin(s, e) < 0 || store_key_admin(k, &admin, e) < 0)
		return -1;
	if (store_key_slot(which, &with, &to, e) < 0)
		return err_set(e, ERR_CONFIG,
		    "the new key is not a base64-encoded 32-byte key");
	if (store_durable(s, e) < 0 || tx_begin(s, &t, e) < 0)
		return -1;
	/* In the transaction: another rotation may have happened in between. */
	r = store_key_unwrap(s, &admin, &dek, e);
	if (r <= 0)
		return r < 0 ? -1 : store_key_refuse(&admin, e);
	if (store_key_rotate_must_be_full(s, &to, e) < 0 ||
	    store_key_rotate_must_be_new(s, fresh, e) < 0 ||
	    store_key_renew(s, &to, dek, e) < 0 ||
	    store_key_rotate_resign(s, &to, &signs, e) < 0)
		return -1;
	/*
	 * Under the lock on purpose.  If the key were shown before it, another
	 * rotation could win and the key would never be valid; if shown after
	 * the commit, a valid key could be lost.  A reader that does not read
	 * the key blocks writers until they give up.
	 */
	if (last != NULL && last->fn(last->ctx, e) < 0)
		return -1;
	if (tx_commit(&t, e) < 0)
		return -1;
	if (signs != NULL) {
		secret_close(&s->audit_key);
		s->audit_key = signs;
		signs = NULL;
	}
	return 0;
}
