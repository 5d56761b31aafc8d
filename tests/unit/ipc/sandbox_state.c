/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of the confinement, and how a file that was replaced is seen. */
#include "../rows.h"

#include <fcntl.h>
#include <stdlib.h>

#include "ipc/sandbox.h"

static char own[] = "/tmp/emcli-sandbox-XXXXXX";

static int
set_up(void **state)
{
	(void)state;
	return mkdtemp(own) == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	return rmdir(own);
}

static void
make(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	(void)close(fd);
}

static const struct told {
	const char *why;
	struct sandbox_state s;
	const char *says;
} tells[] = {
	{ "nothing was tried", { false, false, false, 0 }, "not confined" },
	{ "all of it", { true, true, true, 7 }, "seccomp and Landlock" },
	{ "no Landlock", { true, true, false, 0 },
	    "seccomp; this kernel has no Landlock" },
	{ "its first version", { true, true, false, 1 },
	    "seccomp; this kernel's Landlock is too old" },
	{ "no seccomp", { true, false, true, 2 },
	    "Landlock; this kernel has no seccomp filter" },
	{ "neither", { true, false, false, 0 },
	    "not confined: this kernel has neither seccomp nor Landlock" },
};

static void
told(void **state)
{
	const struct told *row = *state;
	struct sandbox_state s = sandbox_unpack(sandbox_pack(&row->s));

	assert_string_equal(sandbox_say(&s), row->says);
	assert_int_equal(s.landlock, row->s.landlock);
	assert_int_equal(sandbox_is_whole(&s), s.calls && s.files);
}

/* A file that has another's name is another file. */
static void
what_was_replaced_is_seen(void **state)
{
	char name[64], moved[64];
	const struct sandbox_path paths[] = { { own, true }, { name, false } };
	uint64_t n[5];

	(void)state;
	(void)snprintf(name, sizeof(name), "%s/c", own);
	(void)snprintf(moved, sizeof(moved), "%s/d", own);
	n[0] = sandbox_paths_print(SANDBOX_WORKER, paths, 2);
	make(name);
	n[1] = sandbox_paths_print(SANDBOX_WORKER, paths, 2);
	assert_int_equal(rename(name, moved), 0);
	make(name);
	n[2] = sandbox_paths_print(SANDBOX_WORKER, paths, 2);
	n[3] = sandbox_paths_print(SANDBOX_WORKER, paths, 1);
	n[4] = sandbox_paths_print(SANDBOX_KEEPER, paths, 2);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < i; j++)
			assert_true(n[i] != n[j]);
	assert_true(n[2] == sandbox_paths_print(SANDBOX_WORKER, paths, 2));
	assert_int_equal(unlink(name), 0);
	assert_true(n[0] == sandbox_paths_print(SANDBOX_WORKER, paths, 2));
	assert_int_equal(unlink(moved), 0);
}

int
main(void)
{
	ROWS(tells, told);
	rows_add("what was replaced is seen", what_was_replaced_is_seen, NULL);
	return cmocka_run_group_tests_name("ipc/sandbox_state", rows_tests,
	    set_up, tear_down);
}
