/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One process per account: a name lookup of half a minute or a silent server
 * does not delay the other accounts.  (There are no threads by design.) The
 * child uses no database; it has a copy of its account's secret and of no other
 * (secret_inherit()), or none where another process makes its connections
 * (wire.c), and its results come back as lines.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/path.h"
#include "source/internal.h"
#include "store/oauth.h"

#define TEXT_MAX (64 << 10) /* all the lines of one child */
#define GRACE_MS 3000       /* a name lookup does not observe our deadline */

struct telling {
	struct arena *a;
	int fd;
};

/* Immediately, so that this is known even if the rest never comes. */
static void
probe_child_tell(const struct probe *line, void *ctx)
{
	struct telling *t = ctx;

	if (path_write(t->fd, probe_line_put(t->a, line)) < 0)
		_exit(1);
}

/* Each server has the full time. */
static void
probe_child_try_one(const struct backend *be, struct source *src,
    struct arena *a, struct probes *p, int64_t timeout_ms)
{
	struct err e = { 0 };

	src->view.deadline_ms = clock_mono_ms() + timeout_ms;
	if (be->probe(&src->view, a, p, &e) < 0)
		backend_probe_fail(a, p, be->name, clock_mono_ms(), &e);
}

static void
probe_child_put_token(const struct source *src, struct arena *a,
    struct probes *p, int64_t since_ms)
{
	struct str valid = src->token_lives_s > 0
	    ? str_fmt(a, "%lld min", (long long)(src->token_lives_s / 60))
	    : S("an unknown time");

	backend_probe_add(a, p, "oauth.token", true, since_ms,
	    str_fmt(a,
		"a fresh access token, valid for %.*s; the consent is %lld "
		"days old",
		STR_ARG(valid),
		(long long)((clock_now() - src->consent_s) / 86400)));
}

/* By another process, which has the network, and tells no token. */
static bool
probe_child_try_token(struct source *src, struct arena *a, struct probes *p,
    int64_t timeout_ms)
{
	int64_t since = clock_mono_ms();
	struct err e = { 0 };

	if (src->token_by == NULL)
		return true;
	src->view.deadline_ms = since + timeout_ms;
	if (wired_token(src->token_by, &src->view, &src->token_lives_s, &e) <
	    0) {
		backend_probe_fail(a, p, "oauth.token", since, &e);
		return false;
	}
	probe_child_put_token(src, a, p, since);
	return true;
}

static void
probe_child_try(struct source *src, struct arena *a, struct probes *p,
    int64_t timeout_ms)
{
	/* As where a token is fetched: without one there is no login. */
	if (!probe_child_try_token(src, a, p, timeout_ms))
		return;
	probe_child_try_one(src->be, src, a, p, timeout_ms);
	/* An account that only reads does not submit. */
	if (src->submitter != NULL && src->submitter != src->be &&
	    src->acct.mode == MODE_RW)
		probe_child_try_one(src->submitter, src, a, p, timeout_ms);
}

/* The child: never returns. */
static _Noreturn void
probe_child_child(struct source *src, struct arena *a, int64_t timeout_ms,
    int fd)
{
	struct telling t = { a, fd };
	struct probes p = { .tell = probe_child_tell, .ctx = &t };

	if (src->secret != NULL)
		secret_relock(src->secret);
	probe_child_try(src, a, &p, timeout_ms);
	if (path_write(fd, S(".\n")) < 0)
		_exit(1);
	/* The parent's buffers must not be flushed, nor its files closed. */
	_exit(0);
}

static void
probe_child_fail(struct arena *a, struct source_health *out, const char *what,
    const struct err *e)
{
	backend_probe_fail(a, &out->probes, what, clock_mono_ms(), e);
}

static int
no_process(struct err *e)
{
	(void)err_set(e, ERR_INTERNAL, "the process for it cannot be started");
	return err_errno(e, "fork");
}

int
probe_child_fork(struct source *src, struct arena *a, int64_t timeout_ms,
    struct probe_child *c, struct err *e)
{
	pid_t parent = getpid(), pid;
	int fd[2];

	if (pipe2(fd, O_CLOEXEC) < 0)
		return no_process(e);
	if (src->secret != NULL)
		secret_inherit(src->secret, true);
	pid = fork();
	if (pid == 0) {
		/* Ends with its parent, even if that is killed. */
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		probe_child_child(src, a, timeout_ms, fd[1]);
	}
	if (src->secret != NULL)
		secret_inherit(src->secret, false);
	(void)close(fd[1]);
	if (pid < 0) {
		(void)close(fd[0]);
		return no_process(e);
	}
	c->pid = pid;
	c->fd = fd[0];
	c->end_ms = clock_mono_ms() +
	    (1 + (src->submitter != NULL) + (src->token_by != NULL)) *
		timeout_ms +
	    GRACE_MS;
	c->text = arena_new(a, struct buf);
	buf_init(c->text, a, TEXT_MAX);
	return 0;
}

/* Which of the lent ones logs in; and what of its consent is no secret. */
static int
probe_child_token_by(struct store *s, struct source *src, struct arena *a,
    struct err *e)
{
	struct store_oauth from = { 0 };

	if (src->view.wire == NULL ||
	    !source_by_token(&src->view, src->acct.has_password))
		return 0;
	src->token_by =
	    source_wire_in_files(src, false) ? src->submitter : src->be;
	if (src->token_by == NULL ||
	    store_oauth_get(s, a, src->acct.id, &from, e) == 0) {
		src->consent_s = from.consent_s;
		return 0;
	}
	return -1;
}

/* Tokens are fetched where the store is, and passed to the child. */
static int
probe_child_get_token(struct source *src, struct arena *a,
    struct source_health *out, struct err *e)
{
	int64_t since = clock_mono_ms();

	if (src->view.token == NULL)
		return 0;
	if (source_token(src, e) < 0)
		return -1;
	probe_child_put_token(src, a, &out->probes, since);
	return 0;
}

/* Whoever connects for this process unseals the password only then. */
static int
probe_child_opens(struct store *s, const struct source *src, struct err *e)
{
	if (src->view.wire == NULL || !src->acct.has_password)
		return 0;
	return store_account_secret_opens(s, src->acct.id, STORE_PASSWORD, e);
}

void
probe_child_start(struct store *s, struct arena *a,
    const struct source_trial *what, struct source_health *out,
    struct probe_child *c)
{
	struct source src = { 0 };
	int64_t timeout_ms = what->timeout_ms;
	struct err e = { 0 };

	*c = (struct probe_child){ .fd = -1, .out = out };
	if (source_resolve(s, a, out->acct.name, clock_mono_ms() + timeout_ms,
		&src, &e) < 0) {
		probe_child_fail(a, out, "account", &e);
		return;
	}
	if (!what->whole)
		src.submitter = NULL;
	source_wire(&src, a);
	if (source_unseal(s, &src, &e) < 0 ||
	    probe_child_opens(s, &src, &e) < 0) {
		if (e.hint == NULL)
			(void)err_hint(&e,
			    "give the password again: emcli account edit "
			    "--password-file");
		probe_child_fail(a, out, "credentials", &e);
	} else if ((what->whole && probe_child_token_by(s, &src, a, &e) < 0) ||
	    probe_child_get_token(&src, a, out, &e) < 0) {
		probe_child_fail(a, out, "oauth.token", &e);
	} else if (probe_child_fork(&src, a, timeout_ms, c, &e) < 0) {
		probe_child_fail(a, out, "process", &e);
	}
	source_done(&src);
}

bool
probe_child_read(struct probe_child *c)
{
	char part[4096];
	ssize_t n = read(c->fd, part, sizeof(part));

	if (n < 0)
		return errno == EINTR;
	buf_add(c->text, part, (size_t)n);
	return n > 0 && !c->text->over;
}

/* All lines up to the one that marks the end. */
static bool
probe_child_read_lines(struct arena *a, struct probe_child *c)
{
	struct probes *p = &c->out->probes;
	struct str rest = buf_view(c->text), line;
	struct probe one;

	while (str_cut(rest, '\n', &line, &rest)) {
		if (str_eq(line, S(".")))
			return rest.n == 0;
		if (!probe_line_read(a, line, &one))
			return false;
		p->v = arena_grow(a, p->v, p->n * sizeof(one),
		    (p->n + 1) * sizeof(one));
		p->v[p->n++] = one;
	}
	return false;
}

void
probe_child_end(struct arena *a, struct probe_child *c, bool late)
{
	struct err e = { 0 };
	int status = 0;

	path_close(&c->fd);
	/* After its last line it has nothing left to do. */
	(void)kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (probe_child_read_lines(a, c))
		return;
	if (late) {
		(void)err_set(&e, ERR_NETWORK, "it did not end in time");
		(void)err_hint(&e, "check this machine's name server");
	} else {
		(void)err_set(&e, ERR_INTERNAL,
		    "the process that tested the account failed");
		(void)err_because(&e, "wait status %d", status);
	}
	probe_child_fail(a, c->out, "process", &e);
}
