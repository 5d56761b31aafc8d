/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's teller: whose answer is taken, and which program it runs. */
#include "../rows.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/serve/internal.h"
#include "door/serve/teller.h"

enum {
	NUMBER = SERVE_TELLER_NUMBER
};

/* What comes before the answer: to a number that nobody waits for, or none. */
static const struct row {
	const char *why, *before;
	char kind;
	const char *say;
} rows[] = {
	{ "the program went well", NULL, ERR_NONE, "" },
	{ "the program failed", NULL, ERR_CONFIG, "it failed" },
	{ "an answer for one that was killed", "0000000000000000\x01old",
	    ERR_NONE, "" },
	{ "an older failure is not this one's", "0000000000000000\x01old",
	    ERR_CONFIG, "it failed" },
	{ "an answer that is cut off", "0000", ERR_NONE, "" },
};

/* The other process: answers one notice. */
static _Noreturn void
answer(int fd, const struct row *r)
{
	char asked[4096], out[256];
	ssize_t n = recv(fd, asked, sizeof(asked), 0);
	size_t say = strlen(r->say);

	if (n < NUMBER ||
	    (r->before != NULL &&
		send(fd, r->before, strlen(r->before), 0) < 0))
		_exit(1);
	memcpy(out, asked, NUMBER);
	out[NUMBER] = r->kind;
	memcpy(out + NUMBER + 1, r->say, say);
	_exit(send(fd, out, NUMBER + 1 + say, 0) < 0);
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct err e = { 0 };
	int fd[2], status;
	pid_t pid;

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
	pid = fork();
	if (pid == 0)
		answer(fd[1], r);
	(void)close(fd[1]);
	serve_teller_by(fd[0]);
	assert_int_equal(serve_teller_run(S("{}"), &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_string_equal(e.say, r->say);
	serve_teller_close();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* -- the process ----------------------------------------------------------- */

/*
 * The monitor and the keeper, in another process: what it is asked gets this
 * answer, empty: the keeper ends.  Each note that the teller's is must be one
 * of these, in this order; then, and when the teller is gone, it ends.
 */
static pid_t
keep(struct str answer, const char *notes)
{
	struct pollfd at[2] = { { serve_teller_fd(), POLLIN, 0 },
		{ -1, POLLIN, 0 } };
	struct ipc_passed with = { 0 };
	pid_t pid = fork();
	char ask[8], note;

	if (pid != 0)
		return pid;
	serve_teller_close();
	while (*notes != '\0' && poll(at, 2, -1) > 0) {
		with.n = 0;
		note = at[0].revents != 0 ? serve_teller_said(&with) : '\0';
		if (note == SERVE_JOIN && with.n == 2)
			at[1].fd = with.fd[0];
		else if (note != '\0' && note != *notes++)
			_exit(2);
		if (serve_teller_fd() < 0)
			_exit(3);
		if (at[1].revents == 0)
			continue;
		if (recv(at[1].fd, ask, sizeof(ask), 0) == 1 && ask[0] == 'W' &&
		    answer.n > 0 &&
		    send(at[1].fd, answer.p, answer.n, 0) == (ssize_t)answer.n)
			continue;
		(void)close(at[1].fd);
		at[1].fd = -1;
	}
	_exit(0);
}

static void
assert_kept(pid_t pid)
{
	int status = -1;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

#define TRUE SI("Y/usr/bin/true")
#define NOT "a notice is not as it must be"

static const struct told {
	const char *why;
	struct str keeper; /* what it says */
	struct str asked;
	enum err_kind kind;
	const char *say; /* somewhere in it */
} tells[] = {
	{ "the program that the keeper names", TRUE, SI("{}"), ERR_NONE, "" },
	{ "it fails", SI("Y/usr/bin/false"), SI("{}"), ERR_CONFIG,
	    "failed (status 1)" },
	{ "with its arguments", SI("Y/usr/bin/test 1 = 2"), SI("{}"),
	    ERR_CONFIG, "failed (status 1)" },
	{ "it is off", SI("Y"), SI("{}"), ERR_CONFIG, "names no program" },
	{ "it is mail", SI("Ymailto:a@b.example"), SI("{}"), ERR_CONFIG,
	    "names no program" },
	{ "somebody else wrote it", SI("N\2it was changed"), SI("{}"),
	    ERR_CONFIG, "it was changed" },
	{ "an answer that is none", SI("X/usr/bin/true"), SI("{}"), ERR_CONFIG,
	    "gave no answer" },
	{ "no keeper is there", SI(""), SI("{}"), ERR_CONFIG, "is gone" },
	{ "whoever asks names another", SI("Y/usr/bin/false"),
	    SI("/usr/bin/true\0{}"), ERR_INTERNAL, NOT },
	{ "no JSON", TRUE, SI("x"), ERR_INTERNAL, NOT },
	{ "nothing", TRUE, SI(""), ERR_INTERNAL, NOT },
	{ "no object", TRUE, SI("[]"), ERR_INTERNAL, NOT },
	{ "two lines", TRUE, SI("{\n}"), ERR_INTERNAL, NOT },
};

static void
tell(const struct told *r, const char *db)
{
	const char notes[] = { r->kind == ERR_NONE ? SERVE_TOLD : SERVE_UNTOLD,
		'\0' };
	struct err e = { 0 };
	pid_t kept;

	assert_int_equal(serve_telling_begin(db, &e), 0);
	kept = keep(r->keeper, notes);
	assert_int_equal(serve_teller_run(r->asked, &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_non_null(strstr(e.say, r->say));
	assert_kept(kept);
	serve_teller_leave();
	serve_teller_close();
	assert_true(wait(NULL) > 0);
}

static void
told(void **state)
{
	tell(*state, "/proc/self/exe");
}

static void
nothing_beside_the_database_is_run(void **state)
{
	const struct told r = { "", TRUE, S("{}"), ERR_CONFIG,
		"is missing, or others" };

	(void)state;
	tell(&r, "/usr/bin/env");
}

static void
a_notice_is_not_too_long(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct told r = { .keeper = TRUE };
	static const size_t sizes[] = { LIMIT_NOTICE_JSON,
		LIMIT_NOTICE_JSON + 1, 2 * LIMIT_NOTICE_JSON };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		r.asked = str_fmt(a, "{%.*s}",
		    STR_ARG(rows_repeat(a, S(" "), sizes[i] - 2)));
		assert_int_equal(r.asked.n, sizes[i]);
		r.kind = i == 0 ? ERR_NONE : ERR_INTERNAL;
		r.say = i == 0 ? "" : NOT;
		tell(&r, "/proc/self/exe");
	}
}

/* The only child of a process, besides those that the test made. */
static pid_t
child_of(pid_t pid)
{
	char path[64];
	int child = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children",
	    (int)pid, (int)pid);
	f = fopen(path, "r");
	assert_non_null(f);
	if (fscanf(f, "%d", &child) != 1)
		child = 0;
	(void)fclose(f);
	return child;
}

/* And the new one finds the keeper. */
static void
one_that_died_is_begun_again(void **state)
{
	const char notes[] = { SERVE_TOLD, SERVE_TOLD, '\0' };
	struct err e = { 0 };
	pid_t above, was, kept;
	int status, fd;

	(void)state;
	assert_int_equal(serve_telling_begin("/proc/self/exe", &e), 0);
	above = child_of(getpid());
	/* An empty message is no end of those that ask. */
	fd = serve_teller_take();
	assert_int_equal(send(fd, "", 0, 0), 0);
	serve_teller_by(fd);
	kept = keep(S("Y/usr/bin/true"), notes);
	if (serve_teller_run(S("{}"), &e) < 0)
		fail_msg("%s", e.say);
	was = child_of(above);
	assert_true(was > 0);
	assert_int_equal(kill(was, SIGKILL), 0);
	if (serve_teller_run(S("{}"), &e) < 0)
		fail_msg("%s", e.say);
	assert_int_not_equal(child_of(above), was);
	assert_kept(kept);
	serve_teller_leave();
	serve_teller_close();
	assert_int_equal(waitpid(above, &status, 0), above);
	assert_int_equal(status, 0);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(tells, told);
	rows_add("nothing beside the database is run",
	    nothing_beside_the_database_is_run, NULL);
	rows_add("a notice is not too long", a_notice_is_not_too_long, NULL);
	rows_add("one that died is begun again", one_that_died_is_begun_again,
	    NULL);
	return cmocka_run_group_tests_name("serve/teller", rows_tests, NULL,
	    NULL);
}
