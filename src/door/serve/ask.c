/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between the keeper, workers, wires and the monitor. */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "door/serve/keeper.h"

bool
serve_ask_sends(uint8_t purpose)
{
	return purpose == SERVE_SENDS_MAIL || purpose == SERVE_TESTS_SENDING;
}

bool
serve_ask_tests(uint8_t purpose)
{
	return purpose == SERVE_TESTS_READING || purpose == SERVE_TESTS_SENDING;
}

/* How many descriptors come with each. */
static size_t
serve_ask_fds(uint8_t type, uint8_t outcome)
{
	switch (type) {
	case SERVE_ASK_LEASE:
	case SERVE_ASK_FORK:
		return 1;
	case SERVE_ASK_JOIN:
		return 2;
	case SERVE_ASK_LENT:
	case SERVE_ASK_GIVEN:
	case SERVE_ASK_TOKEN:
		return outcome == SERVE_GOOD;
	default:
		return 0;
	}
}

/* A member that a type does not use is 0. */
static bool
serve_ask_is_plain(const struct serve_ask *q)
{
	bool lends = q->type == SERVE_ASK_LEND;
	bool names = lends && q->purpose == SERVE_ASKS_NAMES;
	bool leases = lends || q->type == SERVE_ASK_LEASE;
	bool counts = q->type == SERVE_ASK_FORK || q->type == SERVE_ASK_KILL ||
	    q->type == SERVE_ASK_LENT || q->type == SERVE_ASK_DONE ||
	    q->type == SERVE_ASK_JOIN || lends;

	return (lends && !names ? q->account > 0 : q->account == 0) &&
	    (leases ? q->purpose < SERVE_PURPOSES && q->deadline_ms > 0
		    : q->purpose == 0 && q->deadline_ms == 0) &&
	    (counts ? q->number > 0 : q->number == 0) && q->zero == 0 &&
	    q->outcome < SERVE_OUTCOMES;
}

bool
serve_ask_read(const void *p, size_t n, size_t fds, const char *types,
    struct serve_ask *out)
{
	if (n != sizeof(*out))
		return false;
	memcpy(out, p, sizeof(*out));
	return out->type != '\0' && strchr(types, out->type) != NULL &&
	    serve_ask_is_plain(out) &&
	    fds == serve_ask_fds(out->type, out->outcome);
}

bool
serve_ask_send_all(int to, const struct serve_ask *q, const int *fds, size_t n)
{
	return ipc_pass_send(to, (struct str){ (const char *)q, sizeof(*q) },
		   fds, n) == (ssize_t)sizeof(*q);
}

bool
serve_ask_send(int to, const struct serve_ask *q, int fd)
{
	return serve_ask_send_all(to, q, &fd, fd >= 0);
}

int
serve_ask_wait(int from, int64_t until_ms, const char *types,
    struct serve_ask *out, struct ipc_passed *with)
{
	char raw[sizeof(*out) + 1];
	ssize_t r;

	for (;;) {
		int ready = ipc_wait(from, POLLIN, until_ms);

		if (ready <= 0)
			return ready;
		r = ipc_pass_recv(from, raw, sizeof(raw), with);
		if (r < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		break;
	}
	if (r > 0 && serve_ask_read(raw, (size_t)r, with->n, types, out))
		return 1;
	ipc_pass_close(with);
	return -1;
}
