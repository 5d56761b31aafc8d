/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes from one process to the other: in a frame, or in a file with it. */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "backend/wired/internal.h"
#include "base/path.h"

#define SEALS (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

int
wired_carry_say(int fd, enum wired_type type, struct err *e)
{
	const struct ipc_frame f = { .type = (char)type };

	return ipc_frame_send(fd, &f, NULL, 0, e);
}

int
wired_carry_send(int fd, enum wired_type type, struct wired_put *o,
    struct err *e)
{
	struct ipc_frame f = { (char)type, buf_view(&o->b) };

	if (o->fd >= 0)
		o->bad = o->bad || path_write(o->fd, f.payload) < 0 ||
		    o->filed + f.payload.n > LIMIT_WIRED ||
		    fcntl(o->fd, F_ADD_SEALS, SEALS) < 0;
	if (o->bad)
		return err_set(e, ERR_LIMIT,
		    "this is too much for another process");
	if (o->fd < 0)
		return ipc_frame_send(fd, &f, NULL, 0, e);
	f.payload = S("");
	return ipc_frame_send(fd, &f, &o->fd, 1, e);
}

/* Waits for the first byte. */
static int
wired_carry_wait(int fd, int64_t until_ms, struct err *e)
{
	if (ipc_wait(fd, POLLIN, until_ms) > 0)
		return 0;
	return err_set(e, ERR_NETWORK,
	    "the process with the account's mail did not answer "
	    "in time");
}

void
wired_carry_close(struct wired_carried *c)
{
	path_close(&c->fd);
}

int
wired_carry_recv(int fd, int64_t until_ms, struct arena *a,
    struct wired_carried *out, struct err *e)
{
	struct ipc_passed with = { 0 };
	struct ipc_frame f = { 0 };
	int r;

	*out = (struct wired_carried){ .fd = -1 };
	if (wired_carry_wait(fd, until_ms, e) < 0)
		return -1;
	r = ipc_frame_recv(fd, false, a, &f, &with, e);
	if (r <= 0)
		return r;
	if (with.n > 1 || (with.n == 1 && f.payload.n > 0)) {
		ipc_pass_close(&with);
		return err_set(e, ERR_USAGE,
		    "a frame came with descriptors that it has no use for");
	}
	out->type = (enum wired_type)f.type;
	out->payload = f.payload;
	if (with.n == 1)
		out->fd = with.fd[0];
	return 1;
}

/*
 * Nobody can change it, and it is in memory: no other file has seals, and one
 * of another kind might never be read (F_GET_SEALS, fcntl(2)).
 */
static int
wired_carry_size(int fd, size_t most, size_t *n)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	if (seals < 0 || (seals & SEALS) != SEALS || fstat(fd, &st) < 0 ||
	    st.st_size < 0 || (uint64_t)st.st_size > most)
		return -1;
	*n = (size_t)st.st_size;
	return 0;
}

int
wired_carry_read(const struct wired_carried *c, size_t most, struct arena *a,
    struct str *out, struct err *e)
{
	size_t n = 0;
	char *p;

	if (c->fd < 0 && c->payload.n <= most) {
		*out = str_dup(a, c->payload);
		return 0;
	}
	if (c->fd < 0 || wired_carry_size(c->fd, most, &n) < 0)
		return err_set(e, ERR_USAGE,
		    "a file came that can change, or is too long");
	p = arena_alloc(a, n + 1);
	if (path_read_at(c->fd, p, n, 0) != (ssize_t)n)
		return err_set(e, ERR_USAGE, "a file came that has no end");
	*out = (struct str){ p, n };
	return 0;
}
