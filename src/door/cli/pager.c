/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pager, as in man(1): a command line that the shell runs.  Whoever may set
 * PAGER runs emcli with their own rights; they do not have the keys, which are
 * not in the pager's environment.
 */
#include "door/cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/program.h"
#include "door/out.h"

/* The shell's exit statuses for a command that it cannot run. */
enum {
	PAGER_NOT_RUN = 126
};

/* Keeps colours, and does not page a short text; without less, cat. */
static const char usual[] =
    "if command -v less >/dev/null 2>&1; then exec less -FRX; fi; exec cat";

extern char **environ;

/* Lines on a screen of that width; escape sequences take no room. */
static size_t
pager_lines(struct str text, size_t width)
{
	size_t lines = 0, at = 0;
	bool escaped = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (c == '\n') {
			lines += at > width ? (at + width - 1) / width : 1;
			at = 0;
		} else if (escaped || c == '\033') {
			escaped = c != 'm';
		} else {
			at += ((unsigned char)c & 0xc0) != 0x80;
		}
	}
	return lines;
}

bool
pager_wanted(struct str text)
{
	const char *pager = getenv("PAGER"), *term = getenv("TERM");
	struct winsize w;

	if (pager != NULL &&
	    (pager[0] == '\0' || str_eq(str_of(pager), S("cat"))))
		return false;
	if (term == NULL || term[0] == '\0' ||
	    str_eq(str_of(term), S("dumb")) || !isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) < 0 || w.ws_row == 0 ||
	    w.ws_col == 0)
		return false;
	/* One more line for the shell's prompt. */
	return pager_lines(text, w.ws_col) >= w.ws_row;
}

/* The environment without emcli's own variables. */
static char **
pager_environment(struct arena *a)
{
	size_t n = 0, kept = 0;
	char **out;

	while (environ[n] != NULL)
		n++;
	out = arena_array(a, n + 1, sizeof(*out));
	for (size_t i = 0; i < n; i++)
		if (!str_starts(str_of(environ[i]), S("EMCLI_")) &&
		    !str_starts(str_of(environ[i]),
			S("CREDENTIALS_DIRECTORY=")))
			out[kept++] = environ[i];
	out[kept] = NULL;
	return out;
}

/*
 * Its standard input is the pipe; its signals are as for the shell's commands.
 */
static int
pager_start(int in, pid_t *pid)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARGV);
	const char *command = getenv("PAGER");
	char *argv[] = { str_c(a, S("sh")), str_c(a, S("-c")),
		str_c(a, str_of(command != NULL ? command : usual)), NULL };
	const struct program sh = { "/bin/sh", argv, pager_environment(a), in,
		-1, -1, false, NULL };

	return program_start(&sh, pid);
}

/* Its exit status; ending by a signal counts as one. */
static int
pager_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int
pager_put(struct str text)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old[2];
	int fd[2], status;
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	/* The pager handles the terminal's keys. */
	(void)sigaction(SIGINT, &ignore, &old[0]);
	(void)sigaction(SIGQUIT, &ignore, &old[1]);
	status = pager_start(fd[0], &pid);
	(void)close(fd[0]);
	/* A pager that the person left early has shown enough. */
	if (status == 0)
		(void)out_write(fd[1], text);
	(void)close(fd[1]);
	if (status == 0)
		status = pager_wait(pid) >= PAGER_NOT_RUN ? -1 : 0;
	(void)sigaction(SIGINT, &old[0], NULL);
	(void)sigaction(SIGQUIT, &old[1], NULL);
	return status;
}
