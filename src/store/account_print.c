/* SPDX-License-Identifier: Apache-2.0 */
/* What an account is made of, as a digest: what it is is not said. */
#include "store/internal.h"
#include "store/outbox.h"

enum {
	COLUMNS = 128
};

/* A token replaces it at each use; that changes nothing else. */
static bool
store_account_print_counts(const char *column)
{
	return strcmp(column, "enc_oauth_refresh_token") != 0 &&
	    strcmp(column, "oauth_refresh_s") != 0;
}

int
store_account_print(struct store *s, struct arena *a, int64_t id,
    struct str *out, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str part[COLUMNS];
	size_t n = 0;
	int r;

	if (stmt_ask(s, e, "SELECT * FROM accounts WHERE id = ?1", &st, V(id)) <
	    0)
		return -1;
	r = stmt_step(s, st, e);
	if (r < 0)
		return -1;
	if (r == 0)
		return err_set(e, ERR_NOT_FOUND, "there is no such account");
	for (int i = 0; i < stmt_column_count(st) && n < COLUMNS; i++)
		if (store_account_print_counts(stmt_column_name(st, i)))
			part[n++] = stmt_column_raw(st, i);
	*out = store_digest(a, part, n);
	return 0;
}
