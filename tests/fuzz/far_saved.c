/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: what a client says of the files that it was to save. */
#include "check.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/limits.h"
#include "door/serve/internal.h"

enum {
	MAX = 32768, /* what a socket holds */
	FILES = 64
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = { 0 };
	int fd[2], n = 1, i;

	if (size > MAX || socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	check(write(fd[0], data, size) == (ssize_t)size, "room");
	check(shutdown(fd[0], SHUT_WR) == 0, "the end");
	for (i = 0; i < FILES && n >= 0; i++)
		n = serve_saves_file(&fd[1], S("a"), S(".txt"), S("x"), &e);
	check(n >= 0 || e.kind == ERR_NETWORK || e.kind == ERR_CONFIG,
	    "a reason");
	check(n <= INT16_MAX, "a number");
	if (n >= 0)
		(void)serve_saves_keep(&fd[1], &e);
	(void)close(fd[0]);
	(void)close(fd[1]);
	return 0;
}
