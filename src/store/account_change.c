/*
 * Changing an account that is there: read, altered and written back under one
 * lock, so that two who change different things at once both get their way.
 */
#include "store/internal.h"
#include "store/oauth.h"

static int
write_row(struct store *s, const struct store_account *x, struct err *e)
{
	static const char sql[] =
	    "UPDATE accounts SET name = ?1, backend = ?2, mode = ?3,"
	    " outbound = ?4, from_addr = ?5, username = ?6, auth_type = ?7,"
	    " imap_host = ?8, smtp_host = ?9, imap_port = ?10, smtp_port = ?11,"
	    " imap_security = ?12, smtp_security = ?13, ca_file = ?14,"
	    " tls_pin = ?15, path = ?16, attach_dir = ?17,"
	    " whitelist_in_enabled = ?18, whitelist_out_enabled = ?19,"
	    " subject_regex = ?20, process_backlog = ?21, quirk_id = ?22,"
	    " quirk_sasl_ir = ?23, sent_copy = ?24, authserv_id = ?25,"
	    " scope = ?26, secrets_check = ?27, taint_minutes = ?28,"
	    " limit_messages = ?29, limit_new_recipients = ?30,"
	    " limit_recipients = ?31, limit_bytes = ?32, url = ?33,"
	    " list = ?34, list_folder = ?35, drafts_folder = ?36,"
	    " sent_folder = ?37, thread_url = ?38, whitelist_auth = ?39,"
	    " check_unfinished = ?40 WHERE id = ?41";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	account_row_bind(st, x);
	stmt_int(st, ACCOUNT_ROW_BOUND + 1, x->id);
	if (stmt_run(s, st, e) == 0)
		return 0;
	if (sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_UNIQUE)
		return err_set(e, ERR_USAGE,
		    "an account of that name is there already");
	return -1;
}

static int
forget_password(struct store *s, int64_t id, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s,
		"UPDATE accounts SET enc_password = NULL WHERE id = ?1", &st,
		e) < 0)
		return -1;
	stmt_int(st, 1, id);
	return stmt_run(s, st, e);
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
	if (write_row(s, &acct, e) < 0)
		return -1;
	/* Tokens that nothing uses would only wait for a thief. */
	if (!str_eq(acct.auth_type, S("oauth2")) &&
	    store_oauth_forget(s, id, e) < 0)
		return -1;
	if (ch->password != NULL) {
		if (store_account_secret_put(s, id, STORE_PASSWORD,
			ch->password, e) < 0)
			return -1;
	} else if (ch->forget != NULL && *ch->forget &&
	    forget_password(s, id, e) < 0) {
		return -1;
	}
	return tx_commit(&t, e);
}
