/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a store: what is in them, and what drafts leave. */
#include "store/copying.h"

#include "fixture.h"

static const char *
path_of(struct fx *x, const char *name)
{
	return str_fmt(x->a, "%s/sub/%s", x->dir, name).p;
}

static void
make_file(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fclose(f), 0);
}

static bool
there(struct fx *x, const char *name)
{
	struct stat st;

	return lstat(path_of(x, name), &st) == 0;
}

static void
first_bytes(const char *path, unsigned char out[20])
{
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	assert_int_equal(fread(out, 1, 20, f), 20);
	assert_int_equal(fclose(f), 0);
}

/* What is only in the log is in the copy's file, which has no log. */
static void
whole(void **state)
{
	struct fx *x = *state;
	struct fx copy = *x;
	unsigned char is[20], was[20];
	struct stat st;
	uint64_t bytes;

	FX_FILE();
	(void)fx_account(x, "work");
	(void)snprintf(copy.path, sizeof(copy.path), "%s/sub/copy.db", x->dir);
	assert_ok(x, store_copy_make(x->s, copy.path, NULL, &bytes, &x->e));
	assert_int_equal(stat(copy.path, &st), 0);
	assert_int_equal(st.st_size, bytes);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_false(there(x, "copy.db-wal"));
	assert_true(store_key_scrub(x->s));
	first_bytes(x->path, was);
	first_bytes(copy.path, is);
	/* Page size and journal mode among them. */
	assert_memory_equal(is, was, sizeof(is));
	assert_int_equal(fx_number(&copy, "SELECT count(*) FROM accounts"), 1);
	copy.s = fx_open(&copy, STORE_ADMIN);
	store_close(&copy.s);
}

static void
no_room(void **state)
{
	static const char *const taken[] = { "copy.db", "copy.db-wal",
		"copy.db-shm", "copy.db-journal" };
	struct fx *x = *state;
	uint64_t bytes;

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		make_file(path_of(x, taken[i]));
		assert_err(x,
		    store_copy_make(x->s, path_of(x, "copy.db"), NULL, &bytes,
			&x->e),
		    ERR_USAGE);
		assert_int_equal(unlink(path_of(x, taken[i])), 0);
	}
	assert_err(x,
	    store_copy_make(x->s, path_of(x, "none/copy.db"), NULL, &bytes,
		&x->e),
	    ERR_CONFIG);
}

/* Others could put another folder in its place; nothing there is touched. */
static void
on_the_way(void **state)
{
	static const char *const made[] = { "open", "open/mine",
		"open/mine/copy.db.new.a1B2c3" };
	struct fx *x = *state;
	const char *to = path_of(x, "open/mine/copy.db");
	uint64_t bytes;

	FX_FILE();
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(mkdir(path_of(x, made[i]), 0700), 0);
	assert_int_equal(chmod(path_of(x, "open"), 0777), 0);
	assert_err(x, store_copy_make(x->s, to, NULL, &bytes, &x->e),
	    ERR_CONFIG);
	assert_true(there(x, made[2]));
	/* Where each may replace its own alone, it does no harm. */
	assert_int_equal(chmod(path_of(x, "open"), 01777), 0);
	assert_ok(x, store_copy_make(x->s, to, NULL, &bytes, &x->e));
	assert_false(there(x, made[2]));
	assert_int_equal(unlink(to), 0);
	assert_int_equal(rmdir(path_of(x, made[1])), 0);
	assert_int_equal(rmdir(path_of(x, made[0])), 0);
}

/* SQLite would remove the first of these as the store's own journal. */
static void
parts(void **state)
{
	static const struct {
		const char *name;
		enum err_kind kind;
	} v[] = {
		{ "emcli.db-journal", ERR_USAGE },
		{ "emcli.db-outbox", ERR_USAGE },
		{ "emcli.db.before-029", ERR_USAGE },
		{ "none.db-journal", ERR_NONE },
		{ "emcli.db.before-02x", ERR_NONE },
		{ "emcli.db-monday", ERR_NONE },
	};
	struct fx *x = *state;
	uint64_t bytes;

	FX_FILE();
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		const char *to = path_of(x, v[i].name);
		struct err e = { 0 };

		(void)store_copy_make(x->s, to, NULL, &bytes, &e);
		if (e.kind != v[i].kind)
			fail_msg("%s: %s", v[i].name, e.say);
		if (e.kind == ERR_NONE)
			assert_int_equal(unlink(to), 0);
	}
}

static int64_t
accounts_in(const struct fx *x, const char *path)
{
	struct fx copy = *x;

	(void)snprintf(copy.path, sizeof(copy.path), "%s", path);
	return fx_number(&copy, "SELECT count(*) FROM accounts");
}

/* Changes the copy as somebody would who ended before all was in its file. */
static void
log_to(const char *path)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	(void)sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	assert_int_equal(sqlite3_exec(db,
			     "PRAGMA foreign_keys = OFF; DELETE FROM accounts",
			     NULL, NULL, NULL),
	    SQLITE_OK);
	(void)sqlite3_close(db);
}

/* A copy in place of another is not read with the log of that one. */
static void
in_place(void **state)
{
	struct fx *x = *state;
	const char *to = path_of(x, "copy.db");

	FX_FILE();
	(void)fx_account(x, "work");
	assert_ok(x, copy_replace(x->path, to, &x->e));
	log_to(to);
	assert_true(there(x, "copy.db-wal"));
	assert_int_equal(accounts_in(x, to), 0);
	log_to(to);
	make_file(path_of(x, "copy.db-journal"));
	assert_ok(x, copy_replace(x->path, to, &x->e));
	assert_false(there(x, "copy.db-wal"));
	assert_false(there(x, "copy.db-shm"));
	assert_false(there(x, "copy.db-journal"));
	assert_int_equal(accounts_in(x, to), 1);
	/* Whatever else has the name of its log is not removed. */
	assert_int_equal(mkdir(path_of(x, "copy.db-wal"), 0700), 0);
	assert_err(x, copy_replace(x->path, to, &x->e), ERR_CONFIG);
	assert_int_equal(rmdir(path_of(x, "copy.db-wal")), 0);
}

/* Names of folders beside "copy.db", and which of them are drafts of it. */
static void
left(void **state)
{
	static const struct {
		const char *name;
		bool draft;
	} v[] = {
		{ "copy.db.new.a1B2c3", true },
		{ "copy.db.new.a1B2c", false },
		{ "copy.db.new.a1B2c34", false },
		{ "copy.db.new.a1-2c3", false },
		{ "copy.dbx.new.a1B2c3", false },
		{ "other.db.new.a1B2c3", false },
		{ "copy.db.old.a1B2c3", false },
	};
	struct fx *x = *state;

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		const char *dir = path_of(x, v[i].name);
		const char *file = str_fmt(x->a, "%s/copy", dir).p;

		assert_int_equal(mkdir(dir, 0700), 0);
		make_file(file);
		copy_draft_sweep(path_of(x, "copy.db"));
		if (there(x, v[i].name) == v[i].draft)
			fail_msg("%s", v[i].name);
		(void)unlink(file);
		(void)rmdir(dir);
	}
}

/* The user put something else into it, or has it elsewhere. */
static void
not_left(void **state)
{
	struct fx *x = *state;
	const char *dir = path_of(x, "copy.db.new.a1B2c3");
	const char *mine = path_of(x, "copy.db.new.a1B2c3/mine");
	const char *away = path_of(x, "away");

	assert_int_equal(mkdir(dir, 0700), 0);
	make_file(mine);
	copy_draft_sweep(path_of(x, "copy.db"));
	assert_int_equal(unlink(mine), 0);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(mkdir(away, 0700), 0);
	make_file(path_of(x, "away/copy"));
	assert_int_equal(symlink(away, dir), 0);
	copy_draft_sweep(path_of(x, "copy.db"));
	assert_int_equal(unlink(path_of(x, "away/copy")), 0);
	assert_int_equal(rmdir(away), 0);
	assert_int_equal(unlink(dir), 0);
}

/* That of a process that still makes its copy stays. */
static void
under_way(void **state)
{
	struct fx *x = *state;
	struct copy_draft d = { .fd = -1 };
	char *dir;

	assert_ok(x, copy_draft_begin(path_of(x, "copy.db"), &d, &x->e));
	copy_draft_sweep(path_of(x, "copy.db"));
	assert_int_equal(access(d.file, F_OK), 0);
	/* Killed: its lock is gone. */
	dir = strdup(d.dir);
	assert_int_equal(close(d.fd), 0);
	d.fd = -1;
	copy_draft_sweep(path_of(x, "copy.db"));
	assert_int_equal(access(dir, F_OK), -1);
	free(dir);
	copy_draft_drop(&d);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a copy has everything, and needs no log", whole),
		TEST("what has one of its names stays", no_room),
		TEST("a way that others can change", on_the_way),
		TEST("a copy in place of another has nothing of it", in_place),
		TEST("no copy is a part of another file", parts),
		TEST("drafts that were left go, and nothing else", left),
		TEST("what is not only a draft stays", not_left),
		TEST("a draft that is being made stays", under_way),
	};

	return cmocka_run_group_tests_name("store/copy", tests, NULL, NULL);
}
