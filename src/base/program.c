/* SPDX-License-Identifier: Apache-2.0 */
#include "base/program.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"

/* 0, or an errno. */
static int
program_give_files(posix_spawn_file_actions_t *files, const struct program *p)
{
	const int given[] = { p->in, p->out, p->err };
	int r = 0;

	for (int fd = 0; fd < 3 && r == 0; fd++)
		if (given[fd] >= 0)
			r = posix_spawn_file_actions_adddup2(files, given[fd],
			    fd);
	if (r == 0 && p->dir != NULL)
		r = posix_spawn_file_actions_addchdir_np(files, p->dir);
	return r != 0 ? r : posix_spawn_file_actions_addclosefrom_np(files, 3);
}

static int
program_spawn(const struct program *p, posix_spawn_file_actions_t *files,
    pid_t *pid)
{
	posix_spawnattr_t how;
	sigset_t all, none;
	int r = posix_spawnattr_init(&how);

	if (r != 0)
		return r;
	(void)sigfillset(&all);
	(void)sigemptyset(&none);
	(void)posix_spawnattr_setsigdefault(&how, &all);
	(void)posix_spawnattr_setsigmask(&how, &none);
	(void)posix_spawnattr_setflags(&how,
	    (short)(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
		(p->apart ? POSIX_SPAWN_SETSID : 0)));
	r = posix_spawnp(pid, p->name, files, &how, p->argv, p->envp);
	(void)posix_spawnattr_destroy(&how);
	return r;
}

int
program_start(const struct program *p, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	int r = posix_spawn_file_actions_init(&files);

	if (r == 0) {
		r = program_give_files(&files, p);
		if (r == 0)
			r = program_spawn(p, &files, pid);
		(void)posix_spawn_file_actions_destroy(&files);
	}
	errno = r;
	return r == 0 ? 0 : -1;
}

static bool
program_is_over(pid_t pid, int64_t end_ms)
{
	CLEANUP(path_close) int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct pollfd over = { .fd = fd, .events = POLLIN };
	int left, r;

	if (fd < 0)
		return false;
	do {
		left = clock_left_ms(end_ms);
		r = left == 0 ? 0 : poll(&over, 1, left);
	} while (r < 0 && errno == EINTR);
	return r > 0;
}

int
program_end(pid_t pid, int64_t end_ms)
{
	bool over = program_is_over(pid, end_ms);
	int status = 0;

	/* There is a group of that number only if it is apart. */
	if (!over && kill(-pid, SIGKILL) < 0)
		(void)kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return over ? status : -1;
}
