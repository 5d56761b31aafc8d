/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Root runs the operator's operations as the owner of the database: what SQLite
 * makes beside it would be root's, and the owner could not use it any more.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/user.h"
#include "gate/operate.h"

/* Whose the database is; one that is to be made is its folder's owner's. */
static int
operate_owner_find(const char *db, struct stat *st)
{
	const char *slash = strrchr(db, '/'), *dir = ".";
	CLEANUP(arena_close) struct arena *a = NULL;

	if (lstat(db, st) == 0)
		return S_ISREG(st->st_mode) ? 0 : -1;
	if (errno != ENOENT)
		return -1;
	a = arena_open(64 << 10);
	if (slash == db)
		dir = "/";
	else if (slash != NULL)
		dir = str_c(a, (struct str){ db, (size_t)(slash - db) });
	return stat(dir, st);
}

/* Is this root, and the database another user's?  What cannot be found, opening
 * it explains. */
static bool
operate_owner_is_other(const char *db, struct stat *st)
{
	return geteuid() == 0 && operate_owner_find(db, st) == 0 &&
	    st->st_uid != 0;
}

int
operate_owner_become(const char *db, struct err *e)
{
	struct passwd nameless = { 0 };
	const struct passwd *pw;
	struct stat st = { 0 };

	if (!operate_owner_is_other(db, &st))
		return 0;
	nameless.pw_uid = st.st_uid;
	nameless.pw_gid = st.st_gid;
	pw = getpwuid(st.st_uid);
	if (user_become(pw != NULL ? pw : &nameless, e) == 0)
		return 0;
	return err_hint(e, "run emcli as the database's owner");
}

int
operate_owner(const struct env *env, const struct op *op,
    const struct args *args, struct err *e)
{
	unsigned needs = operate_needs(op, args);
	struct stat st = { 0 };

	/* NEED_FILES: other programs' files are root's. */
	if ((needs & (NEED_STORE | NEED_RECORD | NEED_KEY)) == 0)
		return 0;
	/* The password store that has the operator's key is root's. */
	if (operate_owner_is_other(env->db, &st) &&
	    secret_later_get(env->admin_key, e) < 0)
		return -1;
	return operate_owner_become(env->db, e);
}
