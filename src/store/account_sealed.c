/* SPDX-License-Identifier: Apache-2.0 */
/* Which credentials an account has, without opening any. */
#include "store/internal.h"

int
store_account_sealed(struct store *s, int64_t id, bool set[STORE_SEALED],
    struct err *e)
{
	static const char sql[] =
	    "SELECT enc_password IS NOT NULL, enc_oauth_client_id IS NOT NULL,"
	    " enc_oauth_client_secret IS NOT NULL,"
	    " enc_oauth_refresh_token IS NOT NULL FROM accounts WHERE id = ?1";
	static const enum store_sealed order[STORE_SEALED] = { STORE_PASSWORD,
		STORE_OAUTH_CLIENT_ID, STORE_OAUTH_CLIENT_SECRET,
		STORE_OAUTH_REFRESH_TOKEN };
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(id)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	for (int i = 0; r == 1 && i < STORE_SEALED; i++)
		set[order[i]] = stmt_column_int(st, i) != 0;
	return r < 0 ? -1 : 0;
}
