/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a process with mail in files asks the store's key for: the
 * first byte says during which method, and what the key says; the rest are its
 * frames.
 */
#include "check.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backend/wired/internal.h"
#include "base/clock.h"

enum {
	MAX = 2048, /* a socket holds all answers to so much */
	SUBMITS = 1,
	STOPS = 2, /* a look */
	FAILS = 4, /* the key */
	FORGED = 8 /* a MAC is not that of its text */
};

static struct {
	unsigned how, looks, made, said;
} key;

static int
key_fail(struct err *e)
{
	return key.how & FAILS ? err_set(e, ERR_CONFIG, "the key is gone") : 0;
}

static int
key_mac(void *ctx, struct str bytes, unsigned char out[WIRED_MAC],
    struct err *e)
{
	(void)ctx;
	check(bytes.n <= LIMIT_LINE, "a text within its cap");
	check(key.looks == 1 && !(key.how & STOPS), "of what may go");
	key.made++;
	memset(out, 4, WIRED_MAC);
	return key_fail(e);
}

static int
key_fits(void *ctx, struct str bytes, const unsigned char mac[WIRED_MAC],
    struct err *e)
{
	(void)ctx, (void)mac;
	check(bytes.n <= LIMIT_LINE, "a text within its cap");
	key.said++;
	return key_fail(e) < 0 ? -1 : !(key.how & FORGED);
}

static int
look(const void *ctx, struct err *e)
{
	(void)ctx;
	key.looks++;
	return key.how & STOPS ? err_set(e, ERR_POLICY, "it may not go") : 0;
}

/* A MAC goes out only as one that was made; the rest is 0, 1 or an error. */
static void
check_said(const struct wired_carried *f, struct arena *a)
{
	struct wired_take in = wired_take_begin(f->payload, a);
	uint64_t r = wired_take_number(&in, 2);
	struct str mac = S("");
	struct err e = { 0 };

	if (r == 2)
		wired_fault_take(&in, &e);
	else
		wired_take(&in, &wired_shape_str, &mac);
	check(wired_take_end(&in), "an answer that can be taken");
	check((r == 2) == ((key.how & FAILS) != 0), "what the key says");
	check(mac.n == 0 || (mac.n == WIRED_MAC && key.made == 1), "a MAC");
}

/* Each question has one answer. */
static void
check_answers(int fd, struct arena *a)
{
	struct wired_carried f = { 0 };
	struct err e = { 0 };
	unsigned answers = 0;

	while (wired_carry_recv(fd, IPC_WAIT_EVER, a, &f, &e) == 1) {
		if (f.type == WIRED_SAID) {
			answers++;
			check_said(&f, a);
		}
		wired_carry_close(&f);
	}
	check(answers == key.made + key.said, "one answer to a question");
}

static void
call(struct wired *w, struct arena *a)
{
	struct recipient to = { .addr = S("a@b.example") };
	struct err e = { 0 };
	struct wired_call c = {
		.verb = key.how & SUBMITS ? WIRED_SUBMIT : WIRED_FIND,
		.a = a,
		.ask.submission = { .to = &to, .n = 1, .look = look },
	};
	int r = wired_call(w, &c, &e);

	check((r < 0) == (e.kind != ERR_NONE), "a reason");
	check(key.made <= ((key.how & SUBMITS) != 0), "one MAC of a message");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct backend_account acct = { .mac = key_mac,
		.fits = key_fits,
		.deadline_ms = clock_mono_ms() + 60000 };
	struct wired w;
	int fd[2];

	if (size == 0 || size > MAX ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0)
		return 0;
	memset(&key, 0, sizeof(key));
	key.how = data[0];
	check(write(fd[0], data + 1, size - 1) == (ssize_t)size - 1, "room");
	check(shutdown(fd[0], SHUT_WR) == 0, "the end");
	w = (struct wired){ .conn = { &wired_slots, &acct }, .fd = fd[1] };
	call(&w, a);
	if (w.fd >= 0)
		(void)close(w.fd);
	check_answers(fd[0], a);
	(void)close(fd[0]);
	return 0;
}
