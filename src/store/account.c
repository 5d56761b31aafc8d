/* Accounts: the operator's mailboxes.  Tens of them. */
#include "store/internal.h"

#define COLUMNS ACCOUNT_ROW_COLUMNS

static int
insert(struct store *s, const struct store_account *x, int64_t *id,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO accounts (name, backend, mode, outbound, from_addr,"
	    " username, auth_type, imap_host, smtp_host, imap_port, smtp_port,"
	    " imap_security, smtp_security, ca_file, tls_pin, path, attach_dir,"
	    " whitelist_in_enabled, whitelist_out_enabled, subject_regex,"
	    " process_backlog, quirk_id, quirk_sasl_ir, sent_copy,"
	    " authserv_id, scope, secrets_check, taint_minutes, limit_messages,"
	    " limit_new_recipients, limit_recipients, limit_bytes, url, list,"
	    " list_folder, drafts_folder, sent_folder, thread_url,"
	    " whitelist_auth, check_unfinished)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24,"
	    " ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36,"
	    " ?37, ?38, ?39, ?40)";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	account_row_bind(st, x);
	if (stmt_run(s, st, e) < 0) {
		if (sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_UNIQUE)
			return err_set(e, ERR_USAGE,
			    "an account of that name is there already");
		return -1;
	}
	*id = sqlite3_last_insert_rowid(s->db);
	return 0;
}

int
store_account_add(struct store *s, const struct store_account *acct,
    const struct secret *password, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	int64_t id = 0;

	if (store_key_need_admin(s, e) < 0)
		return -1;
	if (!account_row_is_name(acct->name))
		return err_set(e, ERR_USAGE,
		    "an account's name is 1 to 64 letters, digits, . _ or -");
	/* The seal is bound to the row's id, so the row comes first. */
	if (tx_begin(s, &t, e) < 0 || insert(s, acct, &id, e) < 0)
		return -1;
	if (password != NULL &&
	    store_account_secret_put(s, id, STORE_PASSWORD, password, e) < 0)
		return -1;
	return tx_commit(&t, e);
}

/* Its id is given to no other account: no command could name the row again. */
static int
forget_freezes(struct store *s, struct str name, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s,
		"DELETE FROM freeze WHERE account_id ="
		" (SELECT id FROM accounts WHERE name = ?1)",
		&st, e) < 0)
		return -1;
	stmt_text(st, 1, name);
	return stmt_run(s, st, e);
}

int
store_account_remove(struct store *s, struct str name, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    forget_freezes(s, name, e) < 0 ||
	    stmt_prepare(s, "DELETE FROM accounts WHERE name = ?1", &st, e) < 0)
		return -1;
	stmt_text(st, 1, name);
	if (stmt_run(s, st, e) < 0)
		return -1;
	if (sqlite3_changes(s->db) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	return tx_commit(&t, e);
}

int
store_account_get(struct store *s, struct arena *a, struct str name,
    struct store_account *out, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (stmt_prepare(s, "SELECT " COLUMNS " FROM accounts WHERE name = ?1",
		&st, e) < 0)
		return -1;
	stmt_text(st, 1, name);
	r = stmt_step(s, st, e);
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	if (r < 0)
		return -1;
	account_row_read(st, a, out);
	return 0;
}

int
store_account_list(struct store *s, struct arena *a, struct store_account **out,
    size_t *n, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	struct store_account *v = NULL;
	size_t have = 0, room = 0;
	int r;

	if (stmt_prepare(s, "SELECT " COLUMNS " FROM accounts ORDER BY name",
		&st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		if (have == room) {
			size_t more = room == 0 ? 8 : 2 * room;

			v = arena_grow(a, v, room * sizeof(*v),
			    more * sizeof(*v));
			room = more;
		}
		account_row_read(st, a, &v[have++]);
	}
	if (r < 0)
		return -1;
	*out = v;
	*n = have;
	return 0;
}
