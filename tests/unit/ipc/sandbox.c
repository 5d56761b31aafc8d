/* SPDX-License-Identifier: Apache-2.0 */
/* What each kind of process may do, tried on this kernel. */
#include "../rows.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/path.h"
#include "ipc/sandbox.h"

enum {
	DIES = -1, /* by SIGSYS */
	NOT_IN_FORCE = 200,
	M = 1 << SANDBOX_MONITOR,
	S = 1 << SANDBOX_SPAWNER,
	K = 1 << SANDBOX_KEEPER,
	W = 1 << SANDBOX_WORKER,
	C = 1 << SANDBOX_WIRE,
	F = 1 << SANDBOX_FILES,
	R = 1 << SANDBOX_READER,
	N = 1 << SANDBOX_NURSERY,
	EVERY = (1 << SANDBOX_KINDS) - 1
};

static char top[] = "/tmp/emcli-sandbox-XXXXXX";
static char own[64], reads[64], other[64];

static const char *
below(const char *folder, const char *name)
{
	static char path[2][128];
	static int i;

	i ^= 1;
	(void)snprintf(path[i], sizeof(path[i]), "%s/%s", folder, name);
	return path[i];
}

static void
make(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "text", 4), 4);
	(void)close(fd);
}

static int
set_up(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_non_null(mkdtemp(top));
	(void)snprintf(own, sizeof(own), "%s/own", top);
	(void)snprintf(reads, sizeof(reads), "%s/reads", top);
	(void)snprintf(other, sizeof(other), "%s/other", top);
	assert_int_equal(mkdir(own, 0700) | mkdir(reads, 0700) |
		mkdir(other, 0700) | mkdir(below(own, "a"), 0700) |
		mkdir(below(own, "b"), 0700),
	    0);
	make(below(own, "a/file"));
	make(below(reads, "file"));
	make(below(other, "file"));
	assert_int_equal(sandbox_load(&e), 0);
	assert_int_equal(sandbox_load(&e), 0);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	(void)unlink(below(own, "a/file"));
	(void)unlink(below(reads, "file"));
	(void)unlink(below(other, "file"));
	return rmdir(below(own, "a")) | rmdir(below(own, "b")) | rmdir(own) |
	    rmdir(reads) | rmdir(other) | rmdir(top);
}

/* -- tries: 0, or errno ---------------------------------------------------- */

static int
said(long r)
{
	return r < 0 ? errno : 0;
}

static int
opens(const char *path, int flags)
{
	return said(open(path, flags | O_CLOEXEC, 0600));
}

static int
reads_own(void)
{
	return opens(below(own, "a/file"), O_RDONLY);
}

static int
writes_own(void)
{
	return opens(below(own, "a/file"), O_WRONLY | O_TRUNC);
}

/* As a Maildir does it. */
static int
moves_own(void)
{
	const char *from = below(own, "a/file"), *to = below(own, "b/file");

	if (rename(from, to) < 0 ||
	    renameat2(AT_FDCWD, to, AT_FDCWD, from, RENAME_NOREPLACE) < 0 ||
	    link(from, to) < 0 || unlink(to) < 0)
		return errno;
	return said(symlink("file", to)) + said(unlink(to));
}

static int
reads_given(void)
{
	return opens(below(reads, "file"), O_RDONLY);
}

static int
writes_given(void)
{
	return opens(below(reads, "file"), O_WRONLY);
}

static int
makes_given(void)
{
	int r = said(mkdir(below(reads, "new"), 0700));

	(void)rmdir(below(reads, "new"));
	return r;
}

static int
reads_other(void)
{
	return opens(below(other, "file"), O_RDONLY);
}

static int
writes_other(void)
{
	int r = opens(below(other, "new"), O_WRONLY | O_CREAT | O_EXCL);

	(void)unlink(below(other, "new"));
	return r;
}

static int
leads_out(void)
{
	char link[] = "../../other/file";
	int r;

	if (symlink(link, below(own, "b/link")) < 0)
		return errno;
	r = opens(below(own, "b/link"), O_RDONLY);
	(void)unlink(below(own, "b/link"));
	return r;
}

static int
lists_top(void)
{
	return opens("/", O_RDONLY | O_DIRECTORY);
}

static int
reads_names(void)
{
	return opens("/etc/nsswitch.conf", O_RDONLY);
}

static int
reads_users(void)
{
	return opens("/etc/passwd", O_RDONLY);
}

static int
reads_libraries(void)
{
	return opens("/usr/lib", O_RDONLY | O_DIRECTORY);
}

static int
forks(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0)
		_exit(7);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return errno;
	return WEXITSTATUS(status) == 7 ? 0 : EINVAL;
}

static void *
thread_run(void *arg)
{
	*(int *)arg = 7;
	return NULL;
}

static int
has_threads(void)
{
	int got = 0, r;
	pthread_t t;

	r = pthread_create(&t, NULL, thread_run, &got);
	if (r != 0)
		return r == EAGAIN ? ENOSYS : r;
	(void)pthread_join(t, NULL);
	return got == 7 ? 0 : EINVAL;
}

static int
becomes_root(void)
{
	return said(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
}

static int
has_memory(void)
{
	void *p = malloc(8 << 20);
	struct timespec now;

	if (p == NULL || clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return ENOMEM;
	memset(p, 1, 8 << 20);
	free(p);
	return 0;
}

/* Into the terminal of the operator, as if it was typed. */
static int
types(void)
{
	char c = 'x';

	return said(ioctl(STDIN_FILENO, TIOCSTI, &c));
}

/* As a mailbox root's lock is looked at; and that it cannot be ended. */
static int
sees_process(void)
{
	return said(kill(getpid(), 0));
}

static int
signals_process(void)
{
	return said(kill(getpid(), SIGCONT));
}

static const struct attempt {
	const char *why;
	int (*try)(void);
	unsigned may; /* these kinds; the others: */
	int refused;
	unsigned cannot; /* these too, and get: */
	int error;
} attempts[] = {
	{ "memory and clock", has_memory, EVERY, 0, 0, 0 },
	{ "reads a file of its own", reads_own, EVERY & ~R, ENOSYS, 0, 0 },
	{ "writes one", writes_own, EVERY & ~R, ENOSYS, 0, 0 },
	{ "moves one to another folder", moves_own, EVERY & ~R, ENOSYS, 0, 0 },
	{ "reads a file that it may read", reads_given, EVERY & ~R, ENOSYS, 0,
	    0 },
	{ "writes such a file", writes_given, S, EACCES, R, ENOSYS },
	{ "makes a folder beside it", makes_given, S, EACCES, R, ENOSYS },
	{ "reads any file", reads_other, S, EACCES, R, ENOSYS },
	{ "makes a file anywhere", writes_other, S, EACCES, R, ENOSYS },
	{ "follows a link to any file", leads_out, S, EACCES, R, ENOSYS },
	{ "lists all folders", lists_top, S, EACCES, R, ENOSYS },
	{ "reads how names are found", reads_names, S | W | C | F | N, EACCES,
	    R, ENOSYS },
	{ "reads users", reads_users, S, EACCES, R, ENOSYS },
	{ "loads libraries", reads_libraries, S | W | C | F | N, EACCES, R,
	    ENOSYS },
	{ "children", forks, S | W | N, ENOSYS, 0, 0 },
	{ "sees whether a process is there", sees_process, M | S | W | F | N,
	    ENOSYS, 0, 0 },
	{ "signals", signals_process, M | S | W | N, ENOSYS, 0, 0 },
	{ "threads", has_threads, S | W | C | N, ENOSYS, 0, 0 },
	{ "a world in which it is root", becomes_root, 0, ENOSYS, 0, 0 },
	{ "types for others", types, 0, ENOSYS, 0, 0 },
};

/* What happens to a process of that kind that tries. */
static int
outcome(enum sandbox_kind kind, int (*try)(void), long number)
{
	const struct sandbox_path paths[] = { { own, true }, { reads, false } };
	struct sandbox_state s = { 0 };
	struct err e = { 0 };
	int status = 0;
	pid_t pid;

	(void)fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (sandbox_enter(kind, paths, 2, &s, &e) < 0 ||
		    !sandbox_is_whole(&s))
			_exit(NOT_IN_FORCE);
		if (try != NULL)
			_exit(try());
		_exit(said(syscall(number, -1, 0, 0, 0, 0, 0)));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		return DIES;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int
attempt_expected(const struct attempt *row, unsigned kind)
{
	if (row->may & kind)
		return 0;
	return row->cannot & kind ? row->error : row->refused;
}

static void
attempt(void **state)
{
	const struct attempt *row = *state;

	for (int k = 0; k < SANDBOX_KINDS; k++) {
		int got = outcome((enum sandbox_kind)k, row->try, 0);
		int want = attempt_expected(row, 1U << k);

		if (got != want)
			fail_msg("%s: got %d, want %d",
			    sandbox_name((enum sandbox_kind)k), got, want);
	}
}

/* -- calls that end a process ---------------------------------------------- */

static const struct deadly {
	const char *why;
	long number;
} deadly[] = {
	{ "execve", SYS_execve },
	{ "execveat", SYS_execveat },
	{ "ptrace", SYS_ptrace },
	{ "process_vm_readv", SYS_process_vm_readv },
	{ "process_vm_writev", SYS_process_vm_writev },
	{ "pidfd_getfd", SYS_pidfd_getfd },
	{ "kcmp", SYS_kcmp },
	{ "mount", SYS_mount },
	{ "umount2", SYS_umount2 },
	{ "open_tree", SYS_open_tree },
	{ "pivot_root", SYS_pivot_root },
	{ "chroot", SYS_chroot },
	{ "unshare", SYS_unshare },
	{ "setns", SYS_setns },
	{ "bpf", SYS_bpf },
	{ "io_uring_setup", SYS_io_uring_setup },
	{ "keyctl", SYS_keyctl },
	{ "perf_event_open", SYS_perf_event_open },
	{ "userfaultfd", SYS_userfaultfd },
	{ "kexec_load", SYS_kexec_load },
	{ "finit_module", SYS_finit_module },
	{ "reboot", SYS_reboot },
	{ "personality", SYS_personality },
	{ "open_by_handle_at", SYS_open_by_handle_at },
	{ "setresuid", SYS_setresuid },
	{ "setgroups", SYS_setgroups },
	{ "mknodat", SYS_mknodat },
	{ "listen", SYS_listen },
};

static void
a_call_ends_the_process(void **state)
{
	/* The first and the last: the list is one. */
	static const enum sandbox_kind kinds[] = { SANDBOX_MONITOR,
		SANDBOX_READER };
	const struct deadly *row = *state;

	for (size_t i = 0; i < 2; i++)
		if (outcome(kinds[i], NULL, row->number) != DIES)
			fail_msg("%s lives", sandbox_name(kinds[i]));
}

/* The confinement of a worker, and what another entry adds to it. */
static int
child_of_spawner(void)
{
	const struct sandbox_path paths[] = { { own, true } },
				  more[] = { { other, true } };
	struct sandbox_state s = { 0 };
	struct err e = { 0 };

	if (sandbox_enter(SANDBOX_WORKER, paths, 1, &s, &e) < 0 ||
	    !sandbox_is_whole(&s) || reads_other() != EACCES ||
	    reads_own() != 0)
		return 1;
	if (sandbox_enter(SANDBOX_WIRE, more, 1, &s, &e) < 0 ||
	    reads_other() != EACCES || reads_own() != EACCES ||
	    forks() != ENOSYS)
		return 2;
	return 0;
}

static int
spawner_with_child(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		_exit(child_of_spawner());
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return 3;
	return WEXITSTATUS(status);
}

static void
a_child_is_no_freer(void **state)
{
	(void)state;
	assert_int_equal(outcome(SANDBOX_SPAWNER, spawner_with_child, 0), 0);
}

int
main(void)
{
	ROWS(attempts, attempt);
	ROWS(deadly, a_call_ends_the_process);
	rows_add("a child adds to its parent's", a_child_is_no_freer, NULL);
	return cmocka_run_group_tests_name("ipc/sandbox", rows_tests, set_up,
	    tear_down);
}
