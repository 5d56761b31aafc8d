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

#define BEFORE ".before-"

enum {
	BEFORE_DIGITS = 3
};

/* The rest of "emcli.db.before-031" after its number; NULL: it is not one. */
static const char *
copy_before_rest(const char *name, const char *base)
{
	const size_t n = strlen(base);
	const char *p = name + n;

	if (strncmp(name, base, n) != 0 ||
	    strncmp(p, BEFORE, sizeof(BEFORE) - 1) != 0)
		return NULL;
	p += sizeof(BEFORE) - 1;
	for (int i = 0; i < BEFORE_DIGITS; i++)
		if (!isdigit((unsigned char)*p++))
			return NULL;
	return p;
}

/* With what SQLite makes beside it if it is opened. */
static bool
copy_before_is_part(const char *rest)
{
	return *rest == '\0' || strcmp(rest, "-wal") == 0 ||
	    strcmp(rest, "-shm") == 0 || strcmp(rest, "-journal") == 0;
}

/* What a restore replaced, without what SQLite makes beside it. */
static bool
copy_before_is_replaced(const char *name, const char *base)
{
	const size_t n = strlen(base);

	return strncmp(name, base, n) == 0 &&
	    str_starts(str_of(name + n), S(COPY_BEFORE_RESTORE)) &&
	    str_ends(str_of(name), S("Z"));
}

static DIR *
copy_before_open_folder(const char *db, const char **base, struct arena *a)
{
	/* SQLite has made it absolute. */
	*base = strrchr(db, '/') + 1;
	return opendir(str_c(a, str_first(str_of(db), (size_t)(*base - db))));
}

/* Those of earlier versions; one that cannot be removed does no harm. */
static void
copy_before_drop_others(const char *db, const char *keep, struct arena *a)
{
	const char *base;
	DIR *d = copy_before_open_folder(db, &base, a);
	const struct dirent *f;

	if (d == NULL)
		return;
	while ((f = readdir(d)) != NULL) {
		const char *rest = copy_before_rest(f->d_name, base);

		if (rest != NULL && copy_before_is_part(rest) &&
		    strcmp(f->d_name, keep) != 0)
			(void)unlinkat(dirfd(d), f->d_name, 0);
	}
	(void)closedir(d);
}

void
store_copy_before_kept(struct store *s, struct arena *a, struct strs *out)
{
	const char *db = s->path, *base;
	DIR *d = db != NULL ? copy_before_open_folder(db, &base, a) : NULL;
	const struct dirent *f;

	*out = (struct strs){ 0 };
	if (d == NULL)
		return;
	while ((f = readdir(d)) != NULL) {
		const char *rest = copy_before_rest(f->d_name, base);

		if ((rest != NULL && *rest == '\0') ||
		    copy_before_is_replaced(f->d_name, base))
			str_push(a, out,
			    str_fmt(a, "%.*s%s", (int)(base - db), db,
				f->d_name));
	}
	(void)closedir(d);
}

/* Are there accounts?  1, 0, -1. */
static int
copy_before_is_due(struct store *s, struct err *e)
{
	CLEANUP(stmt_done) struct stmt *table = NULL;
	CLEANUP(stmt_done) struct stmt *st = NULL;
	int r;

	if (stmt_prepare(s,
		"SELECT 1 FROM sqlite_master"
		" WHERE type = 'table' AND name = 'accounts'",
		&table, e) < 0)
		return -1;
	r = stmt_step(s, table, e);
	if (r <= 0)
		return r;
	if (stmt_prepare(s, "SELECT 1 FROM accounts LIMIT 1", &st, e) < 0)
		return -1;
	return stmt_step(s, st, e);
}

int
copy_before(struct store *s, int version, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const char *db = s->path;
	const char *to = str_c(a, str_fmt(a, "%s" BEFORE "%03d", db, version));
	struct err why = { 0 };
	/* A server has backups of its own. */
	int r = s->draft || !s->driver->is_file ? 0 : copy_before_is_due(s, e);

	if (r <= 0)
		return r;
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
