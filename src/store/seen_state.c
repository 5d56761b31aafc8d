/* SPDX-License-Identifier: Apache-2.0 */
/* How far a folder was acked, and under which numbering. */
#include "store/internal.h"
#include "store/seen_row.h"

int
store_seen_state(struct store *s, const struct store_folder *f,
    uint32_t *uidvalidity, uint32_t *floor, struct err *e)
{
	static const char sql[] =
	    "SELECT uidvalidity, floor_uid FROM folder_state"
	    " WHERE account_id = ?1 AND principal = ?2 AND folder = ?3";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_ask(s, e, sql, &st, OF_FOLDER(f)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r == 1) {
		*uidvalidity = stmt_column_u32(st, 0);
		*floor = stmt_column_u32(st, 1);
	}
	return r;
}

int
seen_state_put(struct store *s, const struct store_folder *f, uint32_t floor,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO folder_state"
	    " (account_id, principal, folder, uidvalidity, floor_uid)"
	    " VALUES (?1, ?2, ?3, ?4, ?5)"
	    " ON CONFLICT (account_id, principal, folder) DO UPDATE"
	    " SET uidvalidity = excluded.uidvalidity,"
	    " floor_uid = excluded.floor_uid";

	return stmt_do(s, e, sql, OF_FOLDER(f), V(f->uidvalidity), V(floor));
}

int
seen_state_renumbered(struct err *e)
{
	return err_set(e, ERR_NOT_FOUND,
	    "the folder was renumbered: list it again");
}

/*
 * Renumbered meanwhile: uids now name other messages.  Or it is gone, because
 * its account was removed.
 */
int
seen_state_same(struct store *s, const struct store_folder *f, uint32_t *floor,
    struct err *e)
{
	uint32_t uidvalidity = 0;
	int r = store_seen_state(s, f, &uidvalidity, floor, e);

	if (r < 0)
		return -1;
	return r == 0 || uidvalidity != f->uidvalidity
	    ? seen_state_renumbered(e)
	    : 0;
}
