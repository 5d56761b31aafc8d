/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One writer at a time, with two kinds of lock.  Ours is flock(2) on
 * locks/emcli.flock, which ends with its holder.  The upstream program's is a
 * file that exists, locks/index.lock; we create it too, so that the upstream
 * program waits for us, and we wait for its file.  That file outlives a killed
 * process: it is removed, and reported, if the process it names is dead or
 * started after it was written.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "backend/agentbox/internal.h"
#include "base/clock.h"

#define OURS "emcli.flock"
#define THEIRS "index.lock"
#define NEW ".emcli.index.lock"

enum {
	LOCK_WAIT_US = 5000
};

static int
lock_busy(struct err *e, const char *cause)
{
	(void)err_set(e, ERR_DB,
	    "the mailbox root is in use; try again in a moment");
	e->reason = "locked";
	return err_because(e, "%s", cause);
}

static int
lock_broken(struct err *e, const char *what)
{
	(void)err_set(e, ERR_DB, "the mailbox root cannot be locked");
	return err_errno(e, what);
}

/* Removes a dead process's lock file: true if it is gone. */
static bool
lock_remove_stale(struct agentbox_root *r, int folder, const char *name)
{
	int found = agentbox_lock_left_look(folder, name);

	if (found <= 0)
		return found < 0;
	if (unlinkat(folder, name, 0) < 0 && errno != ENOENT)
		return false;
	agentbox_layout_note(r,
	    "a lock left behind by a process that ended was removed: %s", name);
	return true;
}

bool
agentbox_lock_is_left(const struct agentbox_root *r)
{
	struct err e = { 0 };
	CLEANUP(path_close) int folder = agentbox_layout_folder(r, "locks", &e);

	return folder >= 0 && agentbox_lock_left_look(folder, THEIRS) == 1;
}

static struct str
lock_text(struct arena *a)
{
	struct str when = clock_rfc3339(a, clock_now());

	return str_fmt(a, "pid=%ld acquired_at_utc=%.*s+00:00\n",
	    (long)getpid(), (int)(when.n - 1), when.p);
}

/*
 * Whole or not at all: written to another name, then linked.  1, 0 it exists,
 * -1.
 */
static int
lock_link(int folder, struct str text, struct err *e)
{
	CLEANUP(path_close) int fd = -1;
	int r;

	path_folder_drop(folder, NEW);
	fd = openat(folder, NEW,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || path_write(fd, text) < 0)
		return lock_broken(e, NEW);
	r = linkat(folder, NEW, folder, THEIRS, 0);
	if (r < 0 && errno != EEXIST)
		return lock_broken(e, THEIRS);
	path_folder_drop(folder, NEW);
	return r == 0;
}

/* The upstream program's kind of lock, while we hold ours. */
static int
lock_theirs(struct agentbox_root *r, int folder, bool wait, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 10);
	struct str text = lock_text(a);
	int got;

	for (;;) {
		got = lock_link(folder, text, e);
		if (got != 0)
			return got;
		if (lock_remove_stale(r, folder, THEIRS))
			continue;
		if (!wait)
			return 0;
		if (clock_left_ms(r->use.deadline_ms) == 0)
			return lock_busy(e, "locks/index.lock is held");
		(void)usleep(LOCK_WAIT_US);
	}
}

static int
lock_ours(struct agentbox_root *r, int fd, bool wait, struct err *e)
{
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return lock_broken(e, "flock");
		if (!wait)
			return 0;
		if (clock_left_ms(r->use.deadline_ms) == 0)
			return lock_busy(e, "locks/emcli.flock is held");
		(void)usleep(LOCK_WAIT_US);
	}
	return 1;
}

static int
lock_both(struct agentbox_root *r, bool wait, struct err *e)
{
	CLEANUP(path_close) int folder = agentbox_layout_folder(r, "locks", e);
	CLEANUP(path_close) int fd = -1;
	int got;

	if (folder < 0)
		return -1;
	fd = openat(folder, OURS,
	    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600);
	if (fd < 0)
		return lock_broken(e, OURS);
	got = lock_ours(r, fd, wait, e);
	if (got == 1)
		got = lock_theirs(r, folder, wait, e);
	if (got != 1)
		return got;
	r->lock = agentbox_take(&fd);
	return 1;
}

int
agentbox_lock_take(struct agentbox_root *r, struct err *e)
{
	if (r->depth == 0 && lock_both(r, true, e) < 0)
		return -1;
	r->depth++;
	return 0;
}

int
agentbox_lock_hold(struct agentbox_root *r, struct agentbox_root **held,
    struct err *e)
{
	if (agentbox_lock_take(r, e) < 0)
		return -1;
	*held = r;
	return 0;
}

int
agentbox_lock_try(struct agentbox_root *r, struct agentbox_root **held,
    struct err *e)
{
	int got = r->depth > 0 ? 1 : lock_both(r, false, e);

	if (got != 1)
		return got;
	r->depth++;
	*held = r;
	return 1;
}

void
agentbox_lock_drop(struct agentbox_root *r)
{
	struct err e = { 0 };
	CLEANUP(path_close) int folder = -1;

	if (r->depth == 0)
		err_bug("a lock that nobody holds");
	if (--r->depth > 0)
		return;
	folder = agentbox_layout_folder(r, "locks", &e);
	if (folder >= 0)
		(void)unlinkat(folder, THEIRS, 0);
	/*
	 * Unlocked explicitly: a child of fork(2) may have the file open as
	 * well.
	 */
	(void)flock(r->lock, LOCK_UN);
	path_close(&r->lock);
}

void
agentbox_lock_done(struct agentbox_root **r)
{
	if (*r != NULL)
		agentbox_lock_drop(*r);
}

size_t
agentbox_lock_sweep(struct agentbox_root *r)
{
	struct err e = { 0 };
	int fd = agentbox_layout_folder(r, "locks/addresses", &e);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;
	size_t n = 0;

	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (str_ends(str_of(d->d_name), S(".lock")))
			n += lock_remove_stale(r, fd, d->d_name);
	return n;
}
