/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client that closes its end no longer waits, but a method may go on for an
 * hour and looks at nothing but its mail server.  So the kernel says when the
 * other end is gone (O_ASYNC, fcntl(2)), and the process ends, if the method
 * changes nothing: its connection would be in the middle of an answer.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "backend/wired/internal.h"

/* The client's end of what is running, or -1. */
static volatile sig_atomic_t watched = -1;

static void
wired_serve_gone_end(int unused)
{
	struct pollfd p = { watched, 0, 0 };

	(void)unused;
	if (watched >= 0 && poll(&p, 1, 0) > 0 && p.revents & POLLHUP)
		_exit(0);
}

static void
wired_serve_gone_listen(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		(void)fcntl(fd, F_SETFL,
		    on ? flags | O_ASYNC : flags & ~O_ASYNC);
}

void
wired_serve_gone_begin(int fd)
{
	const struct sigaction end = { .sa_handler = wired_serve_gone_end,
		.sa_flags = SA_RESTART };

	watched = fd;
	if (sigaction(SIGIO, &end, NULL) < 0 ||
	    fcntl(fd, F_SETOWN, getpid()) < 0)
		return;
	wired_serve_gone_listen(fd, true);
	/* It may have gone before. */
	wired_serve_gone_end(SIGIO);
}

void
wired_serve_gone_done(int fd)
{
	wired_serve_gone_listen(fd, false);
	watched = -1;
}
