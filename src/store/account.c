/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts: the operator's mailboxes.  Tens of them. */
#include "store/account_row.h"
#include "store/internal.h"

int
store_account_add(struct store *s, const struct store_account *acct,
    const struct secret *password, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	struct store_account row = *acct;

	if (store_key_need_admin(s, e) < 0)
		return -1;
	if (!account_row_is_name(acct->name))
		return err_set(e, ERR_USAGE,
		    "an account's name is 1 to 64 letters, digits, . _ or -");
	/* The seal is bound to the row's id, so the row is inserted first. */
	row.id = 0;
	if (tx_begin(s, &t, e) < 0 || account_row_put(s, &row, e) < 0)
		return -1;
	if (password != NULL &&
	    store_account_secret_put(s, row.id, STORE_PASSWORD, password, e) <
		0)
		return -1;
	return tx_commit(&t, e);
}

/* The id is never reused, so no command could name these rows again. */
static int
store_account_forget_freezes(struct store *s, struct str name, struct err *e)
{
	return stmt_do(s, e,
	    "DELETE FROM freeze WHERE account_id ="
	    " (SELECT id FROM accounts WHERE name = ?1)",
	    V(name));
}

int
store_account_remove(struct store *s, struct str name, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (store_key_need_admin(s, e) < 0 || tx_begin(s, &t, e) < 0 ||
	    store_account_forget_freezes(s, name, e) < 0 ||
	    stmt_do(s, e, "DELETE FROM accounts WHERE name = ?1", V(name)) < 0)
		return -1;
	if (stmt_changes(s) == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	return tx_commit(&t, e);
}

static int
account_read_one(struct store *s, struct arena *a, struct stmt *st,
    struct store_account *out, struct err *e)
{
	int r = stmt_step(s, st, e);

	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	if (r < 0)
		return -1;
	account_row_read(st, a, out);
	return 0;
}

int
store_account_get(struct store *s, struct arena *a, struct str name,
    struct store_account *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (account_row_select(s, "WHERE name = ?1", &st, e) < 0)
		return -1;
	stmt_text(st, 1, name);
	return account_read_one(s, a, st, out, e);
}

int
store_account_of(struct store *s, struct arena *a, int64_t id,
    struct store_account *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;

	if (account_row_select(s, "WHERE id = ?1", &st, e) < 0)
		return -1;
	stmt_int(st, 1, id);
	return account_read_one(s, a, st, out, e);
}

int
store_account_list(struct store *s, struct arena *a, struct store_account **out,
    size_t *n, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct store_account *v = NULL;
	size_t have = 0;
	int r;

	if (account_row_select(s, "ORDER BY name", &st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		v = arena_more(a, v, have, sizeof(*v));
		account_row_read(st, a, &v[have++]);
	}
	if (r < 0)
		return -1;
	*out = v;
	*n = have;
	return 0;
}

int
store_account_names(struct store *s, struct arena *a, struct strs *out,
    struct err *e)
{
	struct store_account *v;
	size_t n;

	*out = (struct strs){ 0 };
	if (store_account_list(s, a, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		str_push(a, out, v[i].name);
	return 0;
}
