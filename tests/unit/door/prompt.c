/* SPDX-License-Identifier: Apache-2.0 */
/* Questions at a terminal of the test's own, and the signals that end them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "door/prompt.h"

enum {
	ASKED = 3, /* statuses of the process that asks */
	ANSWERED = 4,
	TIME_S = 20
};

static int
asks(bool stopped)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	struct str line;

	(void)alarm(TIME_S);
	if (stopped)
		prompt_stop(SIGINT);
	if (prompt_line("name: ", a, &line) < 0)
		return ASKED;
	return str_eq(line, S("scout")) ? ANSWERED : 0;
}

/* The status of a process that asks and to which that is typed. */
static int
typed(bool stopped, const char *text)
{
	char shown[4096];
	int fd, status;
	pid_t pid = forkpty(&fd, NULL, NULL, NULL);

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(asks(stopped));
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	while (read(fd, shown, sizeof(shown)) > 0)
		;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(close(fd), 0);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void
test_answer(void **state)
{
	(void)state;
	assert_int_equal(typed(false, "scout\n"), ANSWERED);
}

/* One that came between the question and the wait for an answer, or earlier. */
static void
test_signal_before(void **state)
{
	(void)state;
	assert_int_equal(typed(true, ""), ASKED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_signal_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
