/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a process with mail in files is answered when it asks the
 * store's key: frames, after a request during which it asks for a MAC and
 * compares one.
 */
#include "check.h"

#include <sys/socket.h>
#include <unistd.h>

#include "backend/wired/internal.h"

enum {
	MAX = 32768 /* what a socket holds */
};

static unsigned finds;
static struct conn conn;

static int
sign_open(const struct backend_account *acct, struct arena *a,
    struct conn **out, struct err *e)
{
	(void)a, (void)e;
	conn = (struct conn){ .acct = acct };
	*out = &conn;
	return 0;
}

static int
sign_find(struct conn *c, struct arena *a, const struct query *q, size_t limit,
    struct folder_state *st, struct rows *out, struct err *e)
{
	const struct backend_account *acct = c->acct;
	unsigned char mac[WIRED_MAC] = { 0 };
	int r = acct->mac(acct->mac_ctx, S("text"), mac, e);

	(void)a, (void)q, (void)limit, (void)st, (void)out;
	finds++;
	check(r == 0 || r == -1, "made, or not");
	check((r < 0) == (e->kind != ERR_NONE), "a reason");
	if (r < 0)
		return -1;
	r = acct->fits(acct->mac_ctx, S("text"), mac, e);
	check(r >= -1 && r <= 1, "right, wrong, or unknown");
	check((r < 0) == (e->kind != ERR_NONE), "a reason");
	return r < 0 ? -1 : 0;
}

static const struct backend backend = { .open = sign_open, .find = sign_find };

static void
put_request(int fd, struct arena *a)
{
	const struct wired_head head = { .left_ms = 60000, .signs = true };
	const struct wired_ask ask = { .query.folder = S("INBOX"), .max = 1 };
	struct wired_put o;
	struct err e = { 0 };

	wired_put_begin(&o, a);
	wired_put_number(&o, WIRED_FIND);
	wired_put(&o, &wired_shape_head, &head);
	wired_put(&o, &wired_method[WIRED_FIND].ask, &ask);
	check(wired_carry_send(fd, WIRED_ASK, &o, &e) == 0, "room");
	wired_put_close(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct backend_account acct = { 0 };
	struct conn *c = NULL;
	struct wired_lease l = { .fd = -1,
		.be = &backend,
		.acct = &acct,
		.conn = &c,
		.arena = a };
	struct err e = { 0 };
	int fd[2], r;

	if (size > MAX || socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	finds = 0;
	put_request(fd[0], a);
	check(write(fd[0], data, size) == (ssize_t)size, "room");
	check(shutdown(fd[0], SHUT_WR) == 0, "the end");
	l.fd = fd[1];
	r = wired_serve(&l, &e);
	check(finds > 0, "a request");
	check((r < 0) == (e.kind != ERR_NONE), "a reason");
	check(r >= 0 || e.kind == ERR_USAGE || e.kind == ERR_NETWORK, "which");
	check(acct.mac == NULL && acct.fits == NULL, "no key any more");
	(void)close(fd[0]);
	(void)close(fd[1]);
	return 0;
}
