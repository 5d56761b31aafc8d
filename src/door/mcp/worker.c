/*
 * One request, one process.  So pings are answered while a server keeps us
 * waiting, a cancelled read ends at once, what a message does to its reader is
 * done to nobody else, and its memory is gone with it.  Requests are worked on
 * one after another: a call behind load_skill finds what that has granted.
 * (Threads are left out by design.)
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/limits.h"
#include "door/mcp/internal.h"
#include "door/out.h"

enum {
	PIECE = 65536
};

/* call.c puts these first, and a line of any other kind begins otherwise. */
#define PROGRESS "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","

static int say_fd = STDOUT_FILENO;

void
mcp_worker_drop(struct mcp_job **job)
{
	if (*job == NULL)
		return;
	json_parse_close(&(*job)->doc);
	/* The job lies in its own arena. */
	{
		struct arena *a = (*job)->a;

		*job = NULL;
		arena_close(&a);
	}
}

void
mcp_worker_say(const struct json *j)
{
	if (json_write(j, say_fd) < 0 || out_write(say_fd, S("\n")) < 0)
		_exit(1);
}

void
mcp_worker_line(struct str line)
{
	if (out_write(say_fd, line) < 0 || out_write(say_fd, S("\n")) < 0)
		_exit(1);
}

bool
mcp_worker_may_end(const struct mcp_job *job)
{
	const struct op *op = mcp_call_op(&job->q);

	return job->row->answer != mcp_call || op == NULL ||
	    op->effect == EFFECT_READ;
}

/* Keys pass to this child, and from it to none of its own. */
void
mcp_worker_keys(const struct env *env, bool inherit)
{
	if (env->agent_key != NULL)
		secret_inherit(env->agent_key, inherit);
	if (env->admin_key != NULL)
		secret_inherit(env->admin_key, inherit);
}

void
mcp_worker_become(const struct env *env, int fd)
{
	if (env->agent_key != NULL)
		secret_relock(env->agent_key);
	if (env->admin_key != NULL)
		secret_relock(env->admin_key);
	mcp_worker_keys(env, false);
	say_fd = fd;
}

static _Noreturn void
child(struct mcp_job *job, int fd)
{
	mcp_worker_become(job->q.m->env, fd);
	mcp_worker_say(mcp_method_answer(&job->q, job->row));
	/* Nothing of the parent's is ours to flush or to close. */
	_exit(0);
}

int
mcp_worker_start(struct mcp_worker *w, struct mcp_job *job)
{
	pid_t parent = getpid(), pid;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return -1;
	mcp_worker_keys(job->q.m->env, true);
	pid = fork();
	if (pid == 0) {
		/* Not to be left behind by a parent that is killed. */
		if (mcp_worker_may_end(job))
			(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		(void)close(fd[0]);
		child(job, fd[1]);
	}
	mcp_worker_keys(job->q.m->env, false);
	(void)close(fd[1]);
	if (pid < 0) {
		(void)close(fd[0]);
		return -1;
	}
	*w = (struct mcp_worker){ .pid = pid, .fd = fd[0], .job = job };
	return 0;
}

void
mcp_worker_fault(const struct mcp_job *job, struct mcp_request *q)
{
	(void)mcp_jsonrpc_fault(q, MCP_BROKEN,
	    mcp_worker_may_end(job)
		? "the call did not come to its end"
		: "the call did not come to its end: look what it did before "
		  "it is made again");
}

/* How far it got is news only now, and nothing to be looked at. */
static int
hand_on_progress(struct buf *kept)
{
	struct str line, rest;

	while (str_starts(buf_view(kept), S(PROGRESS)) &&
	    str_cut(buf_view(kept), '\n', &line, &rest)) {
		if (out_write(STDOUT_FILENO, line) < 0 ||
		    out_write(STDOUT_FILENO, S("\n")) < 0)
			return -1;
		memmove(kept->p, rest.p, rest.n + 1);
		kept->n = rest.n;
	}
	return 0;
}

static int
hand_on(struct mcp_worker *w, struct str text)
{
	if (!w->job->keeps)
		return out_write(STDOUT_FILENO, text);
	buf_str(&w->job->kept, text);
	return hand_on_progress(&w->job->kept);
}

/* What became of it, when it did not say so itself. */
static int
bury(struct mcp_worker *w)
{
	struct mcp_request *q = &w->job->q;
	int status = 0, r = 1;

	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)close(w->fd);
	if (!w->mute && w->midline && hand_on(w, S("\n")) < 0)
		r = -1;
	if (!w->mute &&
	    (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
		w->job->kept.over)) {
		buf_reset(&w->job->kept);
		mcp_worker_fault(w->job, q);
		if (hand_on(w, json_text(mcp_jsonrpc_error(q), q->a)) < 0 ||
		    hand_on(w, S("\n")) < 0)
			r = -1;
	}
	w->pid = 0;
	return r;
}

int
mcp_worker_read(struct mcp_worker *w)
{
	char piece[PIECE];
	ssize_t n;

	do
		n = read(w->fd, piece, sizeof(piece));
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return bury(w);
	if (w->mute)
		return 0;
	w->midline = piece[n - 1] != '\n';
	return hand_on(w, (struct str){ piece, (size_t)n });
}

void
mcp_worker_cancel(struct mcp_worker *w)
{
	/* Half a line is worse than one too many. */
	if (w->pid == 0 || (w->midline && !w->mute && !w->job->keeps))
		return;
	w->mute = true;
	if (mcp_worker_may_end(w->job))
		(void)kill(w->pid, SIGKILL);
}
