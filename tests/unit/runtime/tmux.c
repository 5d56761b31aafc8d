/* SPDX-License-Identifier: Apache-2.0 */
/* What another program than tmux may do in its place. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "runtime/tmux.h"

static char folder[] = "/tmp/emcli-tmux-XXXXXX";

static struct row {
	const char *why;
	const char *script;
	int want;        /* of tmux_run() */
	const char *say; /* in the error, or in what was written */
} rows[] = {
	{ "what it writes, and its status", "echo out; echo err >&2; exit 3", 3,
	    "out\nerr\n" },
	{ "it gets the text", "cat", 0, "the text" },
	{ "it does not want the text", "exit 0", 0, "" },
	{ "its first argument", "printf %s \"$1\"", 0, "-u" },
	{ "no key of emcli's is in its environment",
	    "echo x$EMCLI_KEY$EMCLI_ADMIN_KEY$HOUMAO_MANIFEST_PATH", 0, "x\n" },
	{ "it writes without end",
	    "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaa; "
	    "done",
	    -1, "does not answer" },
	{ "it is killed", "kill -KILL $$", -1, "does not answer" },
};

static void
put(const char *script)
{
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/tmux", folder);
	(void)unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "#!/bin/sh\n%s\n", script) > 0);
	assert_int_equal(close(fd), 0);
}

static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	const struct row *r = *state;
	struct str out = { 0 };
	struct err e = { 0 };

	put(r->script);
	assert_int_equal(tmux_run(TMUX_ARGS(S("x")), S("the text"), a, &out,
			     &e),
	    r->want);
	if (r->want >= 0)
		rows_same(out, str_of(r->say));
	else if (strstr(e.say, r->say) == NULL)
		fail_msg("%s", e.say);
}

/* What it says is not believed. */
static void
lies(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct str s = { 0 };
	struct err e = { 0 };
	int64_t pid;

	(void)state;
	put("echo nonsense");
	assert_int_equal(tmux_find(S("x"), a, &s, &e), 1);
	assert_int_equal(tmux_variable(S("$1"), "A", a, &s, &e), 1);
	assert_int_equal(tmux_pid(S("$1"), a, &pid, &e), -1);
	put("echo AB=x");
	assert_int_equal(tmux_variable(S("$1"), "A", a, &s, &e), 1);
	put("echo A=x=y");
	assert_int_equal(tmux_variable(S("$1"), "A", a, &s, &e), 0);
	rows_same(s, S("x=y"));
	put("echo 99999999999");
	assert_int_equal(tmux_pid(S("$1"), a, &pid, &e), -1);
}

static void
refuses(void **state)
{
	static const char *const bad[] = { "a\033[201~", "a\rb", "\177",
		"\xc2\x9b"
		"1m",
		"\t" };
	CLEANUP(arena_close) struct arena *a = arena_open(8 << 20);
	struct err e = { 0 };

	(void)state;
	put("exit 0");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(tmux_paste(S("$1"), str_of(bad[i]), a, &e),
		    -1);
		assert_string_equal(e.reason, "control_characters");
	}
	assert_int_equal(tmux_paste(S("$1"),
			     rows_repeat(a, S("x"), LIMIT_PROMPT_TEXT + 1), a,
			     &e),
	    -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	assert_int_equal(tmux_paste(S("$1"), S("a\n\xc3\xa4"), a, &e), 0);
	/* And nothing is typed that was not taken. */
	put("case $2 in load-buffer) exit 0;; *) exit 1;; esac");
	assert_int_equal(tmux_paste(S("$1"), S("a"), a, &e), -1);
	assert_int_equal(e.kind, ERR_CONFIG);
}

static void
absent(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct str out = { 0 };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
	assert_false(tmux_is_there(a));
	assert_int_equal(tmux_run(TMUX_ARGS(S("x")), S(""), a, &out, &e), -1);
	assert_non_null(strstr(e.say, "not installed"));
}

int
main(void)
{
	char path[96];
	int failed;

	if (mkdtemp(folder) == NULL)
		return 1;
	(void)snprintf(path, sizeof(path), "%s:/usr/bin:/bin", folder);
	if (setenv("PATH", path, 1) < 0 || setenv("EMCLI_KEY", "k", 1) < 0 ||
	    setenv("EMCLI_ADMIN_KEY", "k", 1) < 0 ||
	    setenv("HOUMAO_MANIFEST_PATH", "/m", 1) < 0)
		return 1;
	/* As emcli itself. */
	(void)signal(SIGPIPE, SIG_IGN);
	ROWS(rows, row);
	rows_add("what it says is not believed", lies, NULL);
	rows_add("what is not typed", refuses, NULL);
	rows_add("it is not installed", absent, NULL);
	failed =
	    cmocka_run_group_tests_name("runtime/tmux", rows_tests, NULL, NULL);
	(void)snprintf(path, sizeof(path), "%s/tmux", folder);
	(void)unlink(path);
	(void)rmdir(folder);
	return failed;
}
