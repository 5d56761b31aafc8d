/* SPDX-License-Identifier: Apache-2.0 */
/* The process of a request: its output, and when it may be ended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "door/child.h"

enum {
	LONG = 300000
};

/* The output, as "a:text|"; long texts as their lengths. */
struct heard {
	struct child child;
	char all[200];
	int signal; /* sent after the first output */
};

static void
hear(void *arg, char kind, struct str text)
{
	struct heard *h = arg;
	size_t n = strlen(h->all);

	if (text.n < 50)
		(void)snprintf(h->all + n, sizeof(h->all) - n, "%c:%.*s|", kind,
		    STR_ARG(text));
	else
		(void)snprintf(h->all + n, sizeof(h->all) - n, "%c:%zu|", kind,
		    text.n);
	if (h->signal != 0)
		child_signal(&h->child, h->signal);
	h->signal = 0;
}

static void
run(struct heard *h, void (*work)(void *))
{
	const struct env env = { 0 };

	assert_int_equal(child_start(&h->child, &env, work, NULL), 0);
	assert_true(h->child.pid > 0);
	while (!child_read(&h->child, hear, h))
		;
	assert_int_equal(h->child.pid, 0);
}

static void
work_lines(void *arg)
{
	static char text[LONG];

	(void)arg;
	memset(text, 'x', sizeof(text));
	child_line(CHILD_STATUS, S("200"));
	child_line(CHILD_NOTE, S(""));
	child_line(CHILD_ANSWER, (struct str){ text, LONG });
}

static void
test_lines(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, work_lines);
	assert_string_equal(h.all, "s:200|n:|a:300000|");
}

/* It has the standard descriptors, and the one for its lines. */
static int
only_fd(void)
{
	int found = -1;

	for (int fd = STDERR_FILENO + 1; fd < 1024; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			continue;
		if (found >= 0)
			_exit(1);
		found = fd;
	}
	return found;
}

static void
work_half(void *arg)
{
	(void)arg;
	child_line(CHILD_FAULT, S("it died"));
	if (write(only_fd(), "ahalf an answ", 13) != 13)
		_exit(1);
	(void)raise(SIGKILL);
}

static void
test_half_a_line_is_dropped(void **state)
{
	struct heard h = { 0 };

	(void)state;
	run(&h, work_half);
	assert_string_equal(h.all, "f:it died|");
}

static void
await_signal(int sig)
{
	sigset_t s;

	do
		(void)sigpending(&s);
	while (!sigismember(&s, sig));
}

static void
work_until_stopped(void *arg)
{
	(void)arg;
	child_line(CHILD_NOTE, S("ready"));
	await_signal(CHILD_STOP);
	child_line(CHILD_NOTE, S("not yet"));
	child_may_end(false);
	child_line(CHILD_ANSWER, S("never"));
}

static void
test_a_stop_waits(void **state)
{
	struct heard h = { .signal = CHILD_STOP };

	(void)state;
	run(&h, work_until_stopped);
	assert_string_equal(h.all, "n:ready|n:not yet|");
}

static void
work_on(void *arg)
{
	(void)arg;
	child_line(CHILD_NOTE, S("ready"));
	await_signal(CHILD_LEFT);
	child_may_end(false);
	child_line(CHILD_ANSWER, S("done"));
}

static void
work_until_left(void *arg)
{
	(void)arg;
	child_line(CHILD_NOTE, S("ready"));
	await_signal(CHILD_LEFT);
	child_may_end(true);
	child_line(CHILD_ANSWER, S("never"));
}

/* After a client hangs up a call continues, unless it says it need not. */
static void
test_a_client_that_left(void **state)
{
	struct heard on = { .signal = CHILD_LEFT }, off = on;

	(void)state;
	run(&on, work_on);
	assert_string_equal(on.all, "n:ready|a:done|");
	run(&off, work_until_left);
	assert_string_equal(off.all, "n:ready|");
}

/* What it reads, and which other descriptors it has. */
static void
work_order(void *arg)
{
	char line[40], text[80];
	ssize_t n = read(child_order(), line, sizeof(line));
	int open_ = 0;

	(void)arg;
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
		open_ += fd != child_order() && fcntl(fd, F_GETFD) >= 0;
	(void)snprintf(text, sizeof(text), "%.*s %d", (int)n, line, open_);
	child_line(CHILD_ANSWER, str_of(text));
}

/* One that waits gets its order, and the end of it when its parent is gone. */
static void
test_an_order_comes_later(void **state)
{
	const struct env env = { 0 };
	struct heard h = { 0 }, no = { 0 };
	int more = open("/dev/null", O_RDONLY), to = -1;

	(void)state;
	assert_int_equal(child_start_ahead(&h.child, &env, work_order, NULL,
			     &to),
	    0);
	assert_int_equal(write(to, "status", 6), 6);
	while (!child_read(&h.child, hear, &h))
		;
	(void)close(to);
	assert_string_equal(h.all, "a:status 1|");
	assert_int_equal(child_start_ahead(&no.child, &env, work_order, NULL,
			     &to),
	    0);
	(void)close(to);
	while (!child_read(&no.child, hear, &no))
		;
	assert_string_equal(no.all, "a: 1|");
	(void)close(more);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_half_a_line_is_dropped),
		cmocka_unit_test(test_a_stop_waits),
		cmocka_unit_test(test_a_client_that_left),
		cmocka_unit_test(test_an_order_comes_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
