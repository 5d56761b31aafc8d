/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index.sqlite stays open between the tasks of one root.  Opening it takes
 * longer than most tasks: SQLite reads and compiles the whole schema.
 */
#include <fcntl.h>
#include <sqlite3.h>

#include "backend/agentbox/db.h"
#include "backend/agentbox/internal.h"

void
db_spare_close(struct db_spare *s)
{
	struct db d = { .h = s->h, .code = s->code };

	*s = (struct db_spare){ 0 };
	db_stmt_close(&d);
}

/* A repair, ours or the upstream program's, may put another file there. */
static bool
spare_is_current(const struct agentbox_root *r)
{
	const struct db_spare *s = r->spare;
	struct stat is;

	return s->h != NULL &&
	    fstatat(r->dir, DB_INDEX, &is, AT_SYMLINK_NOFOLLOW) == 0 &&
	    is.st_dev == s->was.st_dev && is.st_ino == s->was.st_ino;
}

int
db_spare_take(struct db *d, const struct agentbox_root *r, struct err *e)
{
	struct db_spare *s = r->spare;

	if (!spare_is_current(r)) {
		db_spare_close(s);
		return 0;
	}
	*d =
	    (struct db){ .h = s->h, .code = s->code, .home = s, .was = s->was };
	*s = (struct db_spare){ 0 };
	db_stmt_until(d, r);
	return db_stmt_check(d, e) < 0 ? -1 : 1;
}
