/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_BACKEND_WIRED_PAIR_H
#define UNIT_BACKEND_WIRED_PAIR_H

/* The two ends of a connection, and what is asked over it. */
#include "../rows.h"

#include <sys/socket.h>

#include "base/clock.h"
#include "wired_fake.h"

/* The client's side of a connection. */
static struct {
	struct arena *a;
	struct backend_account acct;
	struct wired w;
	struct err e;
	int other; /* the other end, or -1 */
	pid_t pid; /* who serves it, or 0 */
	unsigned told, looked;
	bool refuse;
	bool tests; /* it is lent for a test */
} t;

static const struct backend *const be = &wired_slots;

/* The key of the account's store: a MAC of `n` bytes n. */
static inline int
sign_it(void *ctx, struct str bytes, unsigned char out[32], struct err *e)
{
	(void)e;
	assert_ptr_equal(ctx, &t);
	memset(out, (int)bytes.n, 32);
	return 0;
}

static inline int
fits_it(void *ctx, struct str bytes, const unsigned char mac[32], struct err *e)
{
	assert_ptr_equal(ctx, &t);
	return bytes.n == 0 ? err_set(e, ERR_CONFIG, "the key is gone")
			    : mac[31] == bytes.n;
}

static inline void
told_progress(uint64_t done, uint64_t all)
{
	t.told += done == 1 && all == 2;
}

static inline int
open_pair(void **state)
{
	int fd[2];

	(void)state;
	memset(&t, 0, sizeof(t));
	t.a = arena_open(LIMIT_ARENA);
	t.acct = (struct backend_account){
		.trace = true,
		.progress = told_progress,
		.mac = sign_it,
		.fits = fits_it,
		.mac_ctx = &t,
		.deadline_ms = clock_mono_ms() + 60000,
	};
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	t.w = (struct wired){ .conn = { be, &t.acct },
		.fd = fd[0],
		.apart = true };
	t.other = fd[1];
	return 0;
}

/* What wired_serve() returned, or -2. */
static inline int
close_pair(void)
{
	int status = 0;

	if (t.w.fd >= 0)
		(void)close(t.w.fd);
	if (t.other >= 0)
		(void)close(t.other);
	if (t.pid > 0)
		assert_int_equal(waitpid(t.pid, &status, 0), t.pid);
	arena_close(&t.a);
	assert_true(WIFEXITED(status));
	return t.pid > 0 ? WEXITSTATUS(status) - 1 : -2;
}

static inline int
serve_here(int fd, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct backend_account acct = { 0 };
	struct conn *c = NULL;
	const struct wired_lease l = { .fd = fd,
		.be = &fake_backend,
		.acct = &acct,
		.conn = &c,
		.arena = a,
		.tests = t.tests,
		.fresh = fake_fresh };

	return wired_serve(&l, e);
}

static inline void
serve_it(void)
{
	(void)fflush(NULL);
	t.pid = fork();
	assert_true(t.pid >= 0);
	if (t.pid == 0) {
		struct err e = { 0 };

		(void)close(t.w.fd);
		_exit(serve_here(t.other, &e) + 1);
	}
	(void)close(t.other);
	t.other = -1;
}

static struct ref two[] = { { 1, SI("x") }, { 2, SI("y") } };
static const struct refs refs = { two, 2 };

static inline int
look_at_it(const void *ctx, struct err *e)
{
	(void)ctx;
	t.looked++;
	return t.refuse ? err_set(e, ERR_POLICY, "it is frozen") : 0;
}

static struct recipient to[2];

static inline int
submit(void)
{
	struct submission s = {
		.from = S("a@b.example"),
		.to = to,
		.n = 2,
		.message = S("Subject: x\r\n\r\n"),
		.smtputf8 = true,
		.look = look_at_it,
	};

	to[0] = (struct recipient){ .addr = S("b@b.example") };
	to[1] = (struct recipient){ .addr = S("b@c.example") };
	return be->submit(&t.w.conn, t.a, &s, &t.e);
}

#endif
