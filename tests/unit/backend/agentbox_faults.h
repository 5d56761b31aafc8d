/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_AGENTBOX_FAULTS_H
#define TESTS_AGENTBOX_FAULTS_H

/*
 * The system calls that change a mailbox root, as a test wants them: each may
 * be the last of its process, or find the disk full.
 */
#include "agentbox_site.h"

#include <signal.h>
#include <sys/syscall.h>

/* A child costs eight times as much under sanitizers.  There each eighth is
 * taken of the steps that the program takes as shipped: make unit-killed. */
#ifdef __SANITIZE_ADDRESS__
#define SPARSE 8
#else
#define SPARSE 1
#endif

/* Counted down at each call; the process dies before the one it reaches 0 at.
 * 0: nobody counts. */
static long left;

static void
step(void)
{
	if (left > 0 && --left == 0)
		(void)kill(getpid(), SIGKILL);
}

/* Counted down likewise; from 0 on the disk is full: -1. */
static long room;

static bool
is_full(void)
{
	if (room > 0 && --room == 0)
		room = -1;
	if (room < 0)
		errno = ENOSPC;
	return room < 0;
}

/* Ours are linked before the C library's; nothing here is about power. */
int
fsync(int fd)
{
	(void)fd;
	step();
	return 0;
}

int
fdatasync(int fd)
{
	(void)fd;
	step();
	return 0;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	step();
	if (is_full())
		return -1;
	return (ssize_t)syscall(SYS_write, fd, p, n);
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t at)
{
	step();
	if (is_full())
		return -1;
	return (ssize_t)syscall(SYS_pwrite64, fd, p, n, at);
}

int
ftruncate(int fd, off_t n)
{
	step();
	return (int)syscall(SYS_ftruncate, fd, n);
}

int
renameat(int from, const char *x, int to, const char *y)
{
	step();
	if (is_full())
		return -1;
	return (int)syscall(SYS_renameat2, from, x, to, y, 0);
}

int
linkat(int from, const char *x, int to, const char *y, int flags)
{
	step();
	return (int)syscall(SYS_linkat, from, x, to, y, flags);
}

int
symlinkat(const char *x, int to, const char *y)
{
	step();
	if (is_full())
		return -1;
	return (int)syscall(SYS_symlinkat, x, to, y);
}

int
mkdirat(int at, const char *name, mode_t mode)
{
	step();
	return (int)syscall(SYS_mkdirat, at, name, mode);
}

int
unlinkat(int at, const char *name, int flags)
{
	step();
	return (int)syscall(SYS_unlinkat, at, name, flags);
}

int
unlink(const char *name)
{
	step();
	return (int)syscall(SYS_unlinkat, AT_FDCWD, name, 0);
}

/* Runs it in a child that dies before its n-th call, or its n-th eighth; true:
 * it survived. */
static inline bool
survives(struct site *s, long n, void (*act)(struct site *s))
{
	int status;
	pid_t pid;

	site_close(s);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		left = n * SPARSE;
		act(s);
		left = 0;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status)) {
		assert_int_equal(WEXITSTATUS(status), 0);
		return true;
	}
	assert_int_equal(WTERMSIG(status), SIGKILL);
	return false;
}

/* For a child: reports an error only by its exit. */
static inline void
must(int r)
{
	if (r < 0)
		_exit(9);
}

/* Nothing that a killed process leaves blocks others. */
static inline void
is_tidy(struct site *s)
{
	assert_false(site_has(s, "locks/index.lock"));
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM journal", "0");
	assert_sql(s, "emcli.sqlite", "SELECT count(*) FROM damaged", "0");
	assert_sql(s, "index.sqlite", "PRAGMA integrity_check", "ok");
	assert_sql(s, "index.sqlite",
	    "SELECT count(*) FROM pragma_foreign_key_check", "0");
}

#endif
