/* SPDX-License-Identifier: Apache-2.0 */
#include "door/http/standby.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/path.h"
#include "door/child.h"
#include "door/http/gateway.h"
#include "runtime/place.h"

/* The order, followed by the path of the session. */
struct order {
	uint32_t port;
	bool any, far;
	int64_t epoch;
	size_t n;
};

/* One of a command: in the command, and in the process itself. */
static struct {
	pid_t pid;
	int order, answer; /* descriptors */
} standby = { .order = -1, .answer = -1 };

/* -- in the process -------------------------------------------------------- */

static void
http_standby_say(const struct err *e)
{
	/* Its texts are the same in both: one was forked from the other. */
	(void)!write(standby.answer, e, sizeof(*e));
	path_close(&standby.answer);
}

static void
http_standby_ready(void)
{
	const struct err none = { 0 };

	http_standby_say(&none);
}

/* What the command was given for a mail server's accounts: the kernel shows
 * these bytes as long as the process lives. */
static void
http_standby_wipe(void)
{
	static const char name[] = "HOUMAO_STALWART_MANAGEMENT_";

	for (char **v = environ; v != NULL && *v != NULL; v++)
		if (strncmp(*v, name, sizeof(name) - 1) == 0)
			secret_wipe(*v, strlen(*v));
}

/* Without a terminal, and with the session's own log. */
static int
http_standby_detach(const char *session, struct err *e)
{
	CLEANUP(path_close) int at = path_dir_open(AT_FDCWD, session);
	CLEANUP(path_close) int folder = -1;
	CLEANUP(path_close) int logs = -1;
	CLEANUP(path_close) int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	CLEANUP(path_close) int log = -1;

	if (at < 0)
		return err_set(e, ERR_CONFIG, "the session cannot be opened");
	folder = instance_folder(at, true, e);
	logs = folder < 0 ? -1 : place_folder(folder, "logs", true, e);
	if (logs < 0)
		return -1;
	log = openat(logs, "gateway.log",
	    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
	    0600);
	(void)setsid();
	(void)prctl(PR_SET_NAME, "emcli-gateway");
	if (log < 0 || fchmod(log, 0600) < 0 || null < 0 || chdir("/") < 0 ||
	    dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
	    dup2(log, STDERR_FILENO) < 0) {
		(void)err_set(e, ERR_CONFIG,
		    "the gateway's log cannot be opened");
		return err_errno(e, "log");
	}
	return 0;
}

/*
 * The agent's key is enough; the operator's is not kept where it need not be,
 * once the other is there.
 */
static int
http_standby_drop(struct env *env, struct err *e)
{
	if (env_command_ask(env, e) < 0)
		return -1;
	if (env->agent_key != NULL)
		secret_close(&env->admin_key);
	secret_close(&env->new_key);
	return 0;
}

static _Noreturn void
http_standby_wait(const struct env *given)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct env env = *given;
	struct session_gateway g;
	struct err e = { 0 };
	struct order o;
	char *path;

	if (!child_take(standby.order, &o, sizeof(o)) || o.n > LIMIT_PATH)
		_exit(0);
	path = arena_array(a, o.n + 1, 1);
	if (!child_take(standby.order, path, o.n))
		_exit(0);
	path_close(&standby.order);
	http_standby_wipe();
	g = (struct session_gateway){
		.path = { path, o.n },
		.host = o.far ? S(INSTANCE_ANY) : S(INSTANCE_LOOPBACK),
		.port = o.port,
		.any = o.any,
		.epoch = o.epoch,
	};
	/* A program that prints a key may want the terminal. */
	if (http_standby_drop(&env, &e) < 0 ||
	    http_standby_detach(path, &e) < 0 ||
	    http_gateway(&g, &env, http_standby_ready, &e) < 0)
		http_standby_say(&e);
	_exit(e.kind == ERR_NONE ? 0 : 1);
}

/* -- in the command -------------------------------------------------------- */

static void
http_standby_begin(const struct env *env)
{
	int order[2], answer[2];

	if (pipe2(order, O_CLOEXEC) < 0)
		return;
	if (pipe2(answer, O_CLOEXEC) < 0) {
		(void)close(order[0]);
		(void)close(order[1]);
		return;
	}
	standby.pid = child_fork(env);
	if (standby.pid == 0) {
		(void)close(order[1]);
		(void)close(answer[0]);
		standby.order = order[0];
		standby.answer = answer[1];
		http_standby_wait(env);
	}
	(void)close(order[0]);
	(void)close(answer[1]);
	standby.order = order[1];
	standby.answer = answer[0];
	if (standby.pid > 0)
		return;
	path_close(&standby.order);
	path_close(&standby.answer);
}

static int
http_standby_start(const struct session_gateway *g, struct err *e)
{
	const struct order o = { g->port, g->any,
		str_eq(g->host, S(INSTANCE_ANY)), g->epoch, g->path.n };
	struct err said = { 0 };

	if (standby.pid <= 0 || standby.order < 0)
		return err_set(e, ERR_INTERNAL,
		    "there is no process for the gateway");
	if (path_write(standby.order,
		(struct str){ (const char *)&o, sizeof(o) }) < 0 ||
	    path_write(standby.order, g->path) < 0 ||
	    !child_take(standby.answer, &said, sizeof(said)))
		(void)err_set(&said, ERR_CONFIG,
		    "the gateway died before it listened: see gateway/logs in "
		    "the session's folder");
	path_close(&standby.order);
	path_close(&standby.answer);
	if (said.kind == ERR_NONE) {
		standby.pid = 0; /* it lives on */
		return 0;
	}
	*e = said;
	return -1;
}

static void
http_standby_end(void)
{
	path_close(&standby.order);
	path_close(&standby.answer);
	if (standby.pid > 0)
		(void)waitpid(standby.pid, NULL, 0);
	standby.pid = 0;
}

static void
http_standby_quiet(void)
{
}

static int
http_standby_here(const struct session_gateway *g, const struct env *given,
    struct err *e)
{
	struct env env = *given;

	/* Each request is a process, and none of them asks for it again. */
	if (env_command_ask(&env, e) < 0)
		return -1;
	if (env.agent_key != NULL)
		env.admin_key = NULL;
	return http_gateway(g, &env, http_standby_quiet, e);
}

const struct operate_gateway http_standby = {
	.begin = http_standby_begin,
	.start = http_standby_start,
	.end = http_standby_end,
	.here = http_standby_here,
};
