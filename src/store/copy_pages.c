/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a database with SQLite's backup.  Its own connection reads one moment
 * however long it takes, so that those who write do not make it begin again.
 */
#include <unistd.h>

#include "base/clock.h"
#include "store/copying.h"

enum {
	PAGES = 256,     /* of one step */
	WAIT_MS = 10000, /* for those who use the files */
	AGAIN_US = 10000
};

int
copy_pages_fail(struct err *e, const char *path, const char *why)
{
	(void)err_set(e, ERR_CONFIG, "the copy cannot be made");
	return err_because(e, "%s: %s", path, why);
}

static void
copy_close(sqlite3 **db)
{
	(void)sqlite3_close(*db);
	*db = NULL;
}

static int
copy_open(const char *path, int flags, const char *setup, sqlite3 **out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str name = str_fmt(a, "%s%s", path[0] == '/' ? "" : "./", path);
	int r = sqlite3_open_v2(name.p, out,
	    flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);

	if (r == SQLITE_OK)
		r = sqlite3_busy_timeout(*out, WAIT_MS);
	if (r == SQLITE_OK)
		r = sqlite3_exec(*out, setup, NULL, NULL, NULL);
	return r == SQLITE_OK ? 0 : copy_pages_fail(e, path, sqlite3_errstr(r));
}

int
copy_pages_run(sqlite3_backup *b, void (*progress)(uint64_t done, uint64_t all))
{
	int64_t end = clock_mono_ms() + WAIT_MS;
	int r;

	for (;;) {
		r = sqlite3_backup_step(b, PAGES);
		if (r == SQLITE_OK) {
			uint64_t all = (uint64_t)sqlite3_backup_pagecount(b);

			if (progress != NULL)
				progress(all -
					(uint64_t)sqlite3_backup_remaining(b),
				    all);
		} else if (((r & 0xff) == SQLITE_BUSY ||
			       (r & 0xff) == SQLITE_LOCKED) &&
		    clock_mono_ms() < end) {
			(void)usleep(AGAIN_US);
		} else {
			return r;
		}
	}
}

int
copy_pages(const char *from, const char *to,
    void (*progress)(uint64_t done, uint64_t all), struct err *e)
{
	/* A read begins the transaction; the file is only a draft until it is
	 * complete, so it needs no journal. */
	static const char read[] = "BEGIN; SELECT count(*) FROM sqlite_master";
	static const char write[] = "PRAGMA journal_mode = OFF";
	CLEANUP(copy_close) sqlite3 *in = NULL;
	CLEANUP(copy_close) sqlite3 *out = NULL;
	sqlite3_backup *b;
	int r;

	if (copy_open(from, SQLITE_OPEN_READWRITE, read, &in, e) < 0 ||
	    copy_open(to, SQLITE_OPEN_READWRITE, write, &out, e) < 0)
		return -1;
	b = sqlite3_backup_init(out, "main", in, "main");
	if (b == NULL)
		return copy_pages_fail(e, to, sqlite3_errmsg(out));
	r = copy_pages_run(b, progress);
	(void)sqlite3_backup_finish(b);
	if (progress != NULL)
		progress(1, 1);
	return r == SQLITE_DONE
	    ? 0
	    : copy_pages_fail(e, to,
		  (r & 0xff) == SQLITE_FULL ? "the disk is full"
					    : sqlite3_errstr(r));
}
