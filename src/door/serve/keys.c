#include "door/serve/keys.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/path.h"
#include "ipc/ipc.h"

static int
serve_keys_gone(int *fd, const char *what, struct err *e)
{
	int why = errno;

	/* A late answer would be taken for that of the next request. */
	path_close(fd);
	(void)err_set(e, ERR_CONFIG,
	    "the broker's keeper, which has the store's key, is gone: try "
	    "again");
	errno = why;
	return err_errno(e, what);
}

/* Until it can be read or written; false: not in time. */
static bool
serve_keys_wait(int fd, short what, int64_t until_ms)
{
	int r = ipc_wait(fd, what, until_ms);

	if (r == 0)
		errno = ETIMEDOUT;
	return r > 0;
}

static bool
serve_keys_again(void)
{
	return errno == EAGAIN || errno == EINTR;
}

static int
serve_keys_ask(void *ctx, struct str request, struct store_answer *out,
    struct err *e)
{
	int64_t until = clock_mono_ms() + LIMIT_KEEPER_MS;
	int *fd = ctx;
	ssize_t n;

	while (ipc_pass_send(*fd, request, NULL, 0) < 0)
		if (!serve_keys_again() ||
		    !serve_keys_wait(*fd, POLLOUT, until))
			return serve_keys_gone(fd, "send", e);
	do {
		if (!serve_keys_wait(*fd, POLLIN, until))
			return serve_keys_gone(fd, "poll", e);
		n = recv(*fd, out->p, sizeof(out->p), MSG_DONTWAIT);
	} while (n < 0 && serve_keys_again());
	if (n <= 0)
		return serve_keys_gone(fd, "recv", e);
	out->n = (size_t)n;
	return 0;
}

void
serve_keys_remote(int *fd, struct store_keeper *out)
{
	*out = (struct store_keeper){ serve_keys_ask, fd };
}

int
serve_keys_answer(struct store_asker *w, int fd)
{
	/* One more than may come: a longer message is cut off there. */
	static char request[LIMIT_KEEPER_ASK + 1];
	struct store_answer out = { .n = 0 };
	struct ipc_passed in = { .n = 0 };
	ssize_t n = ipc_pass_recv(fd, request, sizeof(request), &in);
	bool goes_on;

	/* Descriptors are no part of a question. */
	if (in.n > 0)
		n = 0;
	ipc_pass_close(&in);
	if (n < 0)
		return serve_keys_again() ? 0 : -1;
	if (n == 0)
		return -1;
	goes_on =
	    store_keeper_answer(w, (struct str){ request, (size_t)n }, &out);
	n = ipc_pass_send(fd, (struct str){ (char *)out.p, out.n }, NULL, 0);
	return goes_on && n == (ssize_t)out.n ? 0 : -1;
}
