/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The numbers from which the next are made (sqlite_sequence).  They are not
 * signed: what cannot be emcli's is told, before a copy with it is needed.
 */
#include "store/chain_range.h"
#include "store/opening.h"
#include "store/restoring.h"

/* Of the first chain, and of the others. */
#define CHAINED(t, id)                                                         \
	" UNION ALL SELECT 1 WHERE (SELECT max(" id ") FROM " t " WHERE " id   \
	" < " CHAIN_RANGE_SQL ") > coalesce((SELECT seq FROM"                  \
	" sqlite_sequence WHERE name = '" t "'), 0)"                           \
	" UNION ALL SELECT 1 FROM (SELECT max(" id ") AS top,"                 \
	" CASE WHEN " id " / " CHAIN_RANGE_SQL " > 31 THEN 31"                 \
	" ELSE " id " / " CHAIN_RANGE_SQL " END AS k FROM " t " WHERE " id     \
	" >= " CHAIN_RANGE_SQL " GROUP BY k) x"                                \
	" WHERE x.top > coalesce((SELECT seq FROM sqlite_sequence"             \
	" WHERE name = '" t ".' || x.k), 0)"
#define NUMBERED(t, id)                                                        \
	" UNION ALL SELECT 1 WHERE (SELECT max(" id ") FROM " t ") >"          \
	" coalesce((SELECT seq FROM sqlite_sequence WHERE name = '" t "'), 0)"

int
check_numbers(struct store *s, struct err *e)
{
	/* A file's columns take values of any type. */
	static const char types[] =
	    "SELECT 1 FROM sqlite_sequence WHERE typeof(name) <> 'text'"
	    " OR typeof(seq) <> 'integer'";
	static const char sql[] =
	    "SELECT 1 FROM sqlite_sequence WHERE seq < 0"
	    " OR seq >= " RESTORE_NUMBERS
	    " UNION ALL SELECT 1 FROM sqlite_sequence"
	    " GROUP BY name HAVING count(*) > 1" NUMBERED("accounts", "id")
		NUMBERED("agent", "id") NUMBERED("audit_checkpoint", "n")
		    CHAINED("audit_link", "seq") CHAINED("audit_log", "id")
			NUMBERED("journal", "id") NUMBERED("outbox", "id")
			    NUMBERED("uid_folder", "id");
	CLEANUP(stmt_done) struct stmt *of = NULL;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r = 0;

	if (s->driver->is_file &&
	    (stmt_prepare(s, types, &of, e) < 0 ||
		(r = stmt_step(s, of, e)) < 0))
		return -1;
	if (r == 1)
		return 0;
	if (stmt_prepare(s, sql, &st, e) < 0)
		return -1;
	r = stmt_step(s, st, e);
	return r < 0 ? -1 : r == 0;
}
