/*
 * Puts a copy in the store's place.  It is checked and changed under another
 * name first, so that a copy that is refused, and a process that is killed,
 * leave the store as it was.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "store/check.h"
#include "store/copying.h"
#include "store/freeze.h"
#include "store/opening.h"
#include "store/whole.h"

enum {
	PIECE = 64 << 10 /* bytes that are copied at once */
};

/* -- the copy, under another name ------------------------------------------ */

static int
store_restore_fail(struct err *e, const char *path)
{
	(void)err_set(e, ERR_CONFIG, "the copy cannot be read");
	return err_errno(e, path);
}

/* 1; 0: there is no such file. */
static int
store_restore_bytes(const char *from, const char *to, struct err *e)
{
	CLEANUP(path_close)
	int in = open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(path_close) int out = -1;
	char piece[PIECE];
	ssize_t n;

	if (in < 0)
		return errno == ENOENT ? 0 : store_restore_fail(e, from);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    0600);
	if (out < 0)
		return store_restore_fail(e, to);
	while ((n = read(in, piece, sizeof(piece))) > 0)
		if (path_write(out, (struct str){ piece, (size_t)n }) < 0)
			return store_restore_fail(e, to);
	return n < 0 ? store_restore_fail(e, from) : 1;
}

/* With its log, which is there if the files of a store were copied. */
static int
store_restore_take(const char *from, const char *to, struct arena *a,
    struct err *e)
{
	mode_t was;
	int r = store_file_check(from, &was, e);

	if (r == 1)
		r = store_restore_bytes(from, to, e);
	if (r == 0) {
		(void)err_set(e, ERR_NOT_FOUND, "there is no such file");
		return err_because(e, "%s", from);
	}
	return r < 0 ? -1
		     : store_restore_bytes(str_fmt(a, "%s-wal", from).p,
			   str_fmt(a, "%s-wal", to).p, e);
}

/* -- what is in it --------------------------------------------------------- */

/* Before a key is tried: what is no store has none. */
static int
store_restore_must_be_store(const char *path, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;
	int r;

	if (store_connect_open(path, &s, e) < 0)
		return -1;
	r = migrate_known(s, e);
	return r != 0
	    ? r
	    : err_set(e, ERR_CONFIG, "that file is no database of emcli");
}

static int
store_restore_check(struct store *s, struct arena *a, struct err *e)
{
	struct strs faults;

	if (store_check(s, a, &faults, e) < 0)
		return -1;
	if (faults.n == 0)
		return 0;
	(void)err_set(e, ERR_DB,
	    "the copy is not as emcli wrote it, and is not put in place");
	return err_because(e, "%.*s", STR_ARG(faults.v[0]));
}

static int
store_restore_taken(struct store *s, struct arena *a, struct str *out,
    struct err *e)
{
	CLEANUP(stmt_done) sqlite3_stmt *st = NULL;

	if (stmt_prepare(s, "SELECT max(ts) FROM audit_log", &st, e) < 0 ||
	    stmt_step(s, st, e) < 0)
		return -1;
	*out = stmt_column(st, 0, a);
	return 0;
}

/* What was so then counts again when the operator has looked at it. */
static int
store_restore_freeze(const struct store_restore *r, const char *draft,
    struct err *e)
{
	const struct store_freeze all = {
		.why = S("the database was restored from a copy"),
	};

	return store_freeze_put(draft, r->keys, &all, e);
}

static int
store_restore_draft(const struct store_restore *r, const char *draft,
    struct arena *a, struct store_restored *out, struct err *e)
{
	CLEANUP(store_close) struct store *s = NULL;

	if (store_restore_take(r->from, draft, a, e) < 0 ||
	    store_restore_must_be_store(draft, e) < 0 ||
	    store_open(draft, STORE_ADMIN, r->keys, &s, e) < 0 ||
	    store_restore_check(s, a, e) < 0 ||
	    store_restore_taken(s, a, &out->taken, e) < 0 ||
	    store_restore_freeze(r, draft, e) < 0)
		return -1;
	return r->done == NULL ? 0 : r->done(s, r->ctx, e);
}

/* -- in its place ---------------------------------------------------------- */

/* "emcli.db.before-20261127T080501.123456Z": the store that was there. */
static struct str
store_restore_aside(const char *path, struct arena *a)
{
	int64_t us = clock_now_us();
	struct clock_date d = clock_date(us / 1000000);

	return str_fmt(a, "%s.before-%04d%02d%02dT%02d%02d%02d.%06dZ", path,
	    d.year, d.month, d.day, d.hour, d.minute, d.second,
	    (int)(us % 1000000));
}

static int
store_restore_replace(const struct store_restore *r, const char *draft,
    struct arena *a, struct store_restored *out, struct err *e)
{
	CLEANUP(store_copy_close) sqlite3 *from = NULL;
	CLEANUP(store_close) struct store *s = NULL;
	struct str before = store_restore_aside(r->path, a);
	uint64_t bytes;

	if (store_open(r->path, STORE_ADMIN, r->keys, &s, e) < 0)
		return err_hint(e,
		    "move the database that is there aside, with its -wal and "
		    "-shm, and restore again");
	if (store_copy_make(s, before.p, &bytes, e) < 0 ||
	    store_copy_open(draft, false, &from, e) < 0 ||
	    store_durable(s, e) < 0 || store_copy_pages(from, s->db, e) < 0)
		return -1;
	out->before = before;
	return 0;
}

int
store_restore(const struct store_restore *r, struct arena *a,
    struct store_restored *out, struct err *e)
{
	CLEANUP(store_whole_drop) struct store_whole w = { 0 };
	int there = store_whole_there(r->path, e);

	*out = (struct store_restored){ 0 };
	if (there < 0 || store_whole_begin(r->path, &w, e) < 0 ||
	    store_restore_draft(r, w.draft, a, out, e) < 0)
		return -1;
	return there == 1 ? store_restore_replace(r, w.draft, a, out, e)
			  : store_whole_publish(&w, e);
}
