/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a numbering that is known to be current: only the requested rows. */
#include "store/uid_known.h"
#include "store/internal.h"

int
uid_known_folder(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, bool *same, struct err *e)
{
	/* NULL and an empty text both mean no listing. */
	static const char sql[] =
	    "SELECT id, uidvalidity, uidnext, coalesce(listing, '') = ?3"
	    " FROM uid_folder WHERE account_id = ?1 AND folder = ?2";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*out = (struct store_uids){ 0 };
	*same = false;
	if (stmt_ask(s, e, sql, &st, V(account), V(folder), V(listing)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1) {
		out->folder = stmt_column_int(st, 0);
		out->uidvalidity = stmt_column_u32(st, 1);
		out->uidnext = stmt_column_u32(st, 2);
		*same = stmt_column_int(st, 3) != 0;
	}
	return r;
}

int
store_uid_known(struct store *s, int64_t account, struct str folder,
    struct str listing, struct store_uids *out, struct err *e)
{
	bool same;
	int r = uid_known_folder(s, account, folder, listing, out, &same, e);

	if (r < 0)
		return -1;
	return same && listing.n > 0;
}

int
store_uid_known_page(struct store *s, struct arena *a, uint32_t low,
    uint32_t high, size_t max, struct store_uids *io, struct err *e)
{
	static const char sql[] =
	    "SELECT uid, message FROM uid_map WHERE folder_id = ?1"
	    " AND uid BETWEEN ?2 AND ?3 AND gone = 0"
	    " ORDER BY uid DESC LIMIT ?4";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	io->v = NULL;
	io->n = 0;
	if (stmt_ask(s, e, sql, &st, V(io->folder), V(low), V(high),
		V(max < INT64_MAX ? (int64_t)max : INT64_MAX)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		io->v = arena_more(a, io->v, io->n, sizeof(*io->v));
		io->v[io->n].uid = stmt_column_u32(st, 0);
		io->v[io->n++].id = stmt_column(st, 1, a);
	}
	for (size_t i = 0; i < io->n / 2; i++) {
		struct store_uid x = io->v[i];

		io->v[i] = io->v[io->n - 1 - i];
		io->v[io->n - 1 - i] = x;
	}
	return r;
}
