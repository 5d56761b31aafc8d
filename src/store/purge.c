/* SPDX-License-Identifier: Apache-2.0 */
/* Deletes rows older than the audit log's retention. */
#include "store/internal.h"

int
purge_old(struct store *s, int64_t now_s, const char *find, const char *drop,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
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
	if (stmt_ask(s, e, find, &st, V(before)) < 0)
		return -1;
	r = stmt_step(s, st, e);
	if (r <= 0)
		return r;
	stmt_done(&st);
	r = s->driver->owns(s, e);
	if (r <= 0)
		return r;
	if (tx_begin(s, &t, e) < 0 || stmt_do(s, e, drop, V(before)) < 0)
		return -1;
	return tx_commit(&t, e);
}
