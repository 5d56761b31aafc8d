/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes an existing account: reads, alters and writes it under one lock, so
 * that two processes that change different things at once both succeed.
 */
#include "store/account_row.h"
#include "store/internal.h"
#include "store/oauth.h"

static int
store_account_change_forget_password(struct store *s, int64_t id, struct err *e)
{
	return stmt_do(s, e,
	    "UPDATE accounts SET enc_password = NULL WHERE id = ?1", V(id));
}

int
store_account_change(struct store *s, struct arena *a, struct str name,
    const struct store_change *ch, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct store_account acct = { 0 };
	int64_t id;

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_account_get(s, a, name, &acct, e) < 0)
		return -1;
	id = acct.id;
	if (ch->change(&acct, ch->ctx, e) < 0)
		return -1;
	if (acct.id != id)
		err_bug("store: an account's id was changed");
	if (!account_row_is_name(acct.name))
		return err_set(e, ERR_USAGE,
		    "an account's name is 1 to 64 letters, digits, . _ or -");
	if (account_row_put(s, &acct, e) < 0)
		return -1;
	/* Unused tokens are only a risk. */
	if (!str_eq(acct.auth_type, S("oauth2")) &&
	    store_oauth_forget(s, id, e) < 0)
		return -1;
	if (ch->password != NULL) {
		if (store_account_secret_put(s, id, STORE_PASSWORD,
			ch->password, e) < 0)
			return -1;
	} else if (ch->forget != NULL && *ch->forget &&
	    store_account_change_forget_password(s, id, e) < 0) {
		return -1;
	}
	return tx_commit(&t, e);
}
