/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The database as a file: its place, type and permissions.  SQLite gives -wal
 * and -shm the mode of the database, whatever the umask.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "store/internal.h"
#include "store/opening.h"
#include "store/postgres_open.h"

/* Is the owner this user, or root? */
static bool
is_trusted(uid_t owner)
{
	return owner == geteuid() || owner == 0;
}

/*
 * Whoever created the file, or could write to it, controls its content: rules,
 * triggers, the keys' slots.
 */
static int
store_file_refuse_foreign(const char *path, const struct stat *st,
    struct err *e)
{
	if (!is_trusted(st->st_uid)) {
		(void)err_set(e, ERR_CONFIG,
		    "the database belongs to another user");
		(void)err_because(e, "%s is of uid %u", path,
		    (unsigned)st->st_uid);
		return err_hint(e,
		    "run emcli as its owner, or set EMCLI_DB to another file");
	}
	if ((st->st_mode & 022) != 0) {
		(void)err_set(e, ERR_CONFIG,
		    "others can write to the database");
		(void)err_because(e, "%s has mode %04o", path,
		    (unsigned)(st->st_mode & 07777));
		return err_hint(e,
		    "if nobody else has: chmod 600 it, then emcli audit "
		    "verify");
	}
	return 0;
}

/* SQLite reads the files beside the database as parts of it. */
static int
store_file_refuse_beside(const char *path, struct arena *a, struct err *e)
{
	static const char *const suffix[] = { "-wal", "-shm", "-journal" };
	struct stat st;

	for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
		const char *name = str_fmt(a, "%s%s", path, suffix[i]).p;

		if (lstat(name, &st) == 0 &&
		    store_file_refuse_foreign(name, &st, e) < 0)
			return -1;
	}
	return 0;
}

/* Removes others' permissions, if the file exists and they have any. */
static void
store_file_shut_one(const char *path, const char *suffix, struct arena *a)
{
	const char *name = str_fmt(a, "%s%s", path, suffix).p;
	struct stat st;

	/*
	 * If this process may not change the mode, SQLite reports a resulting
	 * problem.
	 */
	if (lstat(name, &st) == 0 && S_ISREG(st.st_mode) &&
	    (st.st_mode & 077) != 0)
		(void)chmod(name, 0600);
}

int
store_file_check(const char *path, mode_t *was, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct stat st;

	*was = 0;
	if (postgres_open_is(path))
		return 1;
	/*
	 * By name and not by a descriptor: closing one would release the locks
	 * that SQLite holds on the same file in this process.
	 */
	if (lstat(path, &st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return 0;
		(void)err_set(e, ERR_CONFIG, "the database cannot be opened");
		return err_errno(e, path);
	}
	if (!S_ISREG(st.st_mode)) {
		(void)err_set(e, ERR_CONFIG,
		    "the database is not a regular file");
		return err_because(e, "%s", path);
	}
	if (store_file_refuse_foreign(path, &st, e) < 0 ||
	    store_file_refuse_beside(path, a, e) < 0)
		return -1;
	if ((st.st_mode & 077) != 0)
		*was = st.st_mode & 07777;
	return 1;
}

void
store_file_shut(const char *path)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);

	/* A copy made with another umask includes its WAL. */
	store_file_shut_one(path, "", a);
	store_file_shut_one(path, "-wal", a);
	store_file_shut_one(path, "-shm", a);
	store_file_shut_one(path, "-journal", a);
}

/* The folder in a path, or NULL if it has none. */
static char *
store_file_folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return NULL;
	return str_c(a, (struct str){ path, (size_t)(slash - path) });
}

struct str
store_file_cache(struct store *s, struct arena *a)
{
	/* SQLite has made it absolute. */
	const char *path = s->path;
	char *dir = path != NULL ? store_file_folder_of(path, a) : NULL;

	return dir != NULL ? str_fmt(a, "%s/cache", dir) : (struct str){ 0 };
}

static const char elsewhere[] =
    "set EMCLI_DB to a file in a folder that this user can write to";

int
store_file_folder(const char *path, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	char *dir;

	if (strlen(path) > 4096)
		return err_set(e, ERR_CONFIG,
		    "the database's path is too long");
	dir = store_file_folder_of(path, a);
	if (dir == NULL || path_mkdir(dir, e) == 0)
		return 0;
	return err_hint(e, elsewhere);
}

int
store_file_guarded(const char *path, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const char *dir = store_file_folder_of(path, a);
	struct stat st;

	if (postgres_open_is(path))
		return 0;
	if (dir == NULL)
		dir = path[0] == '/' ? "/" : ".";
	if (stat(dir, &st) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the database's folder does not exist");
		return err_errno(e, dir);
	}
	/* In a sticky folder others cannot replace files. */
	if (is_trusted(st.st_uid) &&
	    ((st.st_mode & 022) == 0 || (st.st_mode & S_ISVTX) != 0))
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "others can replace the database in that folder");
	(void)err_because(e, "%s is of uid %u and has mode %04o", dir,
	    (unsigned)st.st_uid, (unsigned)(st.st_mode & 07777));
	return err_hint(e,
	    "chmod 700 the folder, or set EMCLI_DB to a file in a folder of "
	    "your own");
}

int
store_file_make(const char *path, struct err *e)
{
	CLEANUP(path_close) int fd = -1;

	if (store_file_folder(path, e) < 0)
		return -1;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    0600);
	if (fd < 0 && errno == EEXIST)
		return 0; /* another init was first */
	/* Sets the mode again, in case the umask removed the owner's bits. */
	if (fd < 0 || fchmod(fd, 0600) < 0) {
		(void)err_set(e, ERR_CONFIG, "the database cannot be created");
		(void)err_errno(e, path);
		return err_hint(e, elsewhere);
	}
	return 0;
}
