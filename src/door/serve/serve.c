/* SPDX-License-Identifier: Apache-2.0 */
/* The start of the broker: its user, its key, its socket. */
#include "door/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/path.h"
#include "base/user.h"
#include "door/serve/internal.h"
#include "door/serve/teller.h"
#include "reader/reader.h"
#include "store/store.h"

/* A broker being started. */
struct start {
	struct arena *a;
	struct env env;
	const struct passwd *user; /* NULL: the one it has */
	struct serve_socket at;
	struct sandbox_state confined;
	struct serve_beside beside;
};

static int
serve_fail(struct err *e, const char *say, const char *what)
{
	(void)err_set(e, ERR_CONFIG, "%s", say);
	return err_errno(e, what);
}

/*
 * The operator's key opens more than agents need; a broker that lost its key
 * would open all of it.
 */
static int
serve_check_keys(const struct env *env, struct err *e)
{
	struct env again = { 0 };

	if (env->admin_key != NULL)
		return err_set(e, ERR_USAGE,
		    "the broker must not have the operator's key: unset %s",
		    env->admin_from == ENV_COMMAND ? "EMCLI_ADMIN_KEY_COMMAND"
						   : "EMCLI_ADMIN_KEY");
	if (env->agent_key != NULL)
		return 0;
	/* If it is there and cannot be read, this says why. */
	if (env_take(&again, e) < 0)
		return -1;
	env_done(&again);
	return err_set(e, ERR_CONFIG,
	    "the broker needs EMCLI_KEY, or EMCLI_KEY_FILE, or the credential "
	    "emcli-key, or EMCLI_KEY_COMMAND");
}

/*
 * Whoever may write the program, or put another in its place, would have the
 * key at the broker's next start.  The same holds for one that prints the key:
 * not even the broker's user may write that, since a worker is of that user.
 */
static int
serve_check_program(const struct start *s, struct err *e)
{
	const uint32_t user = s->user != NULL ? s->user->pw_uid : geteuid();
	char self[PATH_MAX] = { 0 };
	struct str why = { 0 };

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return serve_fail(e, "the broker's program cannot be found",
		    "/proc/self/exe");
	if (path_trust(self, user, s->a, &why) == 0)
		return s->env.agent_from != ENV_COMMAND
		    ? 0
		    : env_command_trust(s->env.agent_command, 0, e);
	(void)err_set(e, ERR_CONFIG,
	    "others than root and the broker's user can change the broker's "
	    "program");
	(void)err_because(e, "%.*s", STR_ARG(why));
	return err_hint(e,
	    "install it where only root can write, such as /usr/local/bin, and "
	    "start it from there");
}

static int
serve_find_user(struct start *s, struct str name, struct err *e)
{
	if (name.n == 0)
		return 0;
	s->user = getpwnam(str_c(s->a, name));
	if (s->user == NULL)
		return err_set(e, ERR_NOT_FOUND,
		    "there is no user \"%.*s\" on this machine",
		    STR_ARG(str_first(name, 64)));
	/* The store is that user's, unless one is named. */
	if (getenv("EMCLI_DB") == NULL)
		s->env.db = str_c(s->a,
		    str_fmt(s->a, "%s/.config/emcli/emcli.db",
			s->user->pw_dir));
	return 0;
}

static int
serve_open_folder(struct start *s, struct str path, struct err *e)
{
	const struct passwd *user = s->user;

	if (path.n == 0)
		path = S(FAR_SOCKET);
	s->at.folder =
	    ipc_listen_folder(path, user != NULL ? user->pw_uid : geteuid(),
		user != NULL ? user->pw_gid : getegid(), s->a, &s->at.name, e);
	if (s->at.folder < 0)
		return -1;
	/* It ends with this process; another broker's socket stays. */
	if (flock(s->at.folder, LOCK_EX | LOCK_NB) < 0)
		return err_set(e, ERR_CONFIG,
		    "a broker has that folder already: see emcli serve status");
	return 0;
}

/* By its own name, as doctor says it; systemd's has its whole path. */
static void
serve_name_socket(struct start *s, struct str path)
{
	struct sockaddr_un at = { 0 };
	socklen_t n = sizeof(at) - 1;

	if (s->at.folder < 0 &&
	    getsockname(s->at.listening, (struct sockaddr *)(void *)&at, &n) ==
		0)
		path = str_of(at.sun_path);
	else if (path.n == 0)
		path = S(FAR_SOCKET);
	s->env.served_at = path.n > 0 ? str_c(s->a, path) : NULL;
}

static int
serve_listen(struct start *s, const struct args *args, struct err *e)
{
	int r = ipc_listen_given(&s->at.listening, e);

	if (r == 0 && serve_open_folder(s, args_text(args, "socket"), e) < 0)
		return -1;
	if (r < 0 || (s->user != NULL && user_become(s->user, e) < 0))
		return -1;
	serve_name_socket(s, args_text(args, "socket"));
	if (r > 0)
		return 0;
	/* Anybody may connect; the broker knows its callers by their user. */
	s->at.listening = ipc_listen_for(s->at.folder, s->at.name, 0666, e);
	return s->at.listening < 0 ? -1 : 0;
}

/*
 * A wrong key or store is told now, and not to every caller.  A program that
 * prints the key is run here, as the broker's user.
 */
static int
serve_try_store(const struct start *s, struct err *e)
{
	CLEANUP(gate_close) struct gate *g = NULL;

	return gate_open(&s->env, &g, e);
}

static int
serve_start(struct start *s, const struct args *args, struct err *e)
{
	if (serve_check_keys(&s->env, e) < 0 ||
	    serve_find_user(s, args_text(args, "user"), e) < 0 ||
	    store_about_need_file(s->env.db, "emcli serve",
		"run emcli with EMCLI_DB as it is, without a broker", e) < 0 ||
	    serve_check_program(s, e) < 0 || serve_listen(s, args, e) < 0 ||
	    s->beside.is->open(args, &s->beside.service, e) < 0 ||
	    serve_try_store(s, e) < 0)
		return -1;
	reader_run_load();
	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (serve_telling_begin(s->env.db, e) < 0)
		return -1;
	return serve_confine_spawner(&s->env, &s->confined, e);
}

int
serve(const struct env *env, const struct args *args,
    const struct route_beside *beside, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct start s = { .a = a,
		.env = *env,
		.at = { .folder = -1, .listening = -1, .starter = -1 },
		.beside = { .is = beside, .fd = -1 } };
	int r = serve_start(&s, args, e);
	bool begun = false;

	if (r == 0 && !args_has(args, "foreground"))
		r = serve_starter_fork(&s.at, &s.env, e);
	if (r == 0) {
		begun = true;
		r = serve_monitor(&s.at, &s.env, &s.confined, &s.beside, e);
	}
	/* The lock on the folder is this broker's, so the socket is, too. */
	if (r < 0 && s.at.folder >= 0 && s.at.listening >= 0)
		(void)unlinkat(s.at.folder, s.at.name, 0);
	/* Whoever started it prints that. */
	if (r < 0 && s.at.starter >= 0) {
		serve_starter_tell(&s.at, e);
		_exit(1);
	}
	/* Not of a process that only began it; the spawner has done it. */
	if (r < 0 && !begun && s.beside.service != NULL)
		beside->close(s.beside.service);
	if (r == 0 && !args_has(args, "foreground"))
		_exit(0);
	path_close(&s.at.listening);
	path_close(&s.at.folder);
	return r < 0 ? -1 : 0;
}
