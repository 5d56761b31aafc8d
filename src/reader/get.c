/* A reader for each call. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "reader/internal.h"

/* To the nursery, of this process and of those that it forks. */
static int nursery_fd = -1;
/* To this process's own reader, or -1. */
static int reader_fd = -1;
static pid_t reader_of;

_Noreturn void
reader_get_lost(void)
{
	_exit(1);
}

/* Several processes may ask at once; each gets one, whichever it is. */
static int
reader_get_next(void)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_READER_MS;
	struct ipc_passed in = { 0 };
	char said;

	if (ipc_pass_send(nursery_fd, S("?"), NULL, 0) != 1)
		reader_get_lost();
	for (;;) {
		ssize_t r;

		if (ipc_wait(nursery_fd, POLLIN, until_ms) <= 0)
			reader_get_lost();
		r = ipc_pass_recv(nursery_fd, &said, 1, &in);
		if (r < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (r != 1 || in.n != 1)
			reader_get_lost();
		return in.fd[0];
	}
}

/* The reader of this process; after a fork, not its parent's. */
int
reader_get(void)
{
	if (reader_of != getpid()) {
		path_close(&reader_fd);
		reader_of = getpid();
	}
	if (reader_fd < 0)
		reader_fd = reader_get_next();
	return reader_fd;
}

bool
reader_get_has(void)
{
	return reader_of == getpid() && reader_fd >= 0;
}

void
reader_get_end(void)
{
	if (reader_of == getpid())
		path_close(&reader_fd);
}

void
reader_get_from(int nursery)
{
	nursery_fd = nursery;
}

int
reader_get_socket(void)
{
	return nursery_fd;
}
