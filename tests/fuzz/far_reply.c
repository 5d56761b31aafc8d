/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a broker says to a call, until its reply: the first byte
 * says whether the call saves files, the rest are frames.
 */
#include "check.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/path.h"
#include "door/remote/internal.h"

enum {
	MAX = 32768 /* what a socket holds */
};

static void
progress(uint64_t done, uint64_t all)
{
	check(done <= all, "progress");
}

/* Whether it is whole, and each line a person may see. */
static void
check_reply(const struct far_reply *r)
{
	size_t n = 0;

	check(r->status >= 0 && r->status <= 255, "an exit status");
	check(r->envelope.n <= LIMIT_FRAME, "an envelope");
	for (size_t i = 0; i < r->lines.n; i++)
		n += r->lines.v[i].text.n;
	check(n <= MAX, "lines");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct far_call call = { .progress = progress };
	struct remote_saves saves = { .folder = -1, .a = a };
	struct far_reply reply = { 0 };
	struct err e = { 0 };
	int fd[2], r;

	if (size == 0 || size > MAX ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	/* No file is made: bytes bring no descriptor. */
	if (data[0] & 1)
		saves.folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check(write(fd[0], data + 1, size - 1) == (ssize_t)size - 1, "room");
	check(shutdown(fd[0], SHUT_WR) == 0, "the end");
	r = remote_take(fd[1], &call, &saves, a, &reply, &e);
	check((r < 0) == (e.kind != ERR_NONE), "a reason");
	if (r > 0)
		check_reply(&reply);
	check(saves.made.n == 0, "no file");
	remote_saves_close(&saves);
	(void)close(fd[0]);
	(void)close(fd[1]);
	return 0;
}
