/* SPDX-License-Identifier: Apache-2.0 */
/* A child that writes text, and the pipe it comes by. */
#include "desk/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/path.h"

/* What the text ends with when nothing of it is missing. */
#define WHOLE S(".\n")

static bool
aside_read_text(struct flow_watch *w)
{
	struct aside *x = w->ctx;
	char part[4096];
	ssize_t n = read(w->fd, part, sizeof(part));

	if (n < 0)
		return errno == EINTR;
	buf_add(&x->text, part, (size_t)n);
	return n > 0 && !x->text.over;
}

static _Noreturn void
aside_run_child(struct arena *a, int fd,
    void (*work)(void *ctx, struct buf *out), void *ctx)
{
	struct buf b;

	buf_init(&b, a, ASIDE_TEXT);
	work(ctx, &b);
	buf_str(&b, WHOLE);
	_exit(path_write(fd, buf_view(&b)) < 0);
}

int
aside_begin(struct aside *x, struct arena *a,
    void (*work)(void *ctx, struct buf *out), void *ctx, struct err *e)
{
	static const struct probes nothing;
	pid_t parent = getpid();
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0) {
		(void)err_set(e, ERR_INTERNAL, "no pipe can be opened");
		return err_errno(e, "pipe2");
	}
	x->child = fork();
	if (x->child < 0) {
		(void)err_set(e, ERR_INTERNAL, "no process can be started");
		(void)err_errno(e, "fork");
		path_close(&fd[0]);
		path_close(&fd[1]);
		return -1;
	}
	if (x->child == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		aside_run_child(a, fd[1], work, ctx);
	}
	(void)close(fd[1]);
	buf_init(&x->text, a, ASIDE_TEXT);
	x->watch = (struct flow_watch){ fd[0], aside_read_text, x, &nothing };
	return 0;
}

struct str
aside_end(struct aside *x)
{
	struct str text = buf_view(&x->text);

	path_close(&x->watch.fd);
	(void)kill(x->child, SIGKILL);
	while (waitpid(x->child, NULL, 0) < 0 && errno == EINTR)
		continue;
	if (!str_ends(text, WHOLE))
		return S("");
	text.n -= WHOLE.n;
	return text;
}
