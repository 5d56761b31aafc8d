/* Copies a store page by page, with SQLite's own means for it. */
#include "store/copy.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "store/copying.h"
#include "store/opening.h"
#include "store/whole.h"

enum {
	WAIT_MS = 10000, /* for the others who write */
	AGAIN_US = 10000
};

static int
store_copy_fail(struct err *e, const char *path, const char *why)
{
	(void)err_set(e, ERR_CONFIG, "the copy cannot be made");
	return err_because(e, "%s: %s", path, why);
}

int
store_copy_open(const char *path, bool writes, sqlite3 **out, struct err *e)
{
	int flags = (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) |
	    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str name = str_fmt(a, "%s%s", path[0] == '/' ? "" : "./", path);
	int r = sqlite3_open_v2(name.p, out, flags, NULL);

	return r == SQLITE_OK ? 0 : store_copy_fail(e, path, sqlite3_errstr(r));
}

void
store_copy_close(sqlite3 **db)
{
	(void)sqlite3_close(*db);
	*db = NULL;
}

int
store_copy_pages(sqlite3 *from, sqlite3 *to, struct err *e)
{
	int64_t end = clock_mono_ms() + WAIT_MS;
	sqlite3_backup *b = sqlite3_backup_init(to, "main", from, "main");
	int r;

	if (b == NULL)
		return store_copy_fail(e, sqlite3_db_filename(to, "main"),
		    sqlite3_errmsg(to));
	/* In one step: the copy is of one moment, and begins only once. */
	while ((r = sqlite3_backup_step(b, -1)) != SQLITE_DONE &&
	    ((r & 0xff) == SQLITE_BUSY || (r & 0xff) == SQLITE_LOCKED) &&
	    clock_mono_ms() < end)
		(void)usleep(AGAIN_US);
	(void)sqlite3_backup_finish(b);
	return r == SQLITE_DONE
	    ? 0
	    : store_copy_fail(e, sqlite3_db_filename(to, "main"),
		  sqlite3_errstr(r));
}

static int
store_copy_fill(struct store *s, const char *path, struct err *e)
{
	CLEANUP(store_copy_close) sqlite3 *to = NULL;

	if (store_file_make(path, e) < 0 ||
	    store_copy_open(path, true, &to, e) < 0)
		return -1;
	return store_copy_pages(s->db, to, e);
}

/* Whoever may replace the file before it is opened chooses what is written. */
static int
store_copy_guard(const char *to, struct err *e)
{
	struct err why = { 0 };

	if (store_file_guarded(to, &why) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "others can replace files in that folder: name a file in a folder "
	    "of your own");
	return err_because(e, "%s", why.detail);
}

int
store_copy_make(struct store *s, const char *to, uint64_t *bytes, struct err *e)
{
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	struct stat st;

	if (lstat(to, &st) == 0) {
		(void)err_set(e, ERR_USAGE,
		    "there is something by that name: name a new file");
		return err_because(e, "%s", to);
	}
	if (store_whole_begin(to, &w, e) < 0 || store_copy_guard(to, e) < 0 ||
	    store_copy_fill(s, w.draft, e) < 0 ||
	    store_whole_publish(&w, e) < 0)
		return -1;
	*bytes = stat(to, &st) == 0 ? (uint64_t)st.st_size : 0;
	return 0;
}
