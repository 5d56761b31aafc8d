/* SPDX-License-Identifier: Apache-2.0 */
/* Names that a worker asks: what it may, how much, and whom it believes. */
#include "../rows.h"

#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/path.h"
#include "door/serve/keeper.h"
#include "door/serve/names.h"

enum {
	WAIT_MS = 20000
};

/* -- answers --------------------------------------------------------------- */

static void
an_answer_travels(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct strs in = { 0 }, out = { 0 };
	struct str raw;
	char *more;

	(void)state;
	str_push(a, &in, S("v=DKIM1; p="));
	str_push(a, &in, S(""));
	str_push(a, &in, S("two"));
	raw = serve_names_put(a, &in);
	assert_true(serve_names_take(raw, a, &out));
	assert_int_equal(out.n, 3);
	for (size_t i = 0; i < out.n; i++)
		rows_same(out.v[i], in.v[i]);
	for (size_t n = 0; n < raw.n; n++)
		assert_false(serve_names_take(str_first(raw, n), a, &out));
	more = arena_alloc(a, raw.n + 1);
	memcpy(more, raw.p, raw.n);
	more[raw.n] = 0;
	assert_false(
	    serve_names_take((struct str){ more, raw.n + 1 }, a, &out));
	/* Each byte another: refused, or other texts, and never beyond. */
	for (size_t i = 0; i < raw.n; i++) {
		char *other = memcpy(arena_alloc(a, raw.n), raw.p, raw.n);

		other[i] = (char)~other[i];
		(void)serve_names_take((struct str){ other, raw.n }, a, &out);
	}
	in = (struct strs){ 0 };
	str_push(a, &in, rows_repeat(a, S("k"), LIMIT_DKIM_KEY + 1));
	assert_int_equal(serve_names_put(a, &in).n, 0);
	in = (struct strs){ 0 };
	for (size_t i = 0; i <= LIMIT_NAMES_ANSWER / LIMIT_DKIM_KEY; i++)
		str_push(a, &in, rows_repeat(a, S("k"), LIMIT_DKIM_KEY));
	assert_int_equal(serve_names_put(a, &in).n, 0);
}

/* -- how much -------------------------------------------------------------- */

static void
a_worker_has_so_many_questions(void **state)
{
	static struct serve_names_asked x;
	const int64_t whole = LIMIT_NAMES_AT_ONCE * LIMIT_NAMES_EACH_MS;

	(void)state;
	for (int i = 0; i < LIMIT_NAMES_AT_ONCE; i++)
		assert_true(serve_names_may(&x, 1, 5000));
	assert_false(serve_names_may(&x, 1, 5000));
	/* Another one has its own. */
	assert_true(serve_names_may(&x, 2, 5000));
	assert_false(serve_names_may(&x, 1, 5000 + LIMIT_NAMES_EACH_MS - 1));
	assert_true(serve_names_may(&x, 1, 5000 + LIMIT_NAMES_EACH_MS));
	assert_false(serve_names_may(&x, 1, 5000 + LIMIT_NAMES_EACH_MS));
	/* As many workers as there can be, and one that is refused: a place is
	 * another's when its worker would have all again. */
	for (uint32_t of = 3; of <= LIMIT_KEEPER_JOINED; of++)
		assert_true(serve_names_may(&x, of, 5000));
	assert_false(serve_names_may(&x, LIMIT_KEEPER_JOINED + 1, 5000));
	assert_true(serve_names_may(&x, LIMIT_KEEPER_JOINED + 1,
	    5000 + LIMIT_NAMES_EACH_MS));
	assert_false(serve_names_may(&x, 1, 5000 + LIMIT_NAMES_EACH_MS));
	for (int i = 0; i < LIMIT_NAMES_AT_ONCE; i++)
		assert_true(serve_names_may(&x, 1, 6000 + whole));
	assert_false(serve_names_may(&x, 1, 6000 + whole));
}

/* -- a worker that was taken over ------------------------------------------ */

static void
pair(int fd[2])
{
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
			     fd),
	    0);
}

static const struct question {
	const char *why;
	struct str name;
	bool passes; /* a descriptor */
	bool late;   /* the lease is over before */
	const char *answer;
	size_t n; /* bytes of it; 0: the end alone */
} questions[] = {
	{ "a host", SI("www.example.com"), false, false, "\0", 2 },
	{ "a name that tells something", SI("0123456789.evil.example"), false,
	    false, "\0", 2 },
	{ "a key of no selector", SI("_domainkey.example.com"), false, false,
	    "\0", 2 },
	{ "bytes", SI("\x00\x01._domainkey.example.com"), false, false, "\0",
	    2 },
	{ "a descriptor", SI("www.example.com"), true, false, "", 0 },
	{ "nothing in time", SI(""), false, true, "", 0 },
};

/* The wire answers, without a word to a name server, and lives. */
static void
a_wire_is_asked(void **state)
{
	const struct question *q = *state;
	const char types[] = { SERVE_ASK_DONE, '\0' };
	struct serve_ask lease = { .type = SERVE_ASK_LEASE,
		.purpose = SERVE_ASKS_NAMES };
	struct serve_ask done = { 0 };
	struct ipc_passed with = { 0 };
	int keeper[2], ask[2], null = STDIN_FILENO, status = 0;
	char got[8] = { 0 };
	pid_t pid;

	pair(keeper);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)close(keeper[0]);
		serve_names_wire(keeper[1]);
	}
	path_close(&keeper[1]);
	for (uint32_t i = 1; i <= 2; i++) {
		lease.deadline_ms = q->late ? 1 : clock_mono_ms() + WAIT_MS;
		pair(ask);
		assert_true(serve_ask_send(keeper[0], &lease, ask[1]));
		path_close(&ask[1]);
		if (!q->late)
			assert_int_equal(ipc_pass_send(ask[0], q->name, &null,
					     q->passes),
			    q->name.n);
		assert_int_equal(ipc_wait(ask[0], POLLIN,
				     clock_mono_ms() + WAIT_MS),
		    1);
		assert_int_equal(recv(ask[0], got, sizeof(got), 0), q->n);
		assert_memory_equal(got, "\0\0", q->n);
		assert_int_equal(serve_ask_wait(keeper[0],
				     clock_mono_ms() + WAIT_MS, types, &done,
				     &with),
		    1);
		assert_int_equal(done.number, i);
		path_close(&ask[0]);
	}
	path_close(&keeper[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* -- a wire that was taken over, and a keeper that lends it ---------------- */

/* What it answers; the worker makes what of it? */
static const struct lie {
	const char *why;
	struct str answer;
	bool passes, silent;
	bool good;
} lies[] = {
	{ "a key", SI("\0\1\0\3abc"), false, false, true },
	{ "no records", SI("\0\0"), false, false, true },
	{ "noise", SI("\377\377"), false, false, false },
	{ "half an answer", SI("\0\1\0\3ab"), false, false, false },
	{ "more than it says", SI("\0\1\0\3abcd"), false, false, false },
	{ "a descriptor beside it", SI("\0\0"), true, false, false },
	{ "nothing", SI(""), false, false, false },
	{ "nothing, ever", SI(""), false, true, false },
};

static void
a_wire_answers(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct lie *l = *state;
	const char types[] = { SERVE_ASK_LEND, '\0' };
	int keeper[2], ask[2], null = STDIN_FILENO, status = 0;
	struct ipc_passed with = { 0 };
	struct serve_ask q = { 0 };
	struct strs texts = { 0 };
	struct err e = { 0 };
	char name[64];
	int64_t until = clock_mono_ms() + (l->silent ? 300 : WAIT_MS);
	pid_t pid;
	int r;

	pair(keeper);
	pair(ask);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		/* The keeper, and then the wire. */
		(void)close(keeper[0]);
		if (serve_ask_wait(keeper[1], IPC_WAIT_EVER, types, &q,
			&with) != 1 ||
		    q.purpose != SERVE_ASKS_NAMES || q.account != 0)
			_exit(1);
		q = (struct serve_ask){ .type = SERVE_ASK_LENT,
			.number = q.number };
		(void)serve_ask_send(keeper[1], &q, ask[0]);
		path_close(&ask[0]);
		if (recv(ask[1], name, sizeof(name), 0) != 22)
			_exit(2);
		if (!l->silent && l->answer.n > 0)
			(void)ipc_pass_send(ask[1], l->answer, &null,
			    l->passes);
		if (l->silent)
			(void)recv(ask[1], name, sizeof(name), 0);
		_exit(0);
	}
	path_close(&keeper[1]);
	path_close(&ask[0]);
	path_close(&ask[1]);
	serve_lend_by(keeper[0]);
	r = serve_names_ask(a, S("sel._domainkey.example"), until, &texts, &e);
	assert_int_equal(r, l->good ? 0 : -1);
	assert_int_equal(texts.n, l->good && l->answer.n > 2);
	serve_lend_by(-1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int
main(void)
{
	rows_add("an answer travels", an_answer_travels, NULL);
	rows_add("a worker has so many questions",
	    a_worker_has_so_many_questions, NULL);
	ROWS(questions, a_wire_is_asked);
	ROWS(lies, a_wire_answers);
	return cmocka_run_group_tests_name("door/serve_names", rows_tests, NULL,
	    NULL);
}
