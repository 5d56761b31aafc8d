/* SPDX-License-Identifier: Apache-2.0 */
/* Secrets that a program prints. */
#include "../rows.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/secret.h"

static struct row {
	const char *why, *line;
	int ms;
	const char *want, *error;
} rows[] = {
	{ "what it prints", "echo secret", 0, "secret", NULL },
	{ "any blanks between words", " \techo  two\twords ", 0, "two words",
	    NULL },
	{ "the first line only", "printf one\\ntwo", 0, "one", NULL },
	{ "a line end of two bytes", "printf one\\r\\ntwo", 0, "one", NULL },
	{ "without a line end", "printf one", 0, "one", NULL },
	{ "no shell ends a command", "echo a;false", 0, "a;false", NULL },
	{ "no shell fills in a variable", "echo $HOME", 0, "$HOME", NULL },
	{ "no shell reads quotes", "echo 'a'", 0, "'a'", NULL },
	{ "no word", "", 0, NULL, "names no program" },
	{ "blanks only", " \t ", 0, NULL, "names no program" },
	{ "no such program", "/nonexistent/at/all x", 0, NULL,
	    "cannot be run" },
	{ "it fails", "false", 0, NULL, "failed (status 1)" },
	{ "it prints nothing", "true", 0, NULL, "printed no secret" },
	{ "an empty line", "echo", 0, NULL, "printed no secret" },
	{ "an empty line before another", "printf \\nx", 0, NULL,
	    "its first line is empty" },
	{ "its input is empty", "cat", 0, NULL, "printed no secret" },
	{ "too much for a secret", "head -c 20000 /dev/zero", 0, NULL,
	    "longer than 16384 bytes" },
	{ "long notes behind it", "seq 6000", 0, "1", NULL },
	{ "more than a pipe holds", "head -c 200000 /dev/zero", 300, NULL,
	    "did not end" },
	{ "it does not run in the caller's folder", "pwd", 0, "/", NULL },
	{ "it takes too long", "sleep 600", 300, NULL, "did not end" },
};

static int
is_text(struct str plain, void *want)
{
	return str_eq(plain, str_of(want));
}

static void
row(void **state)
{
	const struct row *r = *state;
	struct secret *got = NULL;
	struct err e = { 0 };
	int ms = r->ms > 0 ? r->ms : LIMIT_SECRET_COMMAND_MS;
	int ret = secret_command("it", r->line, ms, &got, &e);

	assert_int_equal(ret, r->want != NULL ? 0 : -1);
	if (r->want != NULL) {
		assert_int_equal(secret_lend(got, is_text,
				     (void *)(uintptr_t)r->want),
		    1);
	} else {
		assert_null(got);
		assert_int_equal(e.kind, ERR_CONFIG);
		assert_non_null(strstr(e.say, r->error));
		assert_non_null(e.hint);
	}
	secret_close(&got);
}

static struct long_row {
	const char *why, *word;
	size_t times;
	const char *error;
} longs[] = {
	{ "as many words as there may be", "a ", 63, NULL },
	{ "one more", "a ", 64, "more than 64 words" },
	{ "a line that is too long", "aaaaaaaa", 4096, "is too long" },
};

static void
long_row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	const struct long_row *r = *state;
	struct secret *got = NULL;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b, a, 64 << 10);
	buf_text(&b, "echo ");
	for (size_t i = 0; i < r->times; i++)
		buf_text(&b, r->word);
	assert_int_equal(secret_command("it", str_c(a, buf_view(&b)),
			     LIMIT_SECRET_COMMAND_MS, &got, &e),
	    r->error == NULL ? 0 : -1);
	if (r->error != NULL)
		assert_non_null(strstr(e.say, r->error));
	secret_close(&got);
}

/* Without a terminal; whoever is left without a parent is this one's. */
static _Noreturn void
end_with_children(void)
{
	struct secret *got = NULL;
	struct err e = { 0 };
	int status = 0, r;

	if (setsid() < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		_exit(2);
	(void)alarm(10);
	r = secret_command("it", "timeout --foreground 20 sleep 20", 500, &got,
	    &e);
	if (r == 0 || strstr(e.say, "did not end") == NULL)
		_exit(3);
	_exit(waitpid(-1, &status, 0) > 0 && WIFSIGNALED(status) &&
		    WTERMSIG(status) == SIGKILL
		? 0
		: 4);
}

/* What a program started does not outlive its deadline. */
static void
children_end_too(void **state)
{
	int status = 0;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		end_with_children();
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(longs, long_row);
	rows_add("what it started ends with it", children_end_too, NULL);
	return cmocka_run_group_tests_name("base/secret_command", rows_tests,
	    NULL, NULL);
}
