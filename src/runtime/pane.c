/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pane.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "ipc/ipc.h"

static int
pane_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG,
	    "the session's program cannot be started in a terminal");
	return err_errno(e, what);
}

void
pane_drop(int folder)
{
	(void)unlinkat(folder, PANE_SOCKET, 0);
}

int
pane_listen(int folder, struct err *e)
{
	return ipc_listen(folder, PANE_SOCKET, e);
}

static bool
pane_wait(int fd)
{
	return ipc_wait(fd, POLLIN, clock_mono_ms() + LIMIT_PANE_MS) > 0;
}

int
pane_accept(int listening, struct err *e)
{
	int fd;

	errno = ETIMEDOUT;
	if (!pane_wait(listening))
		return pane_fail(e, "poll");
	fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0 && ipc_connect_hurry(fd, LIMIT_PANE_MS) == 0)
		return fd;
	(void)pane_fail(e, "accept");
	path_close(&fd);
	return -1;
}

/* Each text with a NUL after it, and an empty one at the end: without that, it
 * was cut off. */
static struct str
pane_text(const struct process_plan *p, struct arena *a)
{
	struct buf b;

	buf_init(&b, a, LIMIT_PANE_TEXT);
	buf_fmt(&b, "%.*s%c%.*s%c%zu%c%.*s%c", STR_ARG(p->executable), 0,
	    STR_ARG(p->workdir), 0, p->args.n, 0, STR_ARG(p->name), 0);
	for (size_t i = 0; i < p->args.n; i++)
		buf_fmt(&b, "%.*s%c", STR_ARG(p->args.v[i]), 0);
	for (size_t i = 0; i < p->environment.n; i++)
		if (p->environment.v[i].n > 0)
			buf_fmt(&b, "%.*s%c", STR_ARG(p->environment.v[i]), 0);
	buf_char(&b, '\0');
	return b.over ? S("") : buf_view(&b);
}

int
pane_send(int connection, const struct process_plan *p, struct arena *a,
    struct err *e)
{
	struct str text = pane_text(p, a);
	int why = 0;
	ssize_t n;

	if (text.n == 0)
		return err_set(e, ERR_LIMIT,
		    "arguments and environment of the session's program are "
		    "too long");
	if (path_write(connection, text) < 0 ||
	    shutdown(connection, SHUT_WR) < 0)
		return pane_fail(e, "write");
	do
		n = read(connection, &why, sizeof(why));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	if (n < 0)
		return pane_fail(e, "read");
	errno = n == (ssize_t)sizeof(why) ? why : EIO;
	(void)err_set(e, ERR_CONFIG,
	    "the session's program cannot be executed");
	return err_errno(e, "execve");
}
