/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a backend's process says to a request: the first byte is
 * the method, the rest are its frames.
 */
#include "check.h"

#include <sys/socket.h>
#include <unistd.h>

#include "backend/wired/internal.h"
#include "base/clock.h"

enum {
	MAX = 32768 /* what a socket holds */
};

static unsigned readies, looks;

static int
ready(void *ctx)
{
	(void)ctx;
	readies++;
	return 0;
}

static int
look(const void *ctx, struct err *e)
{
	(void)ctx, (void)e;
	looks++;
	return 0;
}

static int
link_add(void *ctx, const struct ref *ref, const struct strs *ids,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct wired_linked one = { *ref, *ids };
	struct wired_put o;

	(void)ctx, (void)e;
	wired_put_begin(&o, a);
	wired_put(&o, &wired_shape_linked, &one);
	check(!o.bad, "links within their caps");
	wired_put_close(&o);
	return 0;
}

static void
progress(uint64_t done, uint64_t all)
{
	check(done <= all, "progress");
}

/* Every byte of what was taken is there, and within its caps. */
static void
check_answer(const struct wired_call *c)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(wired_put_close) struct wired_put o = { .fd = -1 };

	wired_put_begin(&o, a);
	wired_put(&o, &wired_method[c->verb].answer, &c->answer);
	check(!o.bad, "an answer within its caps");
	for (size_t i = 0; c->probes != NULL && i < c->probes->n; i++)
		wired_put(&o, &wired_shape_probe, &c->probes->v[i]);
	check(!o.bad, "lines within their caps");
}

static void
call(struct wired *w, enum wired_verb verb, struct arena *a)
{
	const struct link_sink links = { link_add, NULL };
	const struct backend_watch watch = { .ready = ready };
	struct recipient to = { .addr = S("a@b.example") };
	struct probes probes = { 0 };
	struct err e = { 0 };
	struct wired_call c = { .verb = verb,
		.a = a,
		.ask.submission = { .to = &to, .n = 1, .look = look },
		.links = verb == WIRED_LINKS ? &links : NULL,
		.watch = verb == WIRED_WATCH ? &watch : NULL,
		.probes = verb == WIRED_PROBE ? &probes : NULL };
	int r = wired_call(w, &c, &e);

	check((r < 0) == (e.kind != ERR_NONE), "a reason");
	check(w->fd >= 0 || e.scope == ERR_SCOPE_CONN, "the connection");
	check(verb != WIRED_SUBMIT || r < 0 || looks == 1, "a look");
	check(looks <= (verb == WIRED_SUBMIT), "once");
	check(readies <= (verb == WIRED_WATCH), "once");
	check(verb != WIRED_SUBMIT || looks == 0 || w->fd >= 0 ||
		e.kind == ERR_UNKNOWN_OUTCOME,
	    "what was let go is unknown");
	check_answer(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct backend_account acct = { .progress = progress,
		.deadline_ms = clock_mono_ms() + 60000 };
	struct wired w;
	int fd[2];

	if (size == 0 || size > MAX ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	readies = looks = 0;
	check(write(fd[0], data + 1, size - 1) == (ssize_t)size - 1, "room");
	check(shutdown(fd[0], SHUT_WR) == 0, "the end");
	w = (struct wired){ .conn = { &wired_slots, &acct }, .fd = fd[1] };
	call(&w, (enum wired_verb)(data[0] % WIRED_VERBS), a);
	if (w.fd >= 0)
		(void)close(w.fd);
	(void)close(fd[0]);
	return 0;
}
