/* SPDX-License-Identifier: Apache-2.0 */
/* A worker's way to the keeper, and that of processes that it forks. */
#include "door/serve/keys.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/child.h"
#include "door/serve/keeper.h"
#include "door/serve/names.h"

/* Of this process, and of the one that it was forked from. */
static struct {
	int monitor;
	pid_t pid; /* whose socket it is */
	int fd;    /* -1: it has none */
	struct store_keeper way;
} keys = { .monitor = -1, .fd = -1 };

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
	*out = (struct store_keeper){ .ask = serve_keys_ask, .ctx = fd };
}

/* -- a process that joins -------------------------------------------------- */

/* Makes two sockets to the keeper, and has the monitor pass on their ends. */
static int
serve_keys_reach(struct err *e)
{
	const char note = SERVE_JOIN;
	int ask[2], lend[2] = { -1, -1 };
	bool good = false;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ask) < 0)
		return serve_keys_gone(&keys.fd, "socketpair", e);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, lend) == 0) {
		const int ends[] = { ask[1], lend[1] };

		good = ipc_pass_send(keys.monitor, (struct str){ &note, 1 },
			   ends, 2) == 1;
	}
	path_close(&ask[1]);
	path_close(&lend[1]);
	if (!good) {
		path_close(&ask[0]);
		path_close(&lend[0]);
		return serve_keys_gone(&keys.fd, "send", e);
	}
	path_close(&keys.fd);
	keys.fd = ask[0];
	serve_lend_by(lend[0]);
	return 0;
}

static int serve_keys_own(struct err *e);

/* Only if there is no socket yet, or nobody at its other end. */
static int
serve_keys_begin(void *ctx, struct err *e)
{
	struct pollfd p = { keys.fd, POLLIN, 0 };

	(void)ctx;
	if (keys.pid != getpid()) {
		/* Those of the process that forked this one are not open. */
		keys.pid = getpid();
		keys.fd = -1;
		serve_lend_find(serve_keys_own);
	} else if (keys.fd >= 0 && poll(&p, 1, 0) == 0) {
		return 0;
	}
	return serve_keys_reach(e);
}

static int
serve_keys_own(struct err *e)
{
	return serve_keys_begin(NULL, e);
}

static int
serve_keys_ask_own(void *ctx, struct str request, struct store_answer *out,
    struct err *e)
{
	/* Of a text in parts another keeper has nothing: that one must answer.
	 */
	if (keys.pid != getpid() && serve_keys_begin(ctx, e) < 0)
		return -1;
	return serve_keys_ask(ctx, request, out, e);
}

void
serve_keys_join(int monitor, const struct env *env, struct env *out)
{
	keys.monitor = monitor;
	serve_keys_remote(&keys.fd, &keys.way);
	keys.way.begin = serve_keys_begin;
	keys.way.ask = serve_keys_ask_own;
	child_keeps(monitor);
	serve_lend_find(serve_keys_own);
	dns_key_elsewhere(serve_names_ask);
	*out = *env;
	/* The kernel has wiped them: secret_inherit(). */
	out->agent_key = out->admin_key = out->new_key = NULL;
	out->stalwart_token = out->stalwart_key = out->stalwart_secret = NULL;
	out->keeper = &keys.way;
}
