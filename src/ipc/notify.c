/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a service tells systemd, without its library: a datagram to the socket
 * in NOTIFY_SOCKET, sd_notify(3).
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "ipc/ipc.h"

static struct {
	int fd;
	struct sockaddr_un at;
	socklen_t n;
} notify = { .fd = -1 };

/* Half of what the watchdog allows, in milliseconds; 0: there is none. */
static int
ipc_notify_every(void)
{
	struct str us = str_of(getenv("WATCHDOG_USEC"));
	struct str pid = str_of(getenv("WATCHDOG_PID"));
	uint64_t n, who;

	if (!str_to_u64(us, UINT64_C(86400000000), &n) || n < 2000)
		return 0;
	if (pid.n > 0 &&
	    (!str_to_u64(pid, INT32_MAX, &who) || (pid_t)who != getpid()))
		return 0;
	return (int)(n / 2000);
}

int
ipc_notify_begin(void)
{
	struct str to = str_of(getenv("NOTIFY_SOCKET"));
	int every = ipc_notify_every();

	if (to.n > 1 && to.n < sizeof(notify.at.sun_path) &&
	    (to.p[0] == '/' || to.p[0] == '@')) {
		notify.at = (struct sockaddr_un){ .sun_family = AF_UNIX };
		memcpy(notify.at.sun_path, to.p, to.n);
		/* An abstract name begins with a NUL: unix(7). */
		if (to.p[0] == '@')
			notify.at.sun_path[0] = '\0';
		notify.n =
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + to.n);
		notify.fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	}
	/* For this process alone. */
	(void)unsetenv("NOTIFY_SOCKET");
	(void)unsetenv("WATCHDOG_USEC");
	(void)unsetenv("WATCHDOG_PID");
	return notify.fd < 0 ? 0 : every;
}

void
ipc_notify(const char *state)
{
	if (notify.fd >= 0)
		(void)sendto(notify.fd, state, strlen(state),
		    MSG_NOSIGNAL | MSG_DONTWAIT,
		    (const struct sockaddr *)(const void *)&notify.at,
		    notify.n);
}
