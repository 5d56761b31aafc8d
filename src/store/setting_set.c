/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings that the operator sets.  Values that emcli itself keeps there cannot
 * be set.
 */
#include "store/chain.h"
#include "store/internal.h"
#include "store/notice.h"
#include "store/notice_row.h"

static bool
store_setting_set_is_own(struct str key)
{
	return str_starts(key, S("dek_")) || str_eq(key, S("schema_version")) ||
	    str_eq(key, S("notify_mark"));
}

int
store_setting_set(struct store *s, struct str key, struct str value,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO settings (key, value) VALUES (?1, ?2)"
	    " ON CONFLICT (key) DO UPDATE SET value = excluded.value";
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t days;

	if (store_key_need_admin(s, e) < 0)
		return -1;
	if (store_setting_set_is_own(key))
		return err_set(e, ERR_USAGE, "that setting cannot be set");
	if (tx_begin(s, &t, e) < 0 || store_setting_days(s, &days, e) < 0 ||
	    stmt_do(s, e, sql, V(key), V(value)) < 0)
		return -1;
	/* The retention is signed: only the operator may shorten it. */
	if (str_eq(key, S("audit_retention_days")) &&
	    chain_sign_days(s, days, e) < 0)
		return -1;
	if (str_eq(key, S(STORE_NOTICE_WAY)) && notice_way_set(s, value, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
