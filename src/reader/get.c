/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of this process.  A process that makes one call after the other
 * keeps it for the next call of the same agent to the same account, since one
 * that was taken over by a message may lie about these alone.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "reader/internal.h"

/* To the nursery, of this process and of those that it forks. */
static int nursery_fd = -1;

/* Whose messages a reader has read. */
struct whose {
	char agent[80];  /* empty: not known, and no other's is the same */
	int64_t account; /* 0: the same */
};

/* To this process's own reader, and what it did. */
static struct own {
	int fd;    /* or -1 */
	pid_t of;  /* after a fork, not its parent's */
	bool used; /* in this call */
	struct whose whose;
	unsigned calls;
	uint64_t nth; /* which reader in which call: reader_get_has() */
} own = { .fd = -1 };

/* The call that is made now. */
static struct {
	struct whose whose;
	bool mixed;       /* it uses more accounts than one */
	size_t bytes;     /* that were read for it */
	int64_t spent_ms; /* waiting for its reader */
} call;

_Noreturn void
reader_get_lost(void)
{
	_exit(1);
}

/* Several processes may ask at once; each gets one, whichever it is. */
static int
reader_get_next(void)
{
	int64_t until_ms = clock_mono_ms() + LIMIT_READER_MS;
	struct ipc_passed in = { 0 };
	char said;

	if (ipc_pass_send(nursery_fd, S("?"), NULL, 0) != 1)
		reader_get_lost();
	for (;;) {
		ssize_t r;

		if (ipc_wait(nursery_fd, POLLIN, until_ms) <= 0)
			reader_get_lost();
		r = ipc_pass_recv(nursery_fd, &said, 1, &in);
		if (r < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (r != 1 || in.n != 1)
			reader_get_lost();
		return in.fd[0];
	}
}

static void
reader_get_new(void)
{
	reader_get_drop();
	own.fd = reader_get_next();
	own.of = getpid();
	own.whose = call.whose;
	own.calls = 0;
}

static bool
reader_get_is_one(const struct whose *w)
{
	return w->agent[0] != '\0' && w->account != 0;
}

static bool
reader_get_same(const struct whose *x, const struct whose *y)
{
	return reader_get_is_one(x) && x->account == y->account &&
	    strcmp(x->agent, y->agent) == 0;
}

/* Unasked it says nothing: what there is to hear is its end, or a lie. */
static bool
reader_get_is_silent(void)
{
	struct pollfd p = { own.fd, POLLIN, 0 };

	return poll(&p, 1, 0) == 0;
}

/* One of this call alone reads all of its messages. */
static bool
reader_get_fits(void)
{
	if (own.fd < 0 || own.of != getpid())
		return false;
	return own.calls == 0 ||
	    (!call.mixed && reader_get_same(&own.whose, &call.whose));
}

int
reader_get(void)
{
	if (!reader_get_fits() || (!own.used && !reader_get_is_silent()))
		reader_get_new();
	if (!own.used)
		own.nth++;
	own.used = true;
	return own.fd;
}

uint64_t
reader_get_has(void)
{
	return own.used && reader_get_fits() ? own.nth : 0;
}

void
reader_get_spent(size_t bytes, int64_t ms)
{
	call.bytes += bytes;
	call.spent_ms += ms;
}

void
reader_get_begin(struct str agent)
{
	if (agent.n < sizeof(call.whose.agent)) {
		memcpy(call.whose.agent, agent.p, agent.n);
		call.whose.agent[agent.n] = '\0';
	}
}

void
reader_get_account(int64_t account)
{
	if (call.whose.account != 0 && call.whose.account != account)
		call.mixed = true;
	call.whose.account = account;
}

bool
reader_get_end(void)
{
	bool keeps = reader_get_fits() && !call.mixed &&
	    reader_get_same(&own.whose, &call.whose) &&
	    call.bytes <= LIMIT_READER_KEPT &&
	    call.spent_ms <= LIMIT_READER_KEPT_MS &&
	    own.calls < LIMIT_READER_CALLS;

	if (own.used && keeps)
		own.calls++;
	else if (own.used)
		reader_get_drop();
	own.used = false;
	memset(&call, 0, sizeof(call));
	return own.fd >= 0;
}

void
reader_get_drop(void)
{
	path_close(&own.fd);
	own.used = false;
}

void
reader_get_from(int nursery)
{
	nursery_fd = nursery;
}

int
reader_get_socket(void)
{
	return nursery_fd;
}
