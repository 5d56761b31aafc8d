/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copy that is kept of a store before migrations change it, for whoever
 * must go back to the emcli of before.  The newest one is enough.
 */
#include <ctype.h>
#include <dirent.h>
#include <unistd.h>

#include "base/path.h"
#include "store/copying.h"

/* "emcli.db.before-031", and what SQLite makes beside it if it is opened. */
static bool
copy_before_is(const char *name, const char *base)
{
	const size_t n = strlen(base);
	const char *p = name + n;

	if (strncmp(name, base, n) != 0 || strncmp(p, ".before-", 8) != 0)
		return false;
	p += 8;
	for (int i = 0; i < 3; i++)
		if (!isdigit((unsigned char)*p++))
			return false;
	return *p == '\0' || strcmp(p, "-wal") == 0 || strcmp(p, "-shm") == 0;
}

/* Those of earlier migrations; one that cannot be removed does no harm. */
static void
copy_before_drop_others(const char *db, const char *keep, struct arena *a)
{
	const char *base = strrchr(db, '/') + 1;
	DIR *d = opendir(str_c(a, str_first(str_of(db), (size_t)(base - db))));
	const struct dirent *f;

	if (d == NULL)
		return;
	while ((f = readdir(d)) != NULL)
		if (copy_before_is(f->d_name, base) &&
		    strcmp(f->d_name, keep) != 0)
			(void)unlinkat(dirfd(d), f->d_name, 0);
	(void)closedir(d);
}

int
copy_before(struct store *s, int version, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	/* SQLite has made it absolute. */
	const char *db = sqlite3_db_filename(s->db, "main");
	const char *to = str_c(a, str_fmt(a, "%s.before-%03d", db, version));
	struct err why = { 0 };

	if (copy_replace(db, to, &why) == 0) {
		copy_before_drop_others(db, strrchr(to, '/') + 1, a);
		return 0;
	}
	(void)err_set(e, ERR_DB,
	    "the database is older than this emcli, and was not changed: the "
	    "copy that is kept of it before cannot be made");
	(void)err_because(e, "%s", why.detail);
	return err_hint(e,
	    "make room for a second copy beside it, in a folder that this user "
	    "can write to, and try again; or use the emcli of before");
}
