/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: frames from a stranger, one after the other. */
#include "check.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ipc/ipc.h"

enum {
	MAX = 32768 /* what a socket holds */
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct ipc_passed with = { 0 };
	size_t whole = 0;
	struct err e = { 0 };
	int fd[2], r;

	if (size > MAX || socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	check(write(fd[0], data, size) == (ssize_t)size, "room");
	(void)close(fd[0]);
	for (;;) {
		struct ipc_frame f = { 0 };
		unsigned char head[IPC_FRAME_HEAD];

		r = ipc_frame_recv(fd[1], false, a, &f, &with, &e);
		if (r != 1)
			break;
		ipc_frame_head(&f, head);
		check(whole + sizeof(head) + f.payload.n <= size, "the input");
		check(memcmp(data + whole, head, sizeof(head)) == 0, "head");
		check(memcmp(data + whole + sizeof(head), f.payload.p,
			  f.payload.n) == 0,
		    "payload");
		whole += sizeof(head) + f.payload.n;
	}
	check((r == 0) == (whole == size), "the end");
	check(r == 0 || e.kind == ERR_USAGE || e.kind == ERR_NETWORK, "why");
	(void)close(fd[1]);
	return 0;
}
