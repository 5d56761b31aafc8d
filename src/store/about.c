/* SPDX-License-Identifier: Apache-2.0 */
/* What kind of store it is, for those who tell people. */
#include <errno.h>
#include <unistd.h>

#include "store/internal.h"
#include "store/postgres.h"
#include "store/postgres_open.h"

bool
store_about_is_file(const char *db)
{
	return !postgres_open_is(db);
}

bool
store_about_is_there(const char *db)
{
	return !store_about_is_file(db) || access(db, F_OK) == 0 ||
	    errno != ENOENT;
}

int
store_about_need_file(const char *db, const char *what, const char *hint,
    struct err *e)
{
	if (store_about_is_file(db))
		return 0;
	(void)err_set(e, ERR_UNSUPPORTED,
	    "%s is for a store in a file, and this one is in PostgreSQL", what);
	return err_hint(e, hint);
}

struct str
store_about(struct store *s, struct arena *a)
{
	return s->driver->is_file ? (struct str){ 0 } : postgres_about(s, a);
}
