/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames on a stream: the length of the payload in four bytes, big-endian; a
 * byte for the type; the payload.  A frame is whole in LIMIT_FRAME_MS, or the
 * connection is of no more use.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "ipc/ipc.h"

enum {
	SMALL = 4096 /* a payload that is copied */
};

/* A frame on its way in. */
struct incoming {
	int fd;
	int64_t until_ms;
	struct ipc_passed *with;
};

void
ipc_frame_head(const struct ipc_frame *f, unsigned char out[IPC_FRAME_HEAD])
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(f->payload.n >> (24 - 8 * i));
	out[4] = (unsigned char)f->type;
}

bool
ipc_frame_length(const unsigned char head[IPC_FRAME_HEAD], size_t *n)
{
	*n = 0;
	for (int i = 0; i < 4; i++)
		*n = *n << 8 | head[i];
	return *n <= LIMIT_FRAME;
}

static int
ipc_frame_late(struct err *e)
{
	return err_set(e, ERR_USAGE, "a frame was not whole in %d seconds",
	    LIMIT_FRAME_MS / 1000);
}

static int
ipc_frame_broken(struct err *e, const char *what)
{
	if (errno == EMSGSIZE)
		return err_set(e, ERR_USAGE,
		    "a frame came with more than %d descriptors", LIMIT_PASSED);
	(void)err_set(e, ERR_NETWORK, "the connection broke");
	return err_errno(e, what);
}

/* Reads n bytes: 1; 0: there is none, and will be none; -1. */
static int
ipc_frame_fill(const struct incoming *x, void *out, size_t n, struct err *e)
{
	size_t have = 0;

	while (have < n) {
		ssize_t r;

		if (clock_left_ms(x->until_ms) == 0)
			return ipc_frame_late(e);
		r = ipc_pass_recv(x->fd, (char *)out + have, n - have, x->with);
		if (r > 0) {
			have += (size_t)r;
			continue;
		}
		if (r == 0 && have == 0)
			return 0;
		if (r == 0)
			return err_set(e, ERR_NETWORK,
			    "the connection ended within a frame");
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return ipc_frame_broken(e, "recvmsg");
		r = ipc_wait(x->fd, POLLIN, x->until_ms);
		if (r == 0)
			return ipc_frame_late(e);
		if (r < 0)
			return ipc_frame_broken(e, "poll");
	}
	return 1;
}

static int
ipc_frame_take(const struct incoming *x, struct arena *a, struct ipc_frame *out,
    struct err *e)
{
	unsigned char head[IPC_FRAME_HEAD] = { 0 };
	int r = ipc_frame_fill(x, head, sizeof(head), e);
	char *p;
	size_t n;

	if (r <= 0)
		return r;
	if (!ipc_frame_length(head, &n))
		return err_set(e, ERR_USAGE, "a frame is longer than %lu bytes",
		    LIMIT_FRAME);
	p = arena_alloc(a, n + 1);
	if (n > 0 && (r = ipc_frame_fill(x, p, n, e)) <= 0)
		return r < 0 ? -1
			     : err_set(e, ERR_NETWORK,
				   "the connection ended within a frame");
	*out = (struct ipc_frame){ (char)head[4], { p, n } };
	return 1;
}

int
ipc_frame_recv(int fd, bool patient, struct arena *a, struct ipc_frame *out,
    struct ipc_passed *with, struct err *e)
{
	struct incoming x = { .fd = fd, .with = with };
	int r;

	if (patient)
		(void)ipc_wait(fd, POLLIN, IPC_WAIT_EVER);
	x.until_ms = clock_mono_ms() + LIMIT_FRAME_MS;
	r = ipc_frame_take(&x, a, out, e);
	if (r <= 0)
		ipc_pass_close(with);
	return r;
}

/* Sends the bytes, and the descriptors with the first of them. */
static int
ipc_frame_put(int fd, struct str bytes, const int *fds, size_t n,
    int64_t until_ms, struct err *e)
{
	while (bytes.n > 0) {
		ssize_t r = ipc_pass_send(fd, bytes, fds, n);

		if (r >= 0) {
			bytes = str_from(bytes, (size_t)r);
			n = 0;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return ipc_frame_broken(e, "sendmsg");
		r = ipc_wait(fd, POLLOUT, until_ms);
		if (r == 0)
			return err_set(e, ERR_NETWORK,
			    "the other end reads nothing");
		if (r < 0)
			return ipc_frame_broken(e, "poll");
	}
	return 0;
}

/* What is small goes in one piece, so that the other end wakes up once. */
int
ipc_frame_send(int fd, const struct ipc_frame *f, const int *fds, size_t n,
    struct err *e)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_FRAME_MS;
	unsigned char first[IPC_FRAME_HEAD + SMALL];
	size_t along = f->payload.n <= SMALL ? f->payload.n : 0;

	if (f->payload.n > LIMIT_FRAME)
		return err_set(e, ERR_LIMIT,
		    "the call is longer than %lu bytes", LIMIT_FRAME);
	ipc_frame_head(f, first);
	if (along > 0)
		memcpy(first + IPC_FRAME_HEAD, f->payload.p, along);
	if (ipc_frame_put(fd,
		(struct str){ (char *)first, IPC_FRAME_HEAD + along }, fds, n,
		until_ms, e) < 0)
		return -1;
	return ipc_frame_put(fd, str_from(f->payload, along), NULL, 0, until_ms,
	    e);
}
