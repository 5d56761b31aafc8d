/* Settings: text by key.  What emcli keeps there itself is not the operator's
 * to set. */
#include "store/internal.h"

int
store_setting_get(struct store *s, struct arena *a, struct str key,
    struct str *out, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	int r;

	if (stmt_prepare(s, "SELECT value FROM settings WHERE key = ?1", &st,
		e) < 0)
		return -1;
	stmt_text(st, 1, key);
	r = stmt_step(s, st, e);
	if (r == 1)
		*out = stmt_column(st, 0, a);
	return r;
}

static bool
is_own(struct str key)
{
	return str_starts(key, S("dek_")) || str_eq(key, S("schema_version"));
}

int
store_setting_set(struct store *s, struct str key, struct str value,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO settings (key, value) VALUES (?1, ?2)"
	    " ON CONFLICT (key) DO UPDATE SET value = excluded.value";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t days;

	if (store_key_need_admin(s, e) < 0)
		return -1;
	if (is_own(key))
		return err_set(e, ERR_USAGE, "that setting cannot be set");
	if (tx_begin(s, &t, e) < 0 || audit_purge_days(s, &days, e) < 0 ||
	    stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	stmt_text(st, 1, key);
	stmt_text(st, 2, value);
	if (stmt_run(s, st, e) < 0)
		return -1;
	/* How long rows are kept is signed: nobody else may shorten it. */
	if (str_eq(key, S("audit_retention_days")) &&
	    chain_sign_days(s, days, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
