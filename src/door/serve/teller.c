/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The teller, as others see it.  The processes that ask share one socket, one
 * after the other: by the number an answer is not taken for that of another,
 * which was killed or had gone.
 */
#include "door/serve/teller.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"

enum {
	NUMBER = SERVE_TELLER_NUMBER
};

/* To ask it; and the monitor's, to hear it. */
static int teller = -1, teller_says = -1;

/* -- the monitor ----------------------------------------------------------- */

void
serve_teller_says_by(int fd)
{
	teller_says = fd;
}

int
serve_teller_fd(void)
{
	return teller_says;
}

char
serve_teller_said(struct ipc_passed *with)
{
	char note = '\0';
	ssize_t r = ipc_pass_recv(teller_says, &note, 1, with);

	if (r == 0 || (r < 0 && errno != EAGAIN && errno != EINTR))
		serve_teller_leave();
	return (char)(r == 1 ? note : '\0');
}

void
serve_teller_leave(void)
{
	path_close(&teller_says);
}

/* -- whoever asks it -------------------------------------------- */

int
serve_teller_take(void)
{
	int fd = teller;

	teller = -1;
	return fd;
}

void
serve_teller_close(void)
{
	path_close(&teller);
}

void
serve_teller_by(int fd)
{
	teller = fd;
}

static int
serve_teller_gone(struct err *e)
{
	serve_teller_close();
	(void)err_set(e, ERR_INTERNAL,
	    "the process that runs the program of notify is gone");
	return err_hint(e, "start the broker again");
}

/* The answer to that number; those to others are dropped.  -1: there is none.
 */
static ssize_t
serve_teller_hear(const char *number, char *said, size_t room, int64_t until_ms)
{
	struct ipc_passed none = { 0 };
	ssize_t n = 1;

	while (n > 0 && ipc_wait(teller, POLLIN, until_ms) > 0) {
		n = ipc_pass_recv(teller, said, room, &none);
		ipc_pass_close(&none);
		/* The socket is shared: another process may have read it. */
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			n = 1;
		else if (n > NUMBER && memcmp(said, number, NUMBER) == 0)
			return n;
	}
	return -1;
}

int
serve_teller_run(struct str json, struct err *e)
{
	static uint32_t asked;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const int64_t until_ms =
	    clock_mono_ms() + LIMIT_NOTICE_MS + LIMIT_KEEPER_MS + LIMIT_IPC_MS;
	const struct str ask = str_fmt(a, "%08x%08x%.*s", (unsigned)getpid(),
	    (unsigned)++asked, STR_ARG(json));
	char said[NUMBER + 1 + sizeof(e->say)];
	ssize_t n;

	if (ipc_pass_send(teller, ask, NULL, 0) != (ssize_t)ask.n)
		return serve_teller_gone(e);
	n = serve_teller_hear(ask.p, said, sizeof(said), until_ms);
	if (n < 0 || (unsigned char)said[NUMBER] >= ERR_KINDS)
		return serve_teller_gone(e);
	if (said[NUMBER] == ERR_NONE)
		return 0;
	return err_set(e, (enum err_kind)said[NUMBER], "%.*s",
	    (int)n - NUMBER - 1, said + NUMBER + 1);
}
