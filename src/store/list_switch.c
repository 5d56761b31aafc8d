/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a whitelist is on: a column of its account. */
#include "store/internal.h"

int
store_list_switch(struct store *s, int64_t account, enum store_list which,
    bool on, struct err *e)
{
	static const char in[] =
	    "UPDATE accounts SET whitelist_in_enabled = ?2 WHERE id = ?1";
	static const char out[] =
	    "UPDATE accounts SET whitelist_out_enabled = ?2 WHERE id = ?1";
	const char *sql = which == STORE_LIST_OUT ? out : in;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e, sql, V(account), V(on)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "no such account");
	return tx_commit(&t, e);
}
