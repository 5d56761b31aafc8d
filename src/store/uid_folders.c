/* SPDX-License-Identifier: Apache-2.0 */
/* Which folders were numbered with a message. */
#include "store/internal.h"

int
store_uid_folders(struct store *s, struct arena *a, int64_t account,
    struct str id, struct strs *out, struct err *e)
{
	static const char sql[] =
	    "SELECT f.folder FROM uid_folder f JOIN uid_map m"
	    " ON m.folder_id = f.id AND m.message = ?2 AND m.gone = 0"
	    " WHERE f.account_id = ?1";
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*out = (struct strs){ 0 };
	if (stmt_ask(s, e, sql, &st, V(account), V(id)) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		str_push(a, out, stmt_column(st, 0, a));
	return r;
}
