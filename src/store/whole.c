/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All or nothing.  A new store is made under another name and then moved, so
 * that an interrupted process leaves no partial store.
 */
#include "store/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/path.h"
#include "store/internal.h"
#include "store/opening.h"

enum {
	TURN_TRIES = 100,
	TURN_US = 20000
};

static char *
store_whole_join(const char *path, const char *more)
{
	char *out = NULL;

	if (asprintf(&out, "%s%s", path, more) < 0)
		err_bug("out of memory");
	return out;
}

/* A draft and what SQLite puts beside it; -1 with errno. */
static int
store_whole_unlink(const char *draft)
{
	static const char *const parts[] = { "", "-wal", "-shm", "-journal" };
	int r = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *name = store_whole_join(draft, parts[i]);

		if (unlink(name) < 0 && errno != ENOENT)
			r = -1;
		free(name);
	}
	return r;
}

int
store_whole_begin(const char *path, struct store_whole *w, struct err *e)
{
	char name[32];

	*w = (struct store_whole){ 0 };
	if (store_file_folder(path, e) < 0)
		return -1;
	(void)snprintf(name, sizeof(name), ".new.%ld", (long)getpid());
	w->path = store_whole_join(path, "");
	w->draft = store_whole_join(path, name);
	/* From a killed process with the same process id, whose log would be
	 * taken for this one's. */
	if (store_whole_unlink(w->draft) < 0) {
		(void)err_set(e, ERR_CONFIG, "the database cannot be created");
		return err_errno(e, w->draft);
	}
	return 0;
}

static int
store_whole_open_folder(const char *path)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	const char *slash = strrchr(path, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - path);

	return open(slash == NULL ? "."
		: n == 0          ? "/"
				  : str_c(a, (struct str){ path, n }),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Files of a database that was removed: SQLite would use its log for the new
 * one, and overwrite it with old pages.
 */
static void
store_whole_drop_orphans(const char *path)
{
	static const char *const parts[] = { "-wal", "-shm", "-journal" };
	struct stat st;

	if (lstat(path, &st) == 0 || errno != ENOENT)
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *name = store_whole_join(path, parts[i]);

		(void)unlink(name);
		free(name);
	}
}

/*
 * One at a time, so that nobody's log is mistaken for an orphan.  With a time
 * limit: anybody who can open the folder can hold the lock, and signals may be
 * blocked.
 */
static int
store_whole_take_turn(int folder)
{
	for (int i = 0; i < TURN_TRIES; i++) {
		/* Without such locks, there is no queue either. */
		if (folder < 0 || flock(folder, LOCK_EX | LOCK_NB) == 0 ||
		    (errno != EWOULDBLOCK && errno != EINTR))
			return 0;
		(void)usleep(TURN_US);
	}
	errno = EWOULDBLOCK;
	return -1;
}

int
store_whole_publish(struct store_whole *w, struct err *e)
{
	CLEANUP(path_close)
	int fd = open(w->draft, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(path_close) int folder = store_whole_open_folder(w->path);

	if (fd < 0 || fsync(fd) < 0) {
		(void)err_set(e, ERR_CONFIG, "the database cannot be created");
		return err_errno(e, w->draft);
	}
	if (store_whole_take_turn(folder) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "another process is creating a database there");
		return err_errno(e, w->path);
	}
	store_whole_drop_orphans(w->path);
	/* link(2) and not rename(2), which would replace an existing file. */
	if (link(w->draft, w->path) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    errno == EEXIST
			? "another process has just created the database"
			: "the database cannot be put in its place");
		return err_errno(e, w->path);
	}
	(void)unlink(w->draft);
	/* The name is permanent only after its folder is on disk. */
	if (folder >= 0)
		(void)fsync(folder);
	free(w->draft);
	w->draft = NULL;
	return 0;
}

void
store_whole_drop(struct store_whole *w)
{
	if (w->draft != NULL)
		(void)store_whole_unlink(w->draft);
	free(w->draft);
	free(w->path);
	*w = (struct store_whole){ 0 };
}

int
store_whole_there(const char *path, struct err *e)
{
	mode_t was;

	return store_file_check(path, &was, e);
}

int
store_whole_change(struct store *s,
    int (*fn)(struct store *s, void *ctx, struct err *e), void *ctx,
    struct err *e)
{
	CLEANUP(tx_done) struct tx t = { 0 };

	if (tx_begin(s, &t, e) < 0 || fn(s, ctx, e) < 0)
		return -1;
	return tx_commit(&t, e);
}
