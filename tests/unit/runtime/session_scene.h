/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SESSION_SCENE_H
#define TESTS_SESSION_SCENE_H

/* A store, a runtime root, and sessions in it that run /bin/true. */
#include "../backend/agentbox_faults.h"
#define TESTS_FAKE_NOSYNC_H /* the faults have their own fsync() */
#include "../store/fixture.h"

#include "base/path.h"
#include "runtime/root.h"
#include "runtime/session.h"

#define AGENT "writer"
#define PRINCIPAL "HOUMAO-writer"

struct scene {
	struct fx *x;      /* x->s is closed */
	struct site *site; /* its root is not used */
	struct str runtime;
	struct store *store;
	struct sessions s;
};

/* The root of that name: "a". */
static inline struct str
scene_root(struct scene *v, const char *name)
{
	return str_fmt(v->site->a, "%s/%s", v->site->top, name);
}

static inline void
scene_close(struct scene *v)
{
	session_close(&v->s);
	store_close(&v->store);
}

static inline int
scene_enter(struct scene *v)
{
	if (store_open(v->x->path, STORE_ADMIN, &v->x->keys, &v->store,
		&v->x->e) < 0)
		return -1;
	return session_open(&v->s, v->runtime, true, v->store, v->site->a,
	    &v->x->e);
}

/* Opens it, and settles what a child left. */
static inline void
scene_open(struct scene *v)
{
	scene_close(v);
	v->x->e = (struct err){ 0 };
	assert_ok(v->x, scene_enter(v));
	assert_ok(v->x, session_settle(&v->s, &v->x->e));
}

static inline int
scene_find(struct scene *v, struct session *out)
{
	return session_list_find(&v->s, S(""), S(AGENT), out, &v->x->e);
}

static inline struct binding
scene_binding(struct scene *v, const char *name)
{
	struct str root = scene_root(v, name);

	return (struct binding){ .transport = TRANSPORT_FILESYSTEM,
		.principal_id = S(PRINCIPAL),
		.address = S(WRITER),
		.filesystem_root = root,
		.mailbox_path =
		    str_fmt(v->site->a, "%s/mailboxes/" WRITER, root.p) };
}

static inline int
scene_start(struct scene *v, const char *name)
{
	struct session_plan p = {
		.manifest = { .tool = S("claude"),
		    .role = S("none"),
		    .workdir = S("/tmp"),
		    .home_manifest = S("/home.yaml"),
		    .agent = S(AGENT),
		    .executable = S("true"),
		    .home_variable = S("CLAUDE_CONFIG_DIR"),
		    .home = S("/tmp"),
		    .mailbox = scene_binding(v, name) },
		.program = S("/bin/true"),
		.attach_dir = S("/tmp"),
	};
	struct session out;

	return session_start(&v->s, &p, &out, &v->x->e);
}

/* Is the address registered in that root?  Not in one that is not there. */
static inline bool
scene_has(struct scene *v, const char *name)
{
	struct root r = { 0 };
	struct agentbox_reg reg;
	struct err why = { 0 };
	int got = root_open(&r, scene_root(v, name), false, v->store,
	    v->site->a, &why);

	if (got == 0)
		got = root_find(&r, S(WRITER), &reg, &why);
	root_close(&r);
	return got == 1;
}

/* The path of the only account; empty: there is none. */
static inline struct str
scene_account(struct scene *v)
{
	struct store_account *l;
	size_t n;

	assert_ok(v->x,
	    store_account_list(v->store, v->site->a, &l, &n, &v->x->e));
	assert_in_range(n, 0, 1);
	return n == 0 ? S("") : l[0].path;
}

/* Runs it in a child that dies before its n-th call; true: it survived. */
static inline bool
scene_survives(struct scene *v, long n, void (*act)(struct scene *v))
{
	int status;
	pid_t pid;

	scene_close(v);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		must(scene_enter(v));
		must(session_settle(&v->s, &v->x->e));
		left = n * SPARSE;
		act(v);
		left = 0;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status)) {
		assert_int_equal(WEXITSTATUS(status), 0);
		return true;
	}
	assert_int_equal(WTERMSIG(status), SIGKILL);
	return false;
}

static inline int
scene_setup(void **state)
{
	struct scene *v = calloc(1, sizeof(*v));
	void *x, *site;

	assert_non_null(v);
	v->s.fd = v->s.place.fd = -1;
	if (fx_setup(&x) < 0 || site_setup(&site) < 0)
		return -1;
	v->x = x;
	v->site = site;
	store_close(&v->x->s);
	v->runtime = scene_root(v, "rt");
	*state = v;
	return 0;
}

static inline int
scene_teardown(void **state)
{
	struct scene *v = *state;
	void *x = v->x, *site = v->site;

	scene_close(v);
	(void)fx_teardown(&x);
	(void)site_teardown(&site);
	free(v);
	return 0;
}

#define SCENE_TEST(f)                                                          \
	cmocka_unit_test_setup_teardown(f, scene_setup, scene_teardown)

#endif
