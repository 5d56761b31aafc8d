/* The program of a session, by what its manifest says. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
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
	struct session_state *v = &k->x->state;

	v->process = *p;
	v->step = SESSION_STARTED;
	v->generation++;
	return session_file_write(k->folder, v, k->s->a, e);
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
session_launch_environment(struct sessions *s, const struct session *x)
{
	const struct manifest *m = &x->manifest;
	struct strs add = { 0 };

	str_push(s->a, &add,
	    str_fmt(s->a, "%.*s=%.*s", STR_ARG(m->home_variable),
		STR_ARG(m->home)));
	str_push(s->a, &add,
	    str_fmt(s->a, "HOUMAO_MANIFEST_PATH=%.*s",
		STR_ARG(x->manifest_path)));
	if (m->agent_id.n > 0)
		str_push(s->a, &add,
		    str_fmt(s->a, "HOUMAO_AGENT_ID=%.*s",
			STR_ARG(m->agent_id)));
	return process_environment(environ, &add, s->a);
}

int
session_launch(struct sessions *s, struct session *x, int folder,
    struct str program, struct err *e)
{
	CLEANUP(path_close) int log = session_launch_log(folder, e);
	struct session_launch_keep keep = { s, x, folder };
	const struct process_plan p = {
		.executable = program,
		.name = x->manifest.executable,
		.args = x->manifest.args,
		.environment = session_launch_environment(s, x),
		.workdir = x->manifest.workdir,
		.log = log,
	};

	if (log < 0)
		return -1;
	if (process_start(&p, s->a, session_launch_keep, &keep, e) < 0)
		return -1;
	x->is = SESSION_IS_RUNNING;
	return 0;
}
