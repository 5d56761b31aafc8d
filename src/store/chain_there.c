/* SPDX-License-Identifier: Apache-2.0 */
/* Which chains the audit log has. */
#include "store/chain.h"

/* Each step finds the next chain by the table's key. */
static int
chain_there_in(struct store *s, const char *sql, bool there[CHAIN_RANGES],
    struct err *e)
{
	int k = 0;

	while (k + 1 < CHAIN_RANGES) {
		CLEANUP(stmt_done) struct stmt *st = NULL;
		int r;

		if (stmt_ask(s, e, sql, &st, V(chain_range_base(k + 1))) < 0)
			return -1;
		r = stmt_step(s, st, e);
		if (r < 0)
			return -1;
		/* In a file a column takes what is no number, too. */
		if (r == 0 || stmt_column_is_null(st, 0) ||
		    chain_range_of(stmt_column_int(st, 0)) <= k)
			return 0;
		k = chain_range_of(stmt_column_int(st, 0));
		there[k] = true;
	}
	return 0;
}

/* Those that are counted, though nothing of them is left. */
static int
chain_there_counted(struct store *s, bool there[CHAIN_RANGES], struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	struct str head, tail;
	uint32_t k;
	int r;

	if (stmt_prepare(s,
		"SELECT name FROM sqlite_sequence"
		" WHERE name LIKE 'audit_log.%' OR name LIKE 'audit_link.%'",
		&st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1)
		if (str_cut(stmt_column_raw(st, 0), '.', &head, &tail) &&
		    str_to_u32(tail, CHAIN_RANGES - 1, &k))
			there[k] = true;
	return r;
}

int
chain_there_signed(struct store *s, bool there[CHAIN_RANGES], int64_t *n,
    struct err *e)
{
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	*n = 0;
	if (stmt_prepare(s,
		"SELECT max(seq), count(*) FROM audit_checkpoint"
		" GROUP BY seq / " CHAIN_RANGE_SQL,
		&st, e) < 0)
		return -1;
	while ((r = stmt_step(s, st, e)) == 1) {
		there[chain_range_of(stmt_column_int(st, 0))] = true;
		*n += stmt_column_int(st, 1);
	}
	return r;
}

int
chain_there(struct store *s, bool there[CHAIN_RANGES], struct err *e)
{
	there[0] = true;
	return chain_there_in(s, "SELECT min(id) FROM audit_log WHERE id >= ?1",
		   there, e) < 0 ||
		chain_there_in(s,
		    "SELECT min(seq) FROM audit_link WHERE seq >= ?1", there,
		    e) < 0
	    ? -1
	    : chain_there_counted(s, there, e);
}

int
chain_there_several(struct store *s, bool *out, struct err *e)
{
	bool there[CHAIN_RANGES] = { 0 };

	if (chain_there(s, there, e) < 0)
		return -1;
	*out = false;
	for (int k = 1; k < CHAIN_RANGES; k++)
		*out = *out || there[k];
	return 0;
}
