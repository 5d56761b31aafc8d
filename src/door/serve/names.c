/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that a worker asks, and a wire that answers.  Neither takes the other's
 * word: the wire asks for keys alone, and the worker reads no more than fits.
 */
#include "door/serve/names.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keeper.h"

/* -- an answer ------------------------------------------------------------- */

static void
serve_names_put_number(struct buf *b, size_t n)
{
	const unsigned char v[] = { (unsigned char)(n >> 8), (unsigned char)n };

	buf_add(b, v, sizeof(v));
}

struct str
serve_names_put(struct arena *a, const struct strs *texts)
{
	struct buf b;

	buf_init(&b, a, LIMIT_NAMES_ANSWER);
	serve_names_put_number(&b, texts->n);
	for (size_t i = 0; i < texts->n; i++) {
		if (texts->v[i].n > LIMIT_DKIM_KEY)
			return S("");
		serve_names_put_number(&b, texts->v[i].n);
		buf_str(&b, texts->v[i]);
	}
	return b.over ? S("") : buf_view(&b);
}

static bool
serve_names_take_number(struct str *s, size_t *out)
{
	const unsigned char *p = (const unsigned char *)s->p;

	if (s->n < 2)
		return false;
	*out = (size_t)p[0] << 8 | p[1];
	*s = str_from(*s, 2);
	return true;
}

bool
serve_names_take(struct str answer, struct arena *a, struct strs *out)
{
	size_t all, n;

	*out = (struct strs){ 0 };
	if (!serve_names_take_number(&answer, &all))
		return false;
	for (size_t i = 0; i < all; i++) {
		if (!serve_names_take_number(&answer, &n) || n > answer.n ||
		    n > LIMIT_DKIM_KEY)
			return false;
		str_push(a, out, str_dup(a, str_first(answer, n)));
		answer = str_from(answer, n);
	}
	return answer.n == 0;
}

/* -- the worker ------------------------------------------------------------ */

/* A whole message in time, in the arena; empty: there is none. */
static struct str
serve_names_hear(int fd, struct arena *a, size_t most, int64_t until_ms)
{
	CLEANUP(ipc_pass_close) struct ipc_passed with = { 0 };
	char *raw = arena_alloc(a, most + 1);
	ssize_t n;

	if (ipc_wait(fd, POLLIN, until_ms) <= 0)
		return S("");
	n = ipc_pass_recv(fd, raw, most + 1, &with);
	if (n <= 0 || (size_t)n > most || with.n > 0)
		return S("");
	return (struct str){ raw, (size_t)n };
}

static bool
serve_names_say(int fd, struct str message)
{
	return ipc_pass_send(fd, message, NULL, 0) == (ssize_t)message.n;
}

int
serve_names_ask(struct arena *a, struct str name, int64_t deadline_ms,
    struct strs *out, struct err *e)
{
	struct serve_ask q = { .purpose = SERVE_ASKS_NAMES,
		.deadline_ms = deadline_ms };
	CLEANUP(arena_close) struct arena *own = arena_open(1 << 20);
	CLEANUP(path_close) int fd = -1;
	struct str answer;

	*out = (struct strs){ 0 };
	if (!dns_key_is_name(name))
		return 0;
	fd = serve_lend_get(&q, e);
	if (fd < 0)
		return -1;
	if (serve_names_say(fd, name)) {
		answer =
		    serve_names_hear(fd, own, LIMIT_NAMES_ANSWER, deadline_ms);
		if (serve_names_take(answer, a, out))
			return 0;
	}
	*out = (struct strs){ 0 };
	return err_set(e, ERR_NETWORK, "no name server answered");
}

/* -- the wire -------------------------------------------------------------- */

/* Without an answer the worker sees the end of it. */
static void
serve_names_answer(int fd, int64_t deadline_ms)
{
	CLEANUP(arena_close) struct arena *a = arena_open(4 << 20);
	int64_t until = clock_mono_ms() + LIMIT_DKIM_DNS_MS;
	struct strs texts = { 0 };
	struct err none = { 0 };
	struct str name;

	if (until > deadline_ms)
		until = deadline_ms;
	name = serve_names_hear(fd, a, DNS_KEY_NAME, until);
	/* It asks for keys alone. */
	if (name.n > 0 && dns_key_here(a, name, until, &texts, &none) == 0)
		(void)serve_names_say(fd, serve_names_put(a, &texts));
}

_Noreturn void
serve_names_wire(int keeper)
{
	const char types[] = { SERVE_ASK_LEASE, '\0' };
	struct serve_ask done = { .type = SERVE_ASK_DONE };
	struct ipc_passed with = { 0 };
	struct serve_ask q = { 0 };

	while (serve_ask_wait(keeper, IPC_WAIT_EVER, types, &q, &with) > 0) {
		serve_names_answer(with.fd[0], q.deadline_ms);
		ipc_pass_close(&with);
		done.number++;
		if (!serve_ask_send(keeper, &done, -1))
			break;
	}
	_exit(0);
}
