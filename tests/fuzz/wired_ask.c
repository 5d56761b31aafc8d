/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: a request to the process with the real backend. */
#include "check.h"

#include <sys/socket.h>
#include <unistd.h>

#include "../unit/backend/wired_fake.h"

enum {
	MAX = 32768 /* what a socket holds */
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct ipc_frame f = { WIRED_ASK, { (const char *)data, size } };
	struct backend_account acct = { 0 };
	struct wired_carried got = { 0 };
	struct conn *c = NULL;
	struct wired_lease l = { .fd = -1,
		.be = &fake_backend,
		.acct = &acct,
		.conn = &c,
		.arena = a,
		.tests = size > 0 && data[0] >= WIRED_PROBE,
		.fresh = fake_fresh };
	struct err e = { 0 };
	int fd[2], r;

	if (size > MAX || socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	check(ipc_frame_send(fd[0], &f, NULL, 0, &e) == 0, "room");
	check(shutdown(fd[0], SHUT_WR) == 0, "the end");
	l.fd = fd[1];
	r = wired_serve(&l, &e);
	(void)close(fd[1]);
	check((r < 0) == (e.kind != ERR_NONE), "a reason");
	check(r >= 0 || e.kind == ERR_USAGE || e.kind == ERR_NETWORK, "which");
	check(acct.progress == NULL, "nobody is told any more");
	/* A request that fits is answered. */
	e = (struct err){ 0 };
	check(r < 0 || wired_carry_recv(fd[0], IPC_WAIT_EVER, a, &got, &e) == 1,
	    "answer");
	if (r >= 0)
		wired_carry_close(&got);
	(void)close(fd[0]);
	return 0;
}
