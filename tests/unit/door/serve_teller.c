/* SPDX-License-Identifier: Apache-2.0 */
/* The broker's teller: whose answer is taken. */
#include "../rows.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "door/serve/teller.h"

enum {
	NUMBER = 16
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
	assert_int_equal(serve_teller_run("/bin/true", S("{}"), &e),
	    r->kind == ERR_NONE ? 0 : -1);
	assert_int_equal(e.kind, r->kind);
	assert_string_equal(e.say, r->say);
	serve_teller_close();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* -- the process ----------------------------------------------------------- */

/* The only child of a process. */
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

static void
one_that_died_is_begun_again(void **state)
{
	struct err e = { 0 };
	pid_t above, was = 0;
	int status;

	(void)state;
	assert_int_equal(serve_teller_begin("/proc/self/exe", &e), 0);
	above = child_of(getpid());
	assert_int_equal(serve_teller_run("/bin/true", S("{}"), &e), 0);
	was = child_of(above);
	assert_true(was > 0);
	assert_int_equal(kill(was, SIGKILL), 0);
	assert_int_equal(serve_teller_run("/bin/true", S("{}"), &e), 0);
	assert_int_not_equal(child_of(above), was);
	serve_teller_close();
	assert_int_equal(waitpid(above, &status, 0), above);
	assert_int_equal(status, 0);
}

static void
nothing_beside_the_database_is_run(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(serve_teller_begin("/usr/bin/env", &e), 0);
	assert_int_equal(serve_teller_run("/usr/bin/true", S("{}"), &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
	serve_teller_close();
	(void)wait(NULL);
}

int
main(void)
{
	ROWS(rows, row);
	rows_add("one that died is begun again", one_that_died_is_begun_again,
	    NULL);
	rows_add("nothing beside the database is run",
	    nothing_beside_the_database_is_run, NULL);
	return cmocka_run_group_tests_name("serve/teller", rows_tests, NULL,
	    NULL);
}
