/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which lock files no living process holds: those of processes that are dead,
 * or that started after the file was written.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "backend/agentbox/internal.h"
#include "base/clock.h"

enum {
	LOCK_TEXT = 512,     /* bytes of a lock file */
	LOCK_SLACK_S = 2,    /* tolerance when comparing a process's times */
	LOCK_UNSIGNED_S = 10 /* for a lock without a process id yet */
};

/* Reads a small file of /proc; false if it does not exist. */
static bool
lock_proc(const char *path, struct arena *a, struct str *out)
{
	CLEANUP(path_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct err e = { 0 };

	return fd >= 0 && path_read(fd, 64 << 10, a, out, &e) == 0;
}

/* Has it ended, and is only not waited for yet?  proc(5), after the name. */
static bool
lock_is_zombie(uint32_t pid, struct arena *a)
{
	struct str stat;
	ptrdiff_t at;

	if (!lock_proc(str_fmt(a, "/proc/%u/stat", pid).p, a, &stat))
		return false;
	for (at = (ptrdiff_t)stat.n - 1; at >= 0 && stat.p[at] != ')'; at--)
		;
	stat = str_trim(str_from(stat, (size_t)(at + 1)));
	return str_starts(stat, S("Z")) || str_starts(stat, S("X"));
}

/* The start time of a process, unix seconds; 0: unknown. */
static int64_t
lock_began(uint32_t pid, struct arena *a)
{
	struct str stat, boot, word;
	uint64_t ticks, since;
	ptrdiff_t at;
	long hz = sysconf(_SC_CLK_TCK);

	if (hz <= 0 ||
	    !lock_proc(str_fmt(a, "/proc/%u/stat", pid).p, a, &stat) ||
	    !lock_proc("/proc/stat", a, &boot))
		return 0;
	/* After the name, which may contain anything: field 22 of proc(5). */
	for (at = (ptrdiff_t)stat.n - 1; at >= 0 && stat.p[at] != ')'; at--)
		;
	stat = str_trim(str_from(stat, (size_t)(at + 1)));
	for (int i = 3; i <= 22; i++)
		(void)str_cut(stat, ' ', &word, &stat);
	at = str_find(boot, S("\nbtime "));
	if (at < 0 || !str_to_u64(word, UINT64_MAX / 2, &ticks))
		return 0;
	(void)str_cut(str_from(boot, (size_t)at + 7), '\n', &word, &boot);
	if (!str_to_u64(word, INT64_MAX / 2, &since))
		return 0;
	return (int64_t)(since + ticks / (uint64_t)hz);
}

/* "pid=12 acquired_at_utc=2026-04-08T10:11:12.123456+00:00" */
static bool
lock_read(struct str text, uint32_t *pid, int64_t *since)
{
	struct str head, tail;

	text = str_trim(text);
	if (!str_starts(text, S("pid=")) ||
	    !str_cut(str_from(text, 4), ' ', &head, &tail) ||
	    !str_to_u32(head, INT32_MAX, pid) || *pid == 0)
		return false;
	return str_starts(tail, S("acquired_at_utc=")) &&
	    clock_parse(str_from(tail, 16), since);
}

/* Is a lock with that text, written at that time, stale? */
static bool
lock_stale(struct str text, int64_t written, struct arena *a)
{
	uint32_t pid;
	int64_t since, began;

	if (!lock_read(text, &pid, &since))
		return clock_now() - written > LOCK_UNSIGNED_S;
	if (pid == (uint32_t)getpid())
		return true; /* the caller holds our lock: an old one */
	if ((kill((pid_t)pid, 0) < 0 && errno == ESRCH) ||
	    lock_is_zombie(pid, a))
		return true;
	began = lock_began(pid, a);
	return began > since + LOCK_SLACK_S;
}

int
agentbox_lock_left_look(int folder, const char *name)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str text = { 0 };
	struct err e = { 0 };
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? -1 : 0;
	if (agentbox_layout_read(folder, name, LOCK_TEXT, a, &text, &e) == 0)
		return -1;
	return lock_stale(text, st.st_mtime, a);
}

/* Adds those of one folder below the root. */
static void
lock_left_in(const struct agentbox_root *r, const char *folder, struct arena *a,
    struct strs *out)
{
	struct err none = { 0 };
	int fd = agentbox_layout_folder(r, folder, &none);
	CLEANUP(path_dir_close) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *d;

	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (str_ends(str_of(d->d_name), S(".lock")) &&
		    agentbox_lock_left_look(fd, d->d_name) == 1)
			str_push(a, out,
			    str_fmt(a, "%s/%s", folder, d->d_name));
}

void
agentbox_lock_left(const struct agentbox_root *r, struct arena *a,
    struct strs *out)
{
	*out = (struct strs){ 0 };
	lock_left_in(r, "locks", a, out);
	lock_left_in(r, "locks/addresses", a, out);
}
