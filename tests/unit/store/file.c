/* SPDX-License-Identifier: Apache-2.0 */
/* The database as a file: what others can read, write or replace. */
#include "fixture.h"
#include "store/audit.h"

#include <fcntl.h>

static mode_t
mode_of(struct fx *x, const char *tail)
{
	char path[128];
	struct stat st;

	(void)snprintf(path, sizeof(path), "%s%s", x->dir, tail);
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void
tightened(void **state)
{
	struct fx *x = *state;

	FX_FILE();
	store_close(&x->s);
	assert_int_equal(chmod(x->path, 0644), 0);
	x->s = fx_open(x, STORE_ADMIN);
	assert_int_equal(mode_of(x, "/sub/emcli.db"), 0600);
}

/* Whoever opens it first, the operator can be told. */
static void
tightened_told(void **state)
{
	const struct store_audit_query q = { .action = S("database"),
		.limit = 9 };
	struct fx *x = *state;
	struct store_audit *row;
	struct store *s;
	size_t n;

	FX_FILE();
	store_close(&x->s);
	assert_int_equal(chmod(x->path, 0644), 0);
	s = fx_open(x, STORE_AGENT);
	assert_int_equal(store_open_mode(s), 0644);
	store_close(&s);
	x->s = fx_open(x, STORE_ADMIN);
	assert_int_equal(store_open_mode(x->s), 0);
	assert_ok(x, store_audit_list(x->s, x->a, &q, &row, &n, &x->e));
	assert_int_equal(n, 1);
	assert_true(str_find(row[0].detail, S("0644")) >= 0);
}

/* A file that others could write is never trusted. */
static void
writable(void **state)
{
	static const struct {
		const char *name;
		mode_t mode;
	} rows[] = { { "", 0620 }, { "", 0602 }, { "", 0666 }, { "-wal", 0622 },
		{ "-shm", 0666 }, { "-journal", 0666 } };
	struct fx *x = *state;
	bool created;

	FX_FILE();
	(void)fx_account(x, "work");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[128];
		struct store *s = NULL;
		int fd;

		(void)snprintf(path, sizeof(path), "%s%s", x->path,
		    rows[i].name);
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		assert_int_equal(fchmod(fd, rows[i].mode), 0);
		if (store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e) == 0)
			fail_msg("row %zu was opened", i);
		assert_int_equal(x->e.kind, ERR_CONFIG);
		x->e = (struct err){ 0 };
		assert_int_equal(store_init(x->path, &x->keys, &created, &x->e),
		    -1);
		x->e = (struct err){ 0 };
		assert_int_equal(fchmod(fd, 0600), 0);
		(void)close(fd);
		if (strcmp(rows[i].name, "-journal") == 0)
			assert_int_equal(unlink(path), 0);
	}
}

/* Only root can change a file's owner. */
static void
foreign(void **state)
{
	struct fx *x = *state;
	struct store *s = NULL;
	bool created;

	FX_FILE();
	if (geteuid() != 0)
		return;
	store_close(&x->s);
	assert_int_equal(chown(x->path, 65534, 65534), 0);
	assert_err(x, store_init(x->path, &x->keys, &created, &x->e),
	    ERR_CONFIG);
	assert_string_equal(x->e.say, "the database belongs to another user");
	x->e = (struct err){ 0 };
	assert_err(x, store_open(x->path, STORE_ADMIN, &x->keys, &s, &x->e),
	    ERR_CONFIG);
}

/* A folder where others can put a file of their own. */
static void
open_folder(void **state)
{
	static const struct {
		mode_t mode;
		bool good;
	} rows[] = { { 0777, false }, { 0770, false }, { 0702, false },
		{ 0755, true }, { 01777, true }, { 0700, true } };
	struct fx *x = *state;
	char dir[128];

	FX_FILE();
	(void)snprintf(dir, sizeof(dir), "%s/sub", x->dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool created;
		int r;

		assert_int_equal(chmod(dir, rows[i].mode), 0);
		r = store_init(x->path, &x->keys, &created, &x->e);
		if (r != (rows[i].good ? 0 : -1))
			fail_msg("%04o: %d %s", (unsigned)rows[i].mode, r,
			    x->e.say);
		x->e = (struct err){ 0 };
	}
}

/* A copy made with "cp" under an open umask, with its WAL. */
static void
tightened_wal(void **state)
{
	static const char *const names[] = { "/sub/emcli.db",
		"/sub/emcli.db-wal", "/sub/emcli.db-shm" };
	struct fx *x = *state;
	struct store *s;

	FX_FILE();
	(void)fx_account(x, "work");
	for (size_t i = 0; i < 3; i++) {
		char path[128];

		(void)snprintf(path, sizeof(path), "%s%s", x->dir, names[i]);
		assert_int_equal(chmod(path, 0644), 0);
	}
	s = fx_open(x, STORE_AGENT);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(mode_of(x, names[i]), 0600);
	store_close(&s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("what others could read is tightened", tightened),
		TEST("and its WAL with it", tightened_wal),
		TEST("and it is told", tightened_told),
		TEST("what others could write is refused", writable),
		TEST("what others own is refused", foreign),
		TEST_EMPTY("nor is one made where others can put theirs",
		    open_folder),
	};

	return cmocka_run_group_tests_name("store/file", tests, NULL, NULL);
}
