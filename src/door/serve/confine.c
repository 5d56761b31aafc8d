/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What confines each process of the broker.  A worker may use the files that
 * the store's settings and accounts name, but no mail: wires have that.  The
 * kernel knows them as they are when the worker starts: when others are named
 * or one is replaced, the worker is.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "door/serve/internal.h"
#include "gate/agent.h"
#include "gate/reach.h"

/* What a worker may use now. */
struct confine_paths {
	struct arena *a;
	struct sandbox_path *v;
	size_t n;
};

static void
serve_confine_put(struct confine_paths *p, const struct reach *r, size_t n)
{
	p->v = arena_array(p->a, n, sizeof(*p->v));
	for (p->n = 0; p->n < n; p->n++)
		p->v[p->n] = (struct sandbox_path){ str_c(p->a, r[p->n].path),
			r[p->n].write };
}

/* Is it this file, or a folder with it somewhere below? */
static bool
serve_confine_has(const char *path, const char *file, struct arena *a)
{
	char *at = str_c(a, str_of(file)), *slash;
	struct stat have, is;

	if (stat(path, &have) < 0)
		return false;
	while (stat(at, &is) < 0 || is.st_dev != have.st_dev ||
	    is.st_ino != have.st_ino) {
		slash = strrchr(at, '/');
		if (slash == NULL || at[1] == '\0')
			return false;
		slash[slash == at] = '\0';
	}
	return true;
}

/* By the name that is given, and where that leads. */
static bool
serve_confine_has_either(const char *path, const char *file, struct arena *a)
{
	char *real = realpath(file, NULL);
	bool has = serve_confine_has(path, file, a) ||
	    (real != NULL && serve_confine_has(path, real, a));

	free(real);
	return has;
}

bool
serve_confine_has_key(const struct env *env, const char *path, struct arena *a)
{
	struct strs files = { 0 };

	if (env->agent_file != NULL)
		str_push(a, &files, str_of(env->agent_file));
	else if (env->agent_from == ENV_COMMAND)
		files = env_command_paths(env->agent_command, a);
	for (size_t i = 0; i < files.n; i++)
		if (serve_confine_has_either(path, str_c(a, files.v[i]), a))
			return true;
	return false;
}

/*
 * A worker that was taken over can write into the store that its next one may
 * use a folder.  The first, the store's own, is as the operator placed it.
 */
static void
serve_confine_leave_key(struct confine_paths *p, const struct env *env)
{
	size_t kept = 1;

	for (size_t i = 1; i < p->n; i++)
		if (!serve_confine_has_key(env, p->v[i].path, p->a))
			p->v[kept++] = p->v[i];
	p->n = kept;
}

/* A store that cannot be opened names nothing; each call says why. */
static void
serve_confine_look(const struct env *env, struct gate *g,
    struct confine_paths *p)
{
	struct err none = { 0 };
	struct reach store, *v = NULL;
	size_t n = 0;

	if (g == NULL || reach_list(g, p->a, &v, &n, &none) < 0) {
		store = reach_store(env, p->a);
		v = &store;
		n = 1;
	}
	serve_confine_put(p, v, n);
}

int
serve_confine_spawner(const struct env *env, struct sandbox_state *out,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct confine_paths p = { .a = a };
	const struct reach store = reach_store(env, a);

	if (sandbox_load(e) < 0)
		return -1;
	serve_confine_put(&p, &store, 1);
	return sandbox_enter(SANDBOX_SPAWNER, p.v, p.n, out, e);
}

/* Of files it sees who connects, and nothing else. */
static int
serve_confine_who(enum sandbox_kind kind, struct serve_board *b, struct err *e)
{
	static const struct sandbox_path proc[] = { { "/proc", false } };
	struct sandbox_state now = { 0 };

	if (sandbox_enter(kind, proc, 1, &now, e) < 0)
		return -1;
	atomic_store(&b->confined[kind], sandbox_pack(&now));
	return 0;
}

int
serve_confine_monitor(struct serve_board *b, struct err *e)
{
	return serve_confine_who(SANDBOX_MONITOR, b, e);
}

/* Of the processes of the service beside: a call's has none. */
static struct serve_board *confine_board;

void
serve_confine_http_tells(struct serve_board *b)
{
	confine_board = b;
}

static void
serve_confine_forget(void)
{
	if (confine_board != NULL)
		(void)munmap(confine_board, sizeof(*confine_board));
	confine_board = NULL;
}

int
serve_confine_http(struct err *e)
{
	int r = serve_confine_who(SANDBOX_HTTP, confine_board, e);

	serve_confine_forget();
	return r;
}

void
serve_confine_worker(struct serve_worker *w)
{
	static char name[] = "agent";
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	CLEANUP(gate_close) struct gate *g = NULL;
	struct confine_paths p = { .a = a };
	struct env env = *w->env;
	struct err e = { 0 };

	env.agent = name;
	(void)gate_open(&env, &g, &e);
	serve_confine_look(w->env, g, &p);
	gate_rest(&g);
	w->print = sandbox_paths_print(SANDBOX_WORKER, p.v, p.n);
	serve_confine_leave_key(&p, w->env);
	if (sandbox_enter(SANDBOX_WORKER, p.v, p.n, &w->confined, &e) < 0)
		_exit(1);
	atomic_store(&w->board->confined[SANDBOX_WORKER],
	    sandbox_pack(&w->confined));
}

int
serve_confine_call(const struct env *env, struct gate *g, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct confine_paths p = { .a = a };
	struct sandbox_state s = { 0 };

	serve_confine_forget();
	serve_confine_look(env, g, &p);
	serve_confine_leave_key(&p, env);
	if (sandbox_enter(SANDBOX_WORKER, p.v, p.n, &s, e) < 0)
		return -1;
	gate_agent_confined(g, sandbox_say(&s), sandbox_is_whole(&s));
	return 0;
}

void
serve_confine_as(enum sandbox_kind kind, const struct sandbox_path *v, size_t n,
    struct serve_board *b)
{
	struct sandbox_state now = { 0 };
	struct err none = { 0 };

	if (sandbox_enter(kind, v, n, &now, &none) < 0)
		_exit(1);
	atomic_store(&b->confined[kind], sandbox_pack(&now));
}

/* With the store's folder. */
static void
serve_confine_stored(enum sandbox_kind kind, const struct env *env,
    struct serve_board *b)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct confine_paths p = { .a = a };
	const struct reach store = reach_store(env, a);

	serve_confine_put(&p, &store, 1);
	serve_confine_as(kind, p.v, p.n, b);
}

void
serve_confine_keeper(const struct env *env, struct serve_board *b)
{
	serve_confine_stored(SANDBOX_KEEPER, env, b);
}

void
serve_confine_notices(const struct env *env, struct serve_board *b)
{
	serve_confine_stored(SANDBOX_WORKER, env, b);
}

bool
serve_confine_holds(const struct serve_worker *w, struct gate *g,
    struct arena *a)
{
	struct confine_paths p = { .a = a };

	if (!w->confined.files)
		return true;
	/* A folder that is named since then may be what it could not open. */
	if (g == NULL)
		return false;
	serve_confine_look(w->env, g, &p);
	return sandbox_paths_print(SANDBOX_WORKER, p.v, p.n) == w->print;
}
