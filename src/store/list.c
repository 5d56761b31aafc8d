/* SPDX-License-Identifier: Apache-2.0 */
/* The two whitelists of an account. */
#include "store/internal.h"

#define PLAIN " whitelist_in WHERE account_id = ?1 AND auth = 'none'"
#define DMARC " whitelist_in WHERE account_id = ?1 AND auth <> 'none'"
#define OUT " whitelist_out WHERE account_id = ?1"

static const struct {
	const char *add, *remove, *get;
} sql[] = {
	[STORE_LIST_IN] = {
	    "INSERT INTO whitelist_in (account_id, address) VALUES (?1, ?2)"
	    " ON CONFLICT (account_id, address) DO UPDATE SET auth = 'none'",
	    "DELETE FROM whitelist_in WHERE account_id = ?1 AND address = ?2",
	    "SELECT address FROM" PLAIN " ORDER BY address",
	},
	[STORE_LIST_IN_DMARC] = {
	    "INSERT INTO whitelist_in (account_id, address, auth)"
	    " VALUES (?1, ?2, 'dmarc')"
	    " ON CONFLICT (account_id, address) DO UPDATE SET auth = 'dmarc'",
	    "DELETE FROM whitelist_in WHERE account_id = ?1 AND address = ?2",
	    "SELECT address FROM" DMARC " ORDER BY address",
	},
	[STORE_LIST_OUT] = {
	    "INSERT INTO whitelist_out (account_id, address) VALUES (?1, ?2)"
	    " ON CONFLICT DO NOTHING",
	    "DELETE FROM whitelist_out WHERE account_id = ?1 AND address = ?2",
	    "SELECT address FROM" OUT " ORDER BY address",
	},
};

int
store_list_add(struct store *s, int64_t account, enum store_list which,
    const struct strs *entries, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_ask(s, e, sql[which].add, &st, V(account)) < 0)
		return -1;
	for (size_t i = 0; i < entries->n; i++) {
		stmt_text(st, 2, entries->v[i]);
		if (stmt_run(s, st, e) < 0)
			return -1;
	}
	return tx_commit(&t, e);
}

int
store_list_remove(struct store *s, int64_t account, enum store_list which,
    const struct strs *entries, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    stmt_ask(s, e, sql[which].remove, &st, V(account)) < 0)
		return -1;
	for (size_t i = 0; i < entries->n; i++) {
		stmt_text(st, 2, entries->v[i]);
		if (stmt_run(s, st, e) < 0)
			return -1;
		if (stmt_changes(s) == 0)
			return err_set(e, ERR_NOT_FOUND,
			    "an entry is not on the list");
	}
	return tx_commit(&t, e);
}

int
store_list_get(struct store *s, struct arena *a, int64_t account,
    enum store_list which, struct strs *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct strs found = { NULL, 0 };
	int r;

	if (stmt_ask(s, e, sql[which].get, &st, V(account)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		str_push(a, &found, stmt_column(st, 0, a));
	if (r == 0)
		*out = found;
	return r;
}

int
store_list_get_all(struct store *s, struct arena *a, int64_t account,
    struct strs out[STORE_LISTS], struct err *e)
{
	/* The numbers are those of enum store_list. */
	static const char all[] =
	    "SELECT 0 AS list, address FROM" PLAIN
	    " UNION ALL SELECT 1, address FROM" DMARC
	    " UNION ALL SELECT 2, address FROM" OUT " ORDER BY list, address";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	for (size_t i = 0; i < STORE_LISTS; i++)
		out[i] = (struct strs){ NULL, 0 };
	if (stmt_ask(s, e, all, &st, V(account)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		str_push(a, &out[stmt_column_u32(st, 0) % STORE_LISTS],
		    stmt_column(st, 1, a));
	return r;
}
