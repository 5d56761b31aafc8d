/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a session, by what its manifest says. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "runtime/activity.h"
#include "runtime/session.h"

#define LOG "output.log"

struct session_launch_keep {
	struct sessions *s;
	struct session *x;
	int folder;
};

static int
session_launch_keep(void *ctx, const struct process *p, struct err *e)
{
	const struct session_launch_keep *k = ctx;

	return session_file_started(k->folder, &k->x->state, p, k->s->a, e);
}

static int
session_launch_log(int folder, struct err *e)
{
	CLEANUP(path_close) int dir = place_folder(folder, "log", true, e);
	int fd;

	if (dir < 0)
		return -1;
	fd = openat(dir, LOG,
	    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
	    0600);
	if (fd < 0 || fchmod(fd, 0600) < 0 ||
	    fcntl(fd, F_SETFL, O_APPEND) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the session's log cannot be opened");
		(void)err_errno(e, LOG);
		path_close(&fd);
	}
	return fd;
}

static struct strs
session_launch_environment(struct arena *a, const struct session *x)
{
	const struct manifest *m = &x->manifest;
	struct strs add = { 0 };

	str_push(a, &add,
	    str_fmt(a, "%.*s=%.*s", STR_ARG(m->home_variable),
		STR_ARG(m->home)));
	str_push(a, &add,
	    str_fmt(a, "HOUMAO_MANIFEST_PATH=%.*s", STR_ARG(x->manifest_path)));
	if (m->agent_id.n > 0)
		str_push(a, &add,
		    str_fmt(a, "HOUMAO_AGENT_ID=%.*s", STR_ARG(m->agent_id)));
	return process_environment(environ, &add, a);
}

struct process_plan
session_launch_plan(struct arena *a, const struct session *x)
{
	return (struct process_plan){
		.executable = x->program,
		.name = x->manifest.executable,
		.args = x->manifest.args,
		.environment = session_launch_environment(a, x),
		.workdir = x->manifest.workdir,
		.log = -1,
	};
}

static int
session_launch_detached(struct sessions *s, struct session *x, int folder,
    struct process_plan *p, struct err *e)
{
	CLEANUP(path_close) int log = session_launch_log(folder, e);
	struct session_launch_keep keep = { s, x, folder };

	if (log < 0)
		return -1;
	p->log = log;
	return process_start(p, s->a, session_launch_keep, &keep, e);
}

static int
session_launch_here(struct sessions *s, struct session *x, int folder,
    struct err *e)
{
	struct process me;

	if (!process_of(getpid(), s->a, &me))
		return err_set(e, ERR_CONFIG,
		    "the session's process cannot be found: is /proc there?");
	return session_file_started(folder, &x->state, &me, s->a, e);
}

int
session_launch(struct sessions *s, struct session *x, int folder,
    struct str program, struct err *e)
{
	struct process_plan p;
	int r;

	x->program = program;
	p = session_launch_plan(s->a, x);
	/* What an earlier program said of itself. */
	activity_drop(folder);
	if (x->foreground)
		r = session_launch_here(s, x, folder, e);
	else if (x->state.tmux.n > 0)
		r = session_pane_launch(s, x, folder, &p, e);
	else
		r = session_launch_detached(s, x, folder, &p, e);
	if (r == 0)
		x->is = SESSION_IS_RUNNING;
	return r;
}
