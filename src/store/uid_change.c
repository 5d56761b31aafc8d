/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes a numbering by what came and what went, when a backend can tell: the
 * cost is that of the changes and not of the folder.  The numbers are those
 * that store_uid_sync() gives.
 */
#include "base/clock.h"
#include "store/uid_known.h"

int
store_uid_change_last(struct store *s, struct arena *a, int64_t account,
    struct str folder, struct store_uids *out, struct str *listing,
    struct err *e)
{
	static const char sql[] =
	    "SELECT coalesce(listing, '') FROM uid_folder WHERE id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	bool same;
	int r = uid_known_folder(s, account, folder, S(""), out, &same, e);

	*listing = S("");
	if (r <= 0)
		return r;
	if (stmt_ask(s, e, sql, &st, V(out->folder)) < 0 ||
	    (r = stmt_step(s, st, e)) < 0)
		return -1;
	if (r == 1)
		*listing = stmt_column(st, 0, a);
	return listing->n > 0;
}

/* Numbers the one that came, or finds it again under its number. */
static int
uid_change_came(struct store *s, struct store_uids *u, struct str id,
    struct err *e)
{
	static const char again[] =
	    "UPDATE uid_map SET gone = 0 WHERE folder_id = ?1 AND message = ?2";
	static const char fresh[] =
	    "INSERT INTO uid_map (folder_id, uid, message)"
	    " VALUES (?1, ?2, ?3)";

	if (stmt_do(s, e, again, V(u->folder), V(id)) < 0)
		return -1;
	if (stmt_changes(s) > 0)
		return 0;
	if (u->uidnext == UINT32_MAX)
		return err_set(e, ERR_LIMIT, "the folder has no numbers left");
	return stmt_do(s, e, fresh, V(u->folder), V(u->uidnext++), V(id));
}

static int
uid_change_write(struct store *s, struct store_uids *u, struct str listing,
    const struct strs *came, const struct strs *gone, struct err *e)
{
	static const char drop[] =
	    "DELETE FROM uid_map WHERE folder_id = ?1 AND gone <> 0 AND"
	    " (gone <= ?2 - ?3 OR gone > ?2 + ?3)";
	static const char miss[] =
	    "UPDATE uid_map SET gone = ?3 WHERE folder_id = ?1 AND message ="
	    " ?2 AND gone = 0";
	static const char done[] =
	    "UPDATE uid_folder SET uidnext = ?2, listing = ?3 WHERE id = ?1";
	int64_t now_s = clock_now();

	if (stmt_do(s, e, drop, V(u->folder), V(now_s),
		V((int64_t)UID_KEEP_S)) < 0)
		return -1;
	for (size_t i = 0; i < gone->n; i++)
		if (stmt_do(s, e, miss, V(u->folder), V(gone->v[i]), V(now_s)) <
		    0)
			return -1;
	for (size_t i = 0; i < came->n; i++)
		if (uid_change_came(s, u, came->v[i], e) < 0)
			return -1;
	return stmt_do(s, e, done, V(u->folder), V(u->uidnext), V(listing));
}

int
store_uid_change(struct store *s, int64_t account, struct str folder,
    const struct store_uid_change *c, struct store_uids *out, struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };
	bool same;
	int r;

	if (tx_begin(s, &t, e) < 0)
		return -1;
	r = uid_known_folder(s, account, folder, c->since, out, &same, e);
	/* Another process was first: what came since is not known to us. */
	if (r <= 0 || !same)
		return r < 0 ? -1 : 0;
	if (uid_change_write(s, out, c->listing, c->came, c->gone, e) < 0)
		return -1;
	return tx_commit(&t, e) < 0 ? -1 : 1;
}
