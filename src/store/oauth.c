/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An account's consent: reads and replaces it, and renews it with every
 * refresh.
 */
#include "store/oauth.h"

#include "base/clock.h"
#include "store/account_row.h"
#include "store/internal.h"

int
store_oauth_get(struct store *s, struct arena *a, int64_t account,
    struct store_oauth *out, struct err *e)
{
	static const char sql[] =
	    "SELECT oauth_provider, oauth_issuer, oauth_token_url,"
	    " oauth_login, oauth_scope, oauth_consent_s, oauth_refresh_s,"
	    " enc_oauth_client_id IS NOT NULL,"
	    " enc_oauth_client_secret IS NOT NULL,"
	    " enc_oauth_refresh_token IS NOT NULL"
	    " FROM accounts WHERE id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, V(account)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	if (r < 0)
		return -1;
	*out = (struct store_oauth){
		.provider = stmt_column(st, 0, a),
		.issuer = stmt_column(st, 1, a),
		.token_url = stmt_column(st, 2, a),
		.basic = str_eq(stmt_column(st, 3, a), S("basic")),
		.scope = stmt_column(st, 4, a),
		.consent_s = stmt_column_int(st, 5),
		.refresh_s = stmt_column_int(st, 6),
		.has_client_id = stmt_column_int(st, 7) != 0,
		.has_client_secret = stmt_column_int(st, 8) != 0,
		.has_refresh = stmt_column_int(st, 9) != 0,
	};
	return 0;
}

static int
store_oauth_put_from(struct store *s, int64_t account,
    const struct store_oauth *x, struct err *e)
{
	static const char sql[] =
	    "UPDATE accounts SET oauth_provider = ?2, oauth_issuer = ?3,"
	    " oauth_token_url = ?4, oauth_login = ?5, oauth_scope = ?6,"
	    " oauth_consent_s = ?7, oauth_refresh_s = ?7,"
	    " enc_oauth_client_secret = NULL, enc_password = NULL"
	    " WHERE id = ?1";

	if (stmt_do(s, e, sql, V(account), stmt_v_or_null(x->provider),
		stmt_v_or_null(x->issuer), stmt_v_or_null(x->token_url),
		V(x->basic ? S("basic") : S("form")), stmt_v_or_null(x->scope),
		V(clock_now())) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	return 0;
}

int
store_oauth_consent(struct store *s, int64_t account,
    const struct store_consent *c, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || store_durable(s, e) < 0 ||
	    tx_begin(s, &t, e) < 0 ||
	    store_oauth_put_from(s, account, &c->from, e) < 0 ||
	    store_account_secret_put(s, account, STORE_OAUTH_CLIENT_ID,
		c->client_id, e) < 0 ||
	    store_account_secret_put(s, account, STORE_OAUTH_REFRESH_TOKEN,
		c->refresh, e) < 0)
		return -1;
	if (c->client_secret != NULL &&
	    store_account_secret_put(s, account, STORE_OAUTH_CLIENT_SECRET,
		c->client_secret, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_oauth_forget(struct store *s, int64_t account, struct err *e)
{
	static const char sql[] =
	    "UPDATE accounts SET oauth_provider = NULL, oauth_issuer = NULL,"
	    " oauth_token_url = NULL, oauth_login = NULL, oauth_scope = NULL,"
	    " oauth_consent_s = 0, oauth_refresh_s = 0,"
	    " enc_oauth_client_id = NULL, enc_oauth_client_secret = NULL,"
	    " enc_oauth_refresh_token = NULL WHERE id = ?1";

	return stmt_do(s, e, sql, V(account));
}

int
store_oauth_name(struct store *s, int64_t account, const struct store_oauth *x,
    struct err *e)
{
	static const char sql[] =
	    "UPDATE accounts SET oauth_provider = ?2, oauth_issuer = ?3,"
	    " oauth_scope = ?4 WHERE id = ?1";
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_oauth_forget(s, account, e) < 0 ||
	    stmt_do(s, e, sql, V(account), stmt_v_or_null(x->provider),
		stmt_v_or_null(x->issuer), stmt_v_or_null(x->scope)) < 0)
		return -1;
	return tx_commit(&t, e);
}

int
store_oauth_refreshed(struct store *s, int64_t account,
    const struct secret *refresh, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (refresh != NULL && store_durable(s, e) < 0)
		return -1;
	if (tx_begin(s, &t, e) < 0 ||
	    stmt_do(s, e,
		"UPDATE accounts SET oauth_refresh_s = ?2 WHERE id = ?1"
		" AND enc_oauth_refresh_token IS NOT NULL",
		V(account), V(clock_now())) < 0)
		return -1;
	if (refresh != NULL && stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "the account has no consent");
	if (refresh != NULL &&
	    store_account_secret_put(s, account, STORE_OAUTH_REFRESH_TOKEN,
		refresh, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
