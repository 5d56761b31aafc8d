/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A secret that a program prints: pass(1), secret-tool(1), op.  What it prints
 * stays in a pipe until it has ended, and a pipe holds more than a secret may
 * have.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/internal.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/program.h"
#include "base/secret.h"

struct secret_command {
	char *argv[COMMAND_WORDS + 1];
	pid_t pid;
	int out;
};

/*
 * A program may ask at the terminal, and one in a session of its own has none.
 * Without one to lose, it gets such a session, which ends with it at its
 * deadline: what it started, too.
 */
static bool
secret_command_is_apart(void)
{
	CLEANUP(path_close) int tty = open("/dev/tty", O_RDWR | O_CLOEXEC);

	return tty < 0;
}

static int
secret_command_begin(struct secret_command *x, const char *what, struct err *e)
{
	/* emcli's own input may be a protocol, and a file is a log. */
	CLEANUP(path_close) int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int said = isatty(STDERR_FILENO) == 1 ? -1 : null;
	int ends[2] = { -1, -1 }, r = -1;

	if (null >= 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
		const struct program p = { x->argv[0], x->argv, environ, null,
			ends[1], said, secret_command_is_apart(), command_dir };

		/* Its own end waits, as any program expects. */
		(void)fcntl(ends[1], F_SETFL, 0);
		r = program_start(&p, &x->pid);
	}
	x->out = ends[0];
	if (r < 0) {
		(void)err_set(e, ERR_CONFIG, "%s cannot be run", what);
		(void)err_errno(e, x->argv[0]);
		(void)err_hint(e, command_hint);
	}
	path_close(&ends[1]);
	return r;
}

static int
secret_command_end(const struct secret_command *x, const char *what, int ms,
    struct err *e)
{
	int status = program_end(x->pid, clock_mono_ms() + ms);

	if (status < 0) {
		(void)err_set(e, ERR_CONFIG, "%s did not end in %d s", what,
		    ms / 1000);
		return err_hint(e,
		    "run it by hand: it may wait for an answer, or print more "
		    "than a secret");
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	(void)err_set(e, ERR_CONFIG, "%s failed (%s %d)", what,
	    WIFEXITED(status) ? "status" : "signal",
	    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return err_hint(e, "run it by hand to see why");
}

/* An entry of pass(1) has notes behind its first line. */
static int
secret_command_take(const struct secret_command *x, const char *what,
    struct secret **out, struct err *e)
{
	CLEANUP(secret_close) struct secret *all = NULL;

	if (secret_fill(x->out, true, &all) < 0) {
		(void)err_set(e, ERR_CONFIG, "%s cannot be read", what);
		return err_errno(e, "read");
	}
	*out = secret_first_line(all);
	if (*out != NULL)
		return 0;
	(void)err_set(e, ERR_CONFIG,
	    "%s printed no secret: its first line is empty, or longer than "
	    "%lu bytes",
	    what, LIMIT_SECRET);
	return err_hint(e,
	    "run it by hand: its first line is to be the secret, and nothing "
	    "else");
}

int
secret_command(const char *what, const char *line, int ms, struct secret **out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_SECRET);
	struct secret_command x = { .out = -1 };
	int r = -1;

	if (strlen(line) > LIMIT_SECRET_LINE) {
		(void)err_set(e, ERR_CONFIG, "%s is too long", what);
		return err_hint(e, command_hint);
	}
	if (command_split(what, str_c(a, str_of(line)), x.argv, e) == 0 &&
	    secret_command_begin(&x, what, e) == 0 &&
	    secret_command_end(&x, what, ms, e) == 0)
		r = secret_command_take(&x, what, out, e);
	path_close(&x.out);
	return r;
}
