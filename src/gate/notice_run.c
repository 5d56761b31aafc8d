/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operator's command.  It gets a notice on its standard input, which it
 * need not read, and nothing that emcli knows besides: no key, no file, and of
 * the environment only what a program needs to reach the person.  What it
 * prints goes nowhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/program.h"
#include "gate/notice.h"

#define WHAT "notify"

enum {
	VALUE = 4096 /* of a variable, at most */
};

/* Where it finds programs, the person's session, and the person's language. */
static const char *const kept[] = { "PATH", "HOME", "USER", "LOGNAME", "SHELL",
	"LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR", "DISPLAY",
	"WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
	"DBUS_SESSION_BUS_ADDRESS" };

#define KEPT (sizeof(kept) / sizeof(kept[0]))

/* Another process, where this one may start none; or NULL. */
static int (*run_by)(struct str json, struct err *e);

static void
notice_run_environment(struct arena *a, char *envp[KEPT + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < KEPT; i++) {
		const char *value = getenv(kept[i]);

		if (value != NULL && strlen(value) <= VALUE)
			envp[n++] =
			    str_c(a, str_fmt(a, "%s=%s", kept[i], value));
	}
	envp[n] = NULL;
}

_Static_assert(LIMIT_NOTICE_JSON <= 65536, "it fits into a pipe");

/* All of it fits into a pipe, so nobody has to read it. */
static int
notice_run_input(struct str json)
{
	int ends[2] = { -1, -1 };

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		return -1;
	if (write(ends[1], json.p, json.n) != (ssize_t)json.n)
		path_close(&ends[0]);
	(void)close(ends[1]);
	/* It waits for its input, as any program expects. */
	if (ends[0] >= 0)
		(void)fcntl(ends[0], F_SETFL, 0);
	return ends[0];
}

static int
notice_run_begin(char *const *argv, struct str json, struct arena *a,
    pid_t *pid, struct err *e)
{
	CLEANUP(path_close) int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	CLEANUP(path_close) int in = notice_run_input(json);
	char *envp[KEPT + 1];
	const struct program p = { argv[0], argv, envp, in, null, null, true,
		command_dir };

	notice_run_environment(a, envp);
	if (null >= 0 && in >= 0 && program_start(&p, pid) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "the program of " WHAT " cannot be run");
	(void)err_errno(e, argv[0]);
	return err_hint(e, command_hint);
}

static int
notice_run_end(pid_t pid, struct err *e)
{
	int status = program_end(pid, clock_mono_ms() + LIMIT_NOTICE_MS);

	if (status < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the program of " WHAT " did not end in %d s",
		    LIMIT_NOTICE_MS / 1000);
		return err_hint(e, "run it by hand: it may wait for something");
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "the program of " WHAT " failed (%s %d)",
	    WIFEXITED(status) ? "status" : "signal",
	    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return err_hint(e, "run it by hand to see why");
}

int
notice_run_check(const char *line, const char *db, uint32_t user, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 16);
	const char *slash = db != NULL ? strrchr(db, '/') : NULL;
	const char *apart = db == NULL ? NULL
	    : slash == NULL
	    ? "."
	    : str_c(a, (struct str){ db, (size_t)(slash - db) + 1 });

	if (strlen(line) > LIMIT_SECRET_LINE) {
		(void)err_set(e, ERR_CONFIG, WHAT " is too long");
		return err_hint(e, command_hint);
	}
	return command_trust(WHAT, line, apart, user, e);
}

bool
notice_run_in_broker(struct arena *a, const char *line, const char *db,
    struct str *why)
{
	struct err e = { 0 };

	/* What is in no file no broker serves. */
	if (db == NULL || notice_run_check(line, db, 0, &e) == 0)
		return true;
	*why = str_fmt(a, "%s: a broker does not run it", e.say);
	return false;
}

void
notice_run_by(int (*run)(struct str json, struct err *e))
{
	run_by = run;
}

int
notice_run(const char *line, struct str json, const char *db, uint32_t user,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	char *argv[COMMAND_WORDS + 1];
	pid_t pid = 0;

	if (json.n > LIMIT_NOTICE_JSON)
		return err_set(e, ERR_LIMIT, "a notice is too long");
	if (run_by != NULL)
		return run_by(json, e);
	return notice_run_check(line, db, user, e) < 0 ||
		command_split(WHAT, str_c(a, str_of(line)), argv, e) < 0 ||
		notice_run_begin(argv, json, a, &pid, e) < 0
	    ? -1
	    : notice_run_end(pid, e);
}
