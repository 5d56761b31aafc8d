/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the person's browser by xdg-open(1), if there is a display. */
#include <fcntl.h>
#include <sys/wait.h>

#include "door/cli/internal.h"

static bool
is_set(const char *name)
{
	const char *v = getenv(name);

	return v != NULL && v[0] != '\0';
}

bool
browser_is_remote(void)
{
	return is_set("SSH_CONNECTION") || is_set("SSH_TTY");
}

/* Its grandparent does not wait, and the terminal stays emcli's. */
static _Noreturn void
browser_child(char *url)
{
	char program[] = "xdg-open";
	char *const argv[] = { program, url, NULL };
	int fd = open("/dev/null", O_RDWR);

	for (int i = 0; i <= STDERR_FILENO && fd >= 0; i++)
		(void)dup2(fd, i);
	if (setsid() < 0 || fork() != 0)
		_exit(0);
	(void)execvp(argv[0], argv);
	_exit(127);
}

void
browser_open(struct arena *a, struct str url)
{
	char *text = str_c(a, url);
	pid_t pid;

	if (browser_is_remote() ||
	    !(is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")))
		return;
	pid = fork();
	if (pid == 0)
		browser_child(text);
	if (pid > 0)
		(void)waitpid(pid, NULL, 0);
}
