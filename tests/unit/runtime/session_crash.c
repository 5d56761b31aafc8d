/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process killed before its system calls that start a session or give it
 * another mailbox: the next command finishes it or undoes it, versions of the
 * binding never go back, and one root alone has the registration.
 */
#include "session_scene.h"

/* Each start makes a root, too: as many of its calls as there is time for. */
#define START_EVERY 11
#define REFRESH_EVERY 5

static void
start_it(struct scene *v)
{
	must(scene_start(v, "a"));
}

static void
of_a_start_is_finished_or_undone(void **state)
{
	struct scene *v = *state;
	struct session x;
	bool lived = false;
	long turn;

	for (turn = 1; !lived; turn++) {
		lived = scene_survives(v, turn * START_EVERY, start_it);
		scene_open(v);
		if (scene_find(v, &x) < 0) {
			assert_false(lived);
			assert_int_equal(v->x->e.kind, ERR_NOT_FOUND);
			assert_int_equal(scene_account(v).n, 0);
			assert_false(scene_has(v, "a"));
			continue;
		}
		assert_int_not_equal(x.is, SESSION_IS_DAMAGED);
		assert_int_equal(x.state.step, SESSION_STARTED);
		assert_true(str_eq(scene_account(v), scene_root(v, "a")));
		assert_true(scene_has(v, "a"));
		assert_ok(v->x, session_start_undo(&v->s, &x, &v->x->e));
		assert_ok(v->x, session_drop(&v->s, &x, &v->x->e));
	}
	assert_true(turn * SPARSE > 10);
}

/* Of the loop: which root the session is given. */
static const char *to;

static void
refresh_it(struct scene *v)
{
	struct session_rebound was;
	struct session x;

	must(scene_find(v, &x));
	must(session_refresh(&v->s, &x, scene_root(v, to), &was, &v->x->e));
}

/* One root has the session's mailbox, and all that names it agrees. */
static struct session
is_one_mailbox(struct scene *v)
{
	static const char *const roots[] = { "a", "b", "c" };
	struct session x;

	assert_ok(v->x, scene_find(v, &x));
	assert_int_not_equal(x.is, SESSION_IS_DAMAGED);
	assert_false(x.state.change.is);
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		assert_int_equal(scene_has(v, roots[i]),
		    str_eq(x.manifest.mailbox.filesystem_root,
			scene_root(v, roots[i])));
	assert_true(
	    str_eq(scene_account(v), x.manifest.mailbox.filesystem_root));
	assert_true(str_eq(x.state.root, x.manifest.mailbox.filesystem_root));
	assert_string_equal(str_c(v->site->a, x.state.account), PRINCIPAL);
	return x;
}

static void
of_a_refresh_leaves_one_mailbox(void **state)
{
	struct scene *v = *state;
	struct str last = S("");
	struct session x;
	bool lived = false;
	long turn, moved = 0;

	scene_open(v);
	assert_ok(v->x, scene_start(v, "a"));
	for (turn = 1; !lived; turn++) {
		struct str root;

		scene_open(v);
		x = is_one_mailbox(v);
		root = x.manifest.mailbox.filesystem_root;
		to = str_ends(root, S("/b")) ? "c" : "b";
		lived = scene_survives(v, turn * REFRESH_EVERY, refresh_it);
		scene_open(v);
		x = is_one_mailbox(v);
		assert_true(str_cmp(x.manifest.mailbox.bindings_version,
				last) >= (lived ? 1 : 0));
		last = x.manifest.mailbox.bindings_version;
		moved += !str_eq(root, x.manifest.mailbox.filesystem_root);
		assert_true(!lived || moved > 0);
	}
	assert_true(turn * SPARSE > 10);
	/* Some were killed after the step that counts. */
	assert_true(moved * SPARSE > 1);
}

static void
take_it(struct scene *v)
{
	struct binding none = { .transport = TRANSPORT_NONE };
	struct session_rebound was;
	struct session x;

	must(scene_find(v, &x));
	must(session_rebind(&v->s, &x, &none, &was, &v->x->e));
}

static void
of_a_mailbox_taken_away_ends_its_registration(void **state)
{
	struct scene *v = *state;
	struct str version;
	bool lived = false;
	long turn;

	scene_open(v);
	assert_ok(v->x, scene_start(v, "a"));
	for (turn = 1; !lived; turn++) {
		struct binding again = scene_binding(v, "a");
		struct session_rebound was;
		struct session x;

		scene_open(v);
		assert_ok(v->x, scene_find(v, &x));
		version = x.manifest.mailbox.bindings_version;
		lived = scene_survives(v, turn * REFRESH_EVERY, take_it);
		scene_open(v);
		assert_ok(v->x, scene_find(v, &x));
		assert_false(x.state.change.is);
		assert_int_equal(scene_has(v, "a"),
		    x.manifest.mailbox.transport != TRANSPORT_NONE);
		assert_true(
		    !lived || x.manifest.mailbox.transport == TRANSPORT_NONE);
		assert_ok(v->x,
		    session_rebind(&v->s, &x, &again, &was, &v->x->e));
		assert_true(
		    str_cmp(x.manifest.mailbox.bindings_version, version) > 0);
	}
	assert_true(turn * SPARSE > 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENE_TEST(of_a_start_is_finished_or_undone),
		SCENE_TEST(of_a_refresh_leaves_one_mailbox),
		SCENE_TEST(of_a_mailbox_taken_away_ends_its_registration),
	};

	return cmocka_run_group_tests_name("runtime/session_crash", tests, NULL,
	    NULL);
}
