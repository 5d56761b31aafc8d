/* SPDX-License-Identifier: Apache-2.0 */
/* What is taken for an answer, and whose messages one reader reads. */
#include "../rows.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "reader/internal.h"

/* One that was taken over, and says what it likes. */
static const struct liar {
	const char *why;
	uint64_t kind, n; /* of what it says, */
	size_t bytes;     /* after it, or 0: the right answer; */
	unsigned says;    /* how often; */
	int off;          /* of another ask than the one before it */
} liars[] = {
	{ "it ends", 0, 0, 1, 0, 0 },
	{ "an answer over the cap", READER_ANSWER, LIMIT_READER_REPLY + 1, 16,
	    1, 0 },
	{ "an answer that is cut off", READER_ANSWER, 100, 50, 1, 0 },
	{ "an answer of nothing", READER_ANSWER, 0, 1, 1, 0 },
	{ "an answer of other numbers", READER_ANSWER, 4096, 4096, 1, 0 },
	{ "neither an answer nor a question", READER_ZONE + 1, 8, 8, 1, 0 },
	{ "a name over the cap", READER_ZONE, LIMIT_PATH + 1, LIMIT_PATH + 1, 1,
	    0 },
	{ "questions without end", READER_ZONE, 8, 8, LIMIT_READER_ZONES + 1,
	    0 },
	{ "the answer to the ask before", READER_ANSWER, 0, 0, 1, -1 },
	{ "the answer to an ask that is to come", READER_ANSWER, 0, 0, 1, 1 },
	{ "an answer twice, before the next ask", READER_ANSWER, 0, 0, 2, 0 },
};

/* What an honest one says of "<p>x". */
static struct str
answer(struct arena *a)
{
	const struct reader_ask q = { .verb = READER_HTML,
		.bytes = S("<p>x"),
		.utf8 = true,
		.max = 100,
		.message = arena_new(a, struct mime_message) };
	struct reader_answer r = { 0 };
	struct buf b;
	struct carry c = { .to = &b, .a = a, .source = q.bytes };

	buf_init(&b, a, 1 << 16);
	reader_verb_run(a, &q, &r);
	reader_verb_answer(&c, &q, &r);
	return buf_view(&b);
}

/* Gives its caller itself. */
static int
give(int nursery)
{
	char ask;
	int fd[2];

	if (read(nursery, &ask, 1) != 1 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, fd) < 0 ||
	    ipc_pass_send(nursery, S("r"), &fd[1], 1) != 1)
		_exit(3);
	(void)close(fd[1]);
	return fd[0];
}

/* The ask itself is left unread. */
static void
lie_of(const struct liar *l, int fd)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str right = answer(a);
	struct reader_say say = { l->kind, l->n, 0 }, back;
	struct reader_head head = { 0 };
	char bytes[LIMIT_PATH + 1];

	memset(bytes, 0xee, sizeof(bytes));
	if (!reader_child_read(fd, &head, sizeof(head)))
		_exit(3);
	say.number = head.number + (uint64_t)l->off;
	if (l->bytes == 0)
		say.n = right.n;
	for (unsigned i = 0; i < l->says; i++)
		if (write(fd, &say, sizeof(say)) < 0 ||
		    write(fd, l->bytes == 0 ? right.p : bytes,
			l->bytes == 0 ? right.n : l->bytes) < 0 ||
		    (say.kind == READER_ZONE && i > 0 &&
			read(fd, &back, sizeof(back)) < 0))
			break;
}

static _Noreturn void
lie(const struct liar *l, int nursery)
{
	lie_of(l, give(nursery));
	_exit(0);
}

/* The process that asked ends, and nothing is taken for an answer. */
static void
liar(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	int fd[2], status = 0;
	pid_t pid, asks;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	pid = fork();
	if (pid == 0)
		lie(*state, fd[1]);
	asks = fork();
	if (asks == 0) {
		(void)close(fd[1]);
		reader_get_from(fd[0]);
		(void)html_text(a, S("<p>x"), 100, NULL);
		/* The second answer is not that to another page. */
		if (((const struct liar *)*state)->says == 2)
			(void)html_text(a, S("<p>y"), 100, NULL);
		_exit(0);
	}
	assert_int_equal(waitpid(asks, &status, 0), asks);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
	(void)close(fd[0]);
	(void)close(fd[1]);
	(void)waitpid(pid, &status, 0);
}

/* -- for the next call ----------------------------------------------------- */

/* Which reader this process has. */
static ino_t
which(void)
{
	struct stat st = { 0 };

	assert_int_equal(fstat(reader_get(), &st), 0);
	return st.st_ino;
}

/* A call of an agent to accounts, with a page of so many bytes. */
static ino_t
call_of(const char *agent, const int64_t *account, size_t n)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	char *page = arena_alloc(a, n + 1);
	ino_t it;

	memset(page, 'x', n);
	reader_get_begin(str_of(agent));
	for (size_t i = 0; i < 2 && account[i] != 0; i++)
		reader_get_account(account[i]);
	(void)html_text(a, (struct str){ page, n }, 100, NULL);
	it = which();
	(void)reader_get_end();
	return it;
}

static const struct next_row {
	const char *why;
	const char *agent[2];  /* of one call and the next */
	int64_t account[2][2]; /* that it uses; 0: none */
	size_t bytes;          /* of the first */
	unsigned calls;
	bool same;
} next_rows[] = {
	{ "next: the same", { "ann", "ann" }, { { 1 }, { 1 } }, 9, 1, true },
	{ "next: of another account", { "ann", "ann" }, { { 1 }, { 2 } }, 9, 1,
	    false },
	{ "next: of another agent", { "ann", "bob" }, { { 1 }, { 1 } }, 9, 1,
	    false },
	{ "next: of no account", { "ann", "ann" }, { { 0 }, { 0 } }, 9, 1,
	    false },
	{ "next: of nobody", { "", "" }, { { 1 }, { 1 } }, 9, 1, false },
	{ "next: after two accounts", { "ann", "ann" }, { { 2, 1 }, { 1 } }, 9,
	    1, false },
	{ "next: of two accounts", { "ann", "ann" }, { { 1 }, { 2, 1 } }, 9, 1,
	    false },
	{ "next: after much", { "ann", "ann" }, { { 1 }, { 1 } },
	    LIMIT_READER_KEPT + 1, 1, false },
	{ "next: the last call", { "ann", "ann" }, { { 1 }, { 1 } }, 9,
	    LIMIT_READER_CALLS, true },
	{ "next: after the last call", { "ann", "ann" }, { { 1 }, { 1 } }, 9,
	    LIMIT_READER_CALLS + 1, false },
};

static void
next(void **state)
{
	const struct next_row *row = *state;
	ino_t it = 0;

	reader_get_drop();
	for (unsigned i = 0; i < row->calls; i++)
		it = call_of(row->agent[0], row->account[0], row->bytes);
	if (row->same)
		assert_int_equal(call_of(row->agent[1], row->account[1], 9),
		    it);
	else
		assert_int_not_equal(call_of(row->agent[1], row->account[1], 9),
		    it);
	reader_get_drop();
}

/* Its second account is used when it has read a message of the first. */
static void
next_account_in_a_call(void **state)
{
	const int64_t account[] = { 1, 0 };
	ino_t it;

	(void)state;
	reader_get_drop();
	it = call_of("ann", account, 9);
	reader_get_begin(S("ann"));
	reader_get_account(1);
	assert_int_equal(which(), it);
	reader_get_account(2);
	assert_int_not_equal(which(), it);
	it = which();
	reader_get_account(1);
	assert_int_equal(which(), it);
	assert_false(reader_get_end());
}

/* What comes unasked between calls is no answer, and no call's loss. */
static void
next_is_silent(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct liar twice = { "", READER_ANSWER, 0, 0, 2, 0 };
	const struct liar once = { "", READER_ANSWER, 0, 0, 1, 0 };
	int was = reader_get_socket(), fd[2], reader, status = 0;
	pid_t pid;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	pid = fork();
	if (pid == 0) {
		reader = give(fd[1]);
		lie_of(&twice, reader);
		lie_of(&once, give(fd[1]));
		_exit(0);
	}
	reader_get_drop();
	reader_get_from(fd[0]);
	for (int i = 0; i < 2; i++) {
		reader_get_begin(S("ann"));
		reader_get_account(1);
		rows_same(html_text(a, S("<p>x"), 100, NULL), S("x\n"));
		/* Its second answer is there. */
		if (i == 0)
			assert_int_equal(ipc_wait(reader_get(), POLLIN,
					     IPC_WAIT_EVER),
			    1);
		assert_true(reader_get_end());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	reader_get_drop();
	reader_get_from(was);
	(void)close(fd[0]);
	(void)close(fd[1]);
}

static int
set_up(void **state)
{
	struct sandbox_state s = { 0 };
	struct err e = { 0 };

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	reader_run_load();
	if (sandbox_load(&e) < 0 || reader_run_start(&s, &e) < 0)
		return -1;
	return sandbox_is_whole(&s) ? 0 : -1;
}

int
main(void)
{
	ROWS(liars, liar);
	ROWS(next_rows, next);
	rows_add("next: an account in a call", next_account_in_a_call, NULL);
	rows_add("next: it is silent", next_is_silent, NULL);
	return cmocka_run_group_tests_name("kept", rows_tests, set_up, NULL);
}
