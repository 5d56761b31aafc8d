/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Configures the connection to SQLite: WAL, so that readers and a writer do not
 * block each other; a long busy timeout; deleted data is overwritten; nothing
 * in the schema is trusted; no temporary files.
 */
#include <unistd.h>

#include "base/clock.h"
#include "store/internal.h"
#include "store/opening.h"
#include "store/postgres_open.h"
#include "store/sqlite.h"

#define BUSY_MS 10000

static const char setup[] = "PRAGMA foreign_keys = ON;"
			    "PRAGMA synchronous = NORMAL;"
			    "PRAGMA secure_delete = ON;"
			    "PRAGMA trusted_schema = OFF;"
			    "PRAGMA cell_size_check = ON;"
			    "PRAGMA temp_store = MEMORY;"
			    "PRAGMA journal_size_limit = 4194304;";

/*
 * Whoever writes is done within a millisecond: SQLite's own wait, which sleeps
 * for several, would be most of a call's time where others write too.
 */
static int
store_connect_wait(void *store, int tries)
{
	struct store *s = store;
	const int steps = tries / 4;

	if (tries == 0)
		s->busy_ms = clock_mono_ms();
	if (clock_mono_ms() - s->busy_ms >= BUSY_MS)
		return 0;
	(void)usleep(steps < 7 ? 100U << steps : 10000);
	return 1;
}

static int
store_connect_is_wal(void *wal, int n, char **values, char **names)
{
	(void)names;
	*(bool *)wal = n == 1 && strcmp(values[0], "wal") == 0;
	return 0;
}

/*
 * The first change to WAL needs exclusive access, and SQLite does not always
 * wait for that: processes that start at the same time must retry.
 */
static int
store_connect_journal(struct store *s, const char *sql, bool *wal,
    struct err *e)
{
	int64_t end = clock_mono_ms() + BUSY_MS;
	int r;

	for (;;) {
		r = sqlite3_exec(s->db, sql, store_connect_is_wal, wal, NULL);
		if (r == SQLITE_OK)
			return 0;
		if ((r & 0xff) != SQLITE_BUSY || clock_mono_ms() >= end)
			return sqlite_fail(s, e);
		(void)usleep(20000);
	}
}

int
store_connect_use_wal(struct store *s, struct err *e)
{
	bool wal;

	if (!s->driver->is_file)
		return 0;
	return store_connect_journal(s, "PRAGMA journal_mode = WAL", &wal, e);
}

/* It is written into the file: not of an empty one, nor of another program's.
 */
static int
store_connect_use_wal_of_ours(struct store *s, struct err *e)
{
	bool wal = false;
	int r = store_connect_journal(s, "PRAGMA journal_mode", &wal, e);

	if (r < 0 || wal)
		return r;
	r = migrate_known(s, e);
	return r == 1 ? store_connect_use_wal(s, e) : r;
}

int
store_connect_open(const char *path, struct store **out, struct err *e)
{
	const int flags =
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	CLEANUP(store_close) struct store *s = calloc(1, sizeof(*s));
	/* So that SQLite treats ":memory:" as a file name too. */
	struct str name = str_fmt(a, "%s%s", path[0] == '/' ? "" : "./", path);
	int r;

	if (s == NULL)
		err_bug("out of memory");
	store_opened(1);
	if (postgres_open_is(path)) {
		store_until(s, clock_mono_ms() + UNTIL_OPEN_MS);
		if (postgres_open(s, path, e) < 0 ||
		    s->driver->version(s, &s->version, e) < 0)
			return -1;
		*out = s;
		s = NULL;
		return 0;
	}
	/*
	 * Pages of a cache are allocated one by one: a short call needs few.
	 * Refused by a library that is in use already.
	 */
	(void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
	r = sqlite_open(s, name.p, flags);
	if (r != SQLITE_OK) {
		(void)err_set(e, ERR_CONFIG, "the database cannot be opened");
		return err_because(e, "%s: %s", path, sqlite3_errstr(r));
	}
	s->path = sqlite3_db_filename(s->db, "main");
	(void)sqlite3_busy_handler(s->db, store_connect_wait, s);
	(void)sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	if (stmt_exec(s, setup, e) < 0 ||
	    store_connect_use_wal_of_ours(s, e) < 0)
		return -1;
	store_same_note(s);
	*out = s;
	s = NULL;
	return 0;
}

bool
store_connect_sqlite(const char **version)
{
	*version = sqlite3_libversion();
	return sqlite3_libversion_number() == SQLITE_VERSION_NUMBER &&
	    strcmp(sqlite3_sourceid(), SQLITE_SOURCE_ID) == 0;
}
