/* Whether a folder was numbered with a message. */
#include "store/internal.h"

int
store_uid_has(struct store *s, int64_t account, struct str folder,
    struct str id, struct err *e)
{
	static const char sql[] =
	    "SELECT 1 FROM uid_map m JOIN uid_folder f ON f.id = m.folder_id"
	    " WHERE f.account_id = ?1 AND f.folder = ?2 AND m.message = ?3"
	    " AND m.gone = 0";
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_ask(s, e, sql, &st, V(account), V(folder), V(id)) < 0)
		return -1;
	return stmt_step(s, st, e);
}
