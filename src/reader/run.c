/* The reader's caller. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "base/utf8.h"
#include "reader/internal.h"

/* To the nursery, of this process and of those that it forks. */
static int nursery_fd = -1;
/* To this process's own reader, or -1. */
static int reader_fd = -1;
static pid_t reader_of;

/*
 * There is nothing that a reading could say instead: this process ends, and
 * the call in it fails.
 */
static _Noreturn void
reader_lost(void)
{
	_exit(1);
}

/* Several processes may ask at once; each gets one, whichever it is. */
static int
reader_run_get(void)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_READER_MS;
	struct ipc_passed in = { 0 };
	char said;

	if (ipc_pass_send(nursery_fd, S("?"), NULL, 0) != 1)
		reader_lost();
	for (;;) {
		ssize_t r;

		if (ipc_wait(nursery_fd, POLLIN, until_ms) <= 0)
			reader_lost();
		r = ipc_pass_recv(nursery_fd, &said, 1, &in);
		if (r < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (r != 1 || in.n != 1)
			reader_lost();
		return in.fd[0];
	}
}

/* The reader of this process; after a fork, not its parent's. */
static int
reader_run_open(void)
{
	if (reader_of != getpid()) {
		path_close(&reader_fd);
		reader_of = getpid();
	}
	if (reader_fd < 0)
		reader_fd = reader_run_get();
	return reader_fd;
}

void
reader_run_end(void)
{
	if (reader_of == getpid())
		path_close(&reader_fd);
}

static void
reader_send(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n > 0) {
		ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			reader_lost();
		at += sent;
		n -= (size_t)sent;
	}
}

static struct str
reader_run_text(struct arena *a, struct str page, size_t max,
    struct html_found *found)
{
	const struct reader_ask ask = { page.n, max, utf8_valid(page) };
	struct reader_said said = { 0 };
	int fd = reader_run_open();
	uint64_t n = 0;
	char *bytes;

	reader_send(fd, &ask, sizeof(ask));
	reader_send(fd, page.p, page.n);
	if (!reader_child_read(fd, &n, sizeof(n)) || n > LIMIT_READER_REPLY)
		reader_lost();
	bytes = arena_alloc(a, (size_t)n + 1);
	if (!reader_child_read(fd, bytes, (size_t)n) ||
	    !reader_take((struct str){ bytes, (size_t)n }, &ask, a, &said))
		reader_lost();
	if (found != NULL)
		*found = said.found;
	return said.text;
}

static int
reader_fail(struct err *e)
{
	(void)err_set(e, ERR_INTERNAL, "the process that reads cannot start");
	return err_errno(e, "reader");
}

/* In the child: of its parent it has only the socket. */
static _Noreturn void
reader_become(int fd, pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(fd, STDERR_FILENO + 1) < 0)
		_exit(1);
	(void)close_range(STDERR_FILENO + 2, ~0U, 0);
	reader_nursery(STDERR_FILENO + 1);
}

int
reader_run_start(struct sandbox_state *out, struct err *e)
{
	pid_t me = getpid(), pid;
	uint32_t told = 0;
	int fd[2];

	/* Messages: of several that ask none gets half an answer. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) < 0)
		return reader_fail(e);
	pid = fork();
	if (pid == 0)
		reader_become(fd[1], me);
	path_close(&fd[1]);
	if (pid > 0 && reader_child_read(fd[0], &told, sizeof(told))) {
		nursery_fd = fd[0];
		*out = sandbox_unpack(told);
		html_elsewhere(reader_run_text);
		return 0;
	}
	path_close(&fd[0]);
	return reader_fail(e);
}

int
reader_run_socket(void)
{
	return nursery_fd;
}
