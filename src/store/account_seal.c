/* SPDX-License-Identifier: Apache-2.0 */
/* Stores a credential in an existing account. */
#include "store/account_row.h"
#include "store/internal.h"

int
store_account_seal(struct store *s, int64_t id, enum store_sealed what,
    const struct secret *value, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	/*
	 * A server may send a new refresh token during an agent's call;
	 * everything else requires the operator.
	 */
	if (what != STORE_OAUTH_REFRESH_TOKEN && store_key_need_admin(s, e) < 0)
		return -1;
	if (tx_begin(s, &t, e) < 0 ||
	    store_account_secret_put(s, id, what, value, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
