/* Deletes rows older than the audit log's retention; open ones stay. */
#include "store/internal.h"
#include "store/outbox.h"

#define OLD " created_s < ?1 AND state NOT IN ('held', 'sending')"

int
store_outbox_purge(struct store *s, int64_t now_s, struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *find = NULL;
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;
	CLEANUP(tx_done) struct tx t = { 0 };
	uint32_t days;
	int64_t before;
	int r;

	if (store_setting_days(s, &days, e) < 0)
		return -1;
	if (days == 0)
		return 0;
	before = now_s - (int64_t)days * 86400;
	/* Checked first: most runs have nothing to do and take no lock. */
	if (stmt_ask(s, e, "SELECT 1 FROM outbox WHERE" OLD " LIMIT 1", &find,
		V(before)) < 0)
		return -1;
	r = stmt_step(s, find, e);
	if (r <= 0)
		return r;
	stmt_done(&find);
	if (tx_begin(s, &t, e) < 0 ||
	    stmt_ask(s, e, "DELETE FROM outbox WHERE" OLD, &st, V(before)) < 0)
		return -1;
	if (stmt_run(s, st, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
