/* SPDX-License-Identifier: Apache-2.0 */
/* Homes on disk: built, built again, and removed. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../rows.h"
#include "base/arena.h"
#include "base/path.h"
#include "runtime/home.h"

struct disk {
	struct arena *a;
	struct str root;
};

static struct disk
made(void)
{
	struct disk d = { .a = arena_open(64 << 20) };
	char path[] = "/tmp/emcli-home-XXXXXX";

	assert_non_null(mkdtemp(path));
	d.root = str_dup(d.a, str_of(path));
	return d;
}

static void
gone(struct disk *d)
{
	int fd = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct err e = { 0 };
	int at = openat(fd, d->root.p + 5, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(renameat(at, "homes", at, PLACE_REMOVE "h"), 0);
	assert_int_equal(renameat(at, "manifests", at, PLACE_REMOVE "m"), 0);
	assert_int_equal(place_sweep(at, d->a, &e), 0);
	path_close(&at);
	assert_int_equal(unlinkat(fd, d->root.p + 5, AT_REMOVEDIR), 0);
	path_close(&fd);
	arena_close(&d->a);
}

/* Builds a home "w" for the tool with one file; returns the number of files. */
static int
built(struct disk *d, const char *tool, struct str text, bool reuse,
    size_t *written, struct err *e)
{
	const struct home_name name = { d->root, S("w"), reuse };
	struct brain b = { .agent = S("writer") };
	struct home h;
	int r = home_begin(&h, host_table_find(str_of(tool)), &name, d->a, e);

	if (r == 0)
		r = home_plan_put(&h, S("sub/file"), text, e);
	if (r == 0)
		r = project_ours(&h, e);
	if (r == 0)
		r = home_commit(&h, &b, e);
	*written = h.written;
	home_end(&h);
	return r;
}

static struct str
read_back(struct disk *d, const char *path)
{
	int fd = open(str_fmt(d->a, "%.*s/%s", STR_ARG(d->root), path).p,
	    O_RDONLY | O_CLOEXEC);
	struct err e = { 0 };
	struct str text = { 0 };

	assert_true(fd >= 0);
	assert_int_equal(path_read(fd, 1 << 20, d->a, &text, &e), 0);
	path_close(&fd);
	return text;
}

static void
each_tool_has_its_own_places(void **state)
{
	static const char *const rows[][2] = {
		{ "claude", "homes/w/skills" },
		{ "codex", "homes/w/skills" },
		{ "gemini", "homes/w/.gemini/skills" },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct disk d = made();
		struct err e = { 0 };
		size_t n;

		assert_int_equal(built(&d, rows[i][0], S("x"), false, &n, &e),
		    0);
		assert_true(n > 10);
		assert_true(
		    str_starts(read_back(&d,
				   str_fmt(d.a,
				       "%s/houmao-agent-email-comms/SKILL.md",
				       rows[i][1])
				       .p),
			S("---\nname: houmao-agent-email-comms\n")));
		rows_same(read_back(&d, "homes/w/sub/file"), S("x"));
		gone(&d);
	}
	assert_null(host_table_find(S("other")));
}

static void
again_writes_what_differs(void **state)
{
	struct disk d = made();
	struct err e = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(built(&d, "claude", S("one"), false, &n, &e), 0);
	assert_int_equal(built(&d, "claude", S("one"), false, &n, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	e = (struct err){ 0 };
	assert_int_equal(built(&d, "claude", S("one"), true, &n, &e), 0);
	assert_int_equal(n, 0);
	assert_int_equal(built(&d, "claude", S("two"), true, &n, &e), 0);
	assert_int_equal(n, 1);
	rows_same(read_back(&d, "homes/w/sub/file"), S("two"));
	gone(&d);
}

static void
list_has_what_is_whole(void **state)
{
	struct disk d = made();
	struct home_entry *v, one;
	struct err e = { 0 };
	size_t n;

	(void)state;
	assert_int_equal(built(&d, "codex", S("x"), false, &n, &e), 0);
	assert_int_equal(home_list(d.root, d.a, &v, &n, &e), 0);
	assert_int_equal(n, 1);
	rows_same(v[0].brain.tool, S("codex"));
	assert_int_equal(v[0].state, HOME_READY);
	assert_int_equal(home_list_find(d.root, S("../w"), d.a, &one, &e), -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	e = (struct err){ 0 };
	assert_int_equal(home_remove(d.root, S("w"), d.a, &e), 0);
	assert_int_equal(home_list(d.root, d.a, &v, &n, &e), 0);
	assert_int_equal(n, 0);
	assert_int_equal(home_remove(d.root, S("w"), d.a, &e), -1);
	assert_int_equal(e.kind, ERR_NOT_FOUND);
	gone(&d);
}

static void
names_of_homes_are_plain(void **state)
{
	static const struct {
		struct str s;
		bool good;
	} rows[] = {
		{ SI("w"), true },
		{ SI("codex-20260408-101112Z-0a1b2c3d"), true },
		{ SI("0._-"), true },
		{ SI(""), false },
		{ SI("."), false },
		{ SI(".."), false },
		{ SI(".hidden"), false },
		{ SI("-x"), false },
		{ SI("a/b"), false },
		{ SI("a\0b"), false },
		{ SI("\xc3\xa9"), false },
		{ SI("a b"), false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(place_is_name(rows[i].s), rows[i].good);
}

int
main(void)
{
	rows_add("each tool has its own places", each_tool_has_its_own_places,
	    NULL);
	rows_add("a second build writes what differs",
	    again_writes_what_differs, NULL);
	rows_add("the list has what is whole", list_has_what_is_whole, NULL);
	rows_add("names of homes are plain", names_of_homes_are_plain, NULL);
	return cmocka_run_group_tests_name("runtime/home", rows_tests, NULL,
	    NULL);
}
