/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts a copy in the store's place.  The copy is checked and changed as a
 * draft.  Then the store's write lock is held until the copy's pages are in it,
 * so that nothing is written in between that would be in neither.
 */
#include "store/restore.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "store/audit.h"
#include "store/chain.h"
#include "store/key.h"
#include "store/oauth.h"
#include "store/opening.h"
#include "store/outbox_row.h"
#include "store/restoring.h"

/* -- over a store ---------------------------------------------------------- */

/*
 * Under the write lock: whoever sends has taken a lock in a transaction, and
 * cannot say what became of it now.
 */
static int
restore_refuse_sends(struct store *now, struct err *e)
{
	int r = outbox_lock_any(now, e);

	if (r <= 0)
		return r;
	(void)err_set(e, ERR_LIMIT,
	    "a message is being sent, or mail is being changed, right now");
	return err_hint(e,
	    "try again when it has ended; emcli freeze stops the next ones");
}

/* "emcli.db.before-restore-20261127T080501.123456Z" */
static struct str
restore_before_name(const char *path, struct arena *a)
{
	int64_t us = clock_now_us();
	struct clock_date d = clock_date(us / 1000000);

	return str_fmt(a,
	    "%s" COPY_BEFORE_RESTORE "%04d%02d%02dT%02d%02d%02d.%06dZ", path,
	    d.year, d.month, d.day, d.hour, d.minute, d.second,
	    (int)(us % 1000000));
}

/* What is copied by its name must be what is locked. */
static int
restore_refuse_moved(struct store *now, struct err *e)
{
	if (store_same_file(now))
		return 0;
	(void)err_set(e, ERR_DB,
	    "the database was moved or replaced in the meantime");
	return err_hint(e, "see what did that, and restore again");
}

static int
restore_merge_with(const struct store_restore *r, struct store *copy,
    const char *kept, struct arena *a, struct store_restored *done,
    struct err *e)
{
	CLEANUP(store_close) struct store *was = NULL;
	struct restore_present p = { .file = kept };

	if (store_open_draft(kept, r->keys, &was, e) < 0)
		return -1;
	p.s = was;
	return restore_merge(copy, &p, r, a, done, e);
}

static int
restore_put(const struct store_restore *r, struct restore_hold *h,
    struct store *now, const struct copy_draft *kept, struct arena *a,
    struct store_restored *done, struct err *e)
{
	struct str before = restore_before_name(r->path, a);
	struct err none = { 0 };

	if (copy_publish_new(kept, str_c(a, before), e) < 0)
		return -1;
	if (restore_hold_put(h, now, r->progress, e) < 0) {
		(void)unlink(str_c(a, before));
		return -1;
	}
	done->before = before;
	(void)audit_tell_again(now, done->audit, &none);
	/* What was replaced is in the log until it is emptied. */
	(void)store_key_scrub(now);
	return 0;
}

static int
restore_over(const struct store_restore *r, struct store *now,
    struct store *copy, struct arena *a, struct store_restored *done,
    struct err *e)
{
	const char *path = now->path;
	CLEANUP(store_lock_close) struct store_lock *lock = NULL;
	CLEANUP(copy_draft_drop) struct copy_draft kept = { .fd = -1 };
	CLEANUP(restore_hold_drop) struct restore_hold h = { 0 };

	/*
	 * A process that just received a refresh token must still be able to
	 * seal it: there is no other copy.
	 */
	if (store_lock_take(now, STORE_LOCK_ALL,
		clock_mono_ms() + LIMIT_TIMEOUT_MS, &lock, e) < 0 ||
	    restore_hold_begin(copy, now, &h, e) < 0 ||
	    restore_refuse_moved(now, e) < 0 ||
	    restore_refuse_sends(now, e) < 0 ||
	    copy_draft_begin(r->path, &kept, e) < 0 ||
	    copy_pages(path, kept.file, NULL, e) < 0 ||
	    restore_refuse_moved(now, e) < 0 ||
	    restore_merge_with(r, copy, kept.file, a, done, e) < 0)
		return -1;
	/* What was merged is in the draft's log, too: room for all of it. */
	(void)store_key_scrub(copy);
	return restore_put(r, &h, now, &kept, a, done, e);
}

/* -- where there is none --------------------------------------------------- */

/* SQLite would take these for parts of the copy; they are another's. */
static int
restore_refuse_beside(const char *path, struct arena *a, struct err *e)
{
	static const char *const beside[] = { "-wal", "-shm", "-journal" };
	struct stat st;

	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		const char *name = str_fmt(a, "%s%s", path, beside[i]).p;

		if (lstat(name, &st) < 0)
			continue;
		(void)err_set(e, ERR_CONFIG,
		    "where the database would be there is a part of another "
		    "one");
		(void)err_because(e, "%s", name);
		return err_hint(e,
		    "move it aside: with the database that it belongs to, it "
		    "may be what is newest there");
	}
	return 0;
}

static int
restore_found(const struct store_restore *r, const struct copy_draft *d,
    struct store **copy, struct arena *a, struct store_restored *done,
    struct err *e)
{
	if (restore_merge(*copy, NULL, r, a, done, e) < 0 ||
	    audit_tell_again(*copy, done->audit, e) < 0 ||
	    copy_close_whole(copy, d->file, e) < 0 ||
	    restore_refuse_beside(r->path, a, e) < 0)
		return -1;
	return copy_publish_new(d, r->path, e);
}

int
store_restore(const struct store_restore *r, struct store *now, struct arena *a,
    struct store_restored *out, struct err *e)
{
	CLEANUP(copy_draft_drop) struct copy_draft d = { .fd = -1 };
	CLEANUP(store_close) struct store *copy = NULL;

	*out = (struct store_restored){ 0 };
	if (now == NULL &&
	    (store_file_folder(r->path, e) < 0 ||
		restore_refuse_beside(r->path, a, e) < 0))
		return -1;
	if (store_file_guarded(r->path, e) < 0)
		return -1;
	copy_draft_sweep(r->path);
	if (copy_draft_begin(r->path, &d, e) < 0 ||
	    restore_take(r, &d, &copy, a, out, e) < 0)
		return -1;
	return now != NULL ? restore_over(r, now, copy, a, out, e)
			   : restore_found(r, &d, &copy, a, out, e);
}
