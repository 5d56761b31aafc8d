/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/tmux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/path.h"
#include "base/program.h"
#include "runtime/process.h"

/* Wide, so that few lines are broken. */
#define WIDTH "220"
#define HEIGHT "50"

extern char **environ;

/* One command that runs. */
struct tmux_run {
	pid_t pid;
	int in, out; /* what it reads, and what it writes; or -1 */
	struct str input;
	struct buf output;
	int64_t end;
};

static int
tmux_fail(struct err *e, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "tmux cannot be run");
	return err_errno(e, what);
}

/* -- one command ----------------------------------------------------------- */

static int
tmux_spawn(struct tmux_run *t, const char *program, const struct strs *args,
    struct arena *a, int in, int out)
{
	const struct strs none = { 0 };
	struct strs env = process_environment(environ, &none, a);
	char **argv = arena_array(a, args->n + 3, sizeof(*argv));
	char **envp = arena_array(a, env.n + 1, sizeof(*envp));
	const struct program p = { program, argv, envp, in, out, out, false,
		NULL };

	argv[0] = str_c(a, S("tmux"));
	/* UTF-8, whatever the locale. */
	argv[1] = str_c(a, S("-u"));
	for (size_t i = 0; i < args->n; i++)
		argv[i + 2] = str_c(a, args->v[i]);
	for (size_t i = 0; i < env.n; i++)
		envp[i] = str_c(a, env.v[i]);
	return program_start(&p, &t->pid);
}

/* Writes what it will take now. */
static void
tmux_feed(struct tmux_run *t)
{
	ssize_t n = write(t->in, t->input.p, t->input.n);

	if (n > 0)
		t->input = str_from(t->input, (size_t)n);
	if (t->input.n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		path_close(&t->in);
}

/* Reads what there is: false at the end, or when it is too much. */
static bool
tmux_drain(struct tmux_run *t)
{
	char chunk[8192];
	ssize_t n = read(t->out, chunk, sizeof(chunk));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	buf_add(&t->output, chunk, (size_t)n);
	return n > 0 && !t->output.over;
}

/* Both at once, until it has closed its output: false when it is late. */
static bool
tmux_talk(struct tmux_run *t)
{
	for (;;) {
		struct pollfd fds[2] = { { .fd = t->out, .events = POLLIN },
			{ .fd = t->in, .events = POLLOUT } };
		int left = clock_left_ms(t->end);

		if (left == 0)
			return false;
		if (t->input.n == 0)
			path_close(&t->in);
		if (poll(fds, t->in < 0 ? 1 : 2, left) < 0 && errno != EINTR)
			return false;
		if (t->in >= 0 && fds[1].revents != 0)
			tmux_feed(t);
		if (fds[0].revents != 0 && !tmux_drain(t))
			return !t->output.over;
	}
}

/* Its exit status, or -1; it is killed when it does not end, or `kill_it`. */
static int
tmux_wait(const struct tmux_run *t, bool kill_it)
{
	int status = program_end(t->pid, kill_it ? 0 : t->end);

	return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
tmux_begin(struct tmux_run *t, const char *program, const struct strs *args,
    struct arena *a)
{
	int in[2], out[2], r;

	if (pipe2(in, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(out, O_CLOEXEC) < 0) {
		path_close(&in[0]);
		path_close(&in[1]);
		return -1;
	}
	t->in = in[1];
	t->out = out[0];
	(void)fcntl(t->in, F_SETFL, O_NONBLOCK);
	(void)fcntl(t->out, F_SETFL, O_NONBLOCK);
	r = tmux_spawn(t, program, args, a, in[0], out[1]);
	path_close(&in[0]);
	path_close(&out[1]);
	return r;
}

int
tmux_run(const struct strs *args, struct str input, struct arena *a,
    struct str *out, struct err *e)
{
	struct tmux_run t = { .in = -1,
		.out = -1,
		.input = input,
		.end = clock_mono_ms() + LIMIT_TMUX_MS };
	struct err why = { 0 };
	struct str program;
	int status;
	bool whole;

	if (process_find(S("tmux"), S("/"), a, &program, &why) < 0)
		return err_set(e, ERR_CONFIG, "tmux is not installed");
	buf_init(&t.output, a, LIMIT_TMUX_OUTPUT);
	if (tmux_begin(&t, str_c(a, program), args, a) < 0) {
		path_close(&t.in);
		path_close(&t.out);
		return tmux_fail(e, "posix_spawn");
	}
	whole = tmux_talk(&t);
	path_close(&t.in);
	path_close(&t.out);
	status = tmux_wait(&t, !whole);
	*out = buf_view(&t.output);
	if (status >= 0)
		return status;
	return err_set(e, ERR_CONFIG, "tmux does not answer: try again later");
}

int
tmux_refused(struct str said, const char *what, struct err *e)
{
	struct str line, rest;

	(void)str_cut(said, '\n', &line, &rest);
	(void)err_set(e, ERR_CONFIG, "tmux cannot %s", what);
	return err_because(e, "tmux: %.*s", STR_ARG(str_first(line, 200)));
}

int
tmux_do(const struct strs *args, struct str input, struct arena *a,
    const char *what, struct err *e)
{
	struct str said = { 0 };
	int status = tmux_run(args, input, a, &said, e);

	if (status > 0)
		return tmux_refused(said, what, e);
	return status;
}

/* -- the commands ---------------------------------------------------------- */

bool
tmux_is_there(struct arena *a)
{
	struct err none = { 0 };
	struct str program;

	return process_find(S("tmux"), S("/"), a, &program, &none) == 0;
}

int
tmux_start(const struct tmux_plan *p, struct arena *a, struct err *e)
{
	static const struct str first[] = { SI("new-session"), SI("-d"),
		SI("-x"), SI(WIDTH), SI("-y"), SI(HEIGHT), SI("-s") };
	struct strs args = { 0 };

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		str_push(a, &args, first[i]);
	str_push(a, &args, p->name);
	str_push(a, &args, S("-c"));
	str_push(a, &args, p->workdir);
	for (size_t i = 0; i < p->environment.n; i++) {
		str_push(a, &args, S("-e"));
		str_push(a, &args, p->environment.v[i]);
	}
	str_push(a, &args, S("--"));
	for (size_t i = 0; i < p->command.n; i++)
		str_push(a, &args, p->command.v[i]);
	return tmux_do(&args, S(""), a, "start a session", e);
}

int
tmux_find(struct str name, struct arena *a, struct str *id, struct err *e)
{
	struct str target = str_fmt(a, "=%.*s:", STR_ARG(name)), said = { 0 };
	int status = tmux_run(TMUX_ARGS(S("display-message"), S("-p"), S("-t"),
				  target, S("#{session_id}")),
	    S(""), a, &said, e);

	if (status < 0)
		return -1;
	*id = str_trim(said);
	return status == 0 && str_starts(*id, S("$")) ? 0 : 1;
}

int
tmux_variable(struct str id, const char *name, struct arena *a, struct str *out,
    struct err *e)
{
	struct strs args = { 0 };
	struct str said = { 0 }, key;
	int status;

	str_push(a, &args, S("show-environment"));
	if (id.n > 0) {
		str_push(a, &args, S("-t"));
		str_push(a, &args, id);
	}
	str_push(a, &args, str_of(name));
	status = tmux_run(&args, S(""), a, &said, e);
	if (status < 0)
		return -1;
	/* "-NAME": it was removed. */
	(void)str_cut(str_trim(said), '=', &key, out);
	return status == 0 && str_eq(key, str_of(name)) ? 0 : 1;
}

int
tmux_variable_set(struct str id, const char *name, struct str value,
    struct arena *a, struct err *e)
{
	return tmux_do(TMUX_ARGS(S("set-environment"), S("-t"), id, S("--"),
			   str_of(name), value),
	    S(""), a, "set a variable", e);
}

int
tmux_pid(struct str id, struct arena *a, int64_t *out, struct err *e)
{
	struct str said = { 0 };
	int status =
	    tmux_run(TMUX_ARGS(S("display-message"), S("-p"), S("-t"),
			 str_fmt(a, "%.*s:", STR_ARG(id)), S("#{pane_pid}")),
		S(""), a, &said, e);
	uint32_t pid;

	if (status < 0)
		return -1;
	if (status > 0 || !str_to_u32(str_trim(said), INT32_MAX, &pid))
		return tmux_refused(said, "find the terminal", e);
	*out = pid;
	return 0;
}

int
tmux_end(struct str id, struct arena *a, struct err *e)
{
	struct str said = { 0 };

	return tmux_run(TMUX_ARGS(S("kill-session"), S("-t"), id), S(""), a,
		   &said, e) < 0
	    ? -1
	    : 0;
}
