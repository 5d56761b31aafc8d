/* SPDX-License-Identifier: Apache-2.0 */
/* Restores that are refused, and change nothing. */
#include <dirent.h>

#include "restored.h"
#include "store/outbox_row.h"

/* -- what stops it --------------------------------------------------------- */

/* Drafts, and what is kept of a store that was replaced. */
static size_t
files_left(struct fx *x)
{
	DIR *d = opendir(path_of(x, ""));
	const struct dirent *f;
	size_t n = 0;

	assert_non_null(d);
	while ((f = readdir(d)) != NULL)
		n += strstr(f->d_name, ".new.") != NULL ||
		    strstr(f->d_name, ".before-") != NULL;
	(void)closedir(d);
	return n;
}

/* It cannot say what became of it then. */
static void
a_send_is_under_way(void **state)
{
	static const int64_t rows[] = { 7, (INT64_C(1) << 40) + 7 };
	struct run r = { .x = *state };
	struct fx *x = r.x;
	struct store *sender;

	FX_FILE();
	work_and_copy(x);
	sender = fx_open(x, STORE_AGENT);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_ok(x, outbox_lock_take(sender, rows[i], &x->e));
		assert_ok(x, store_canary_add(x->s, S("swordfish-42"), &x->e));
		assert_err(x, restore(&r, x->s), ERR_LIMIT);
		assert_int_equal(files_left(x), 0);
		assert_int_equal(fx_number(x, "SELECT count(*) FROM canary"),
		    1);
		/* It can go on at once. */
		fx_sql(x,
		    "INSERT INTO taint VALUES ('a', 1);"
		    "DELETE FROM taint");
		outbox_lock_drop(sender);
	}
	store_close(&sender);
	assert_ok(x, restore(&r, x->s));
	drop_before(&r);
}

static void
copy_sql(struct fx *x, const char *sql)
{
	struct fx other = *x;

	(void)snprintf(other.path, sizeof(other.path), "%s",
	    path_of(x, "copy.db"));
	fx_sql(&other, sql);
}

/* Copies that are refused, and how they became so. */
struct refused {
	const char *what;
	const char *sql; /* changes the copy; NULL: `with` does */
	void (*with)(struct fx *x);
	enum err_kind kind;
	const char *says;
};

static void
gone(struct fx *x)
{
	assert_int_equal(unlink(path_of(x, "copy.db")), 0);
}

static void
folder(struct fx *x)
{
	gone(x);
	assert_int_equal(mkdir(path_of(x, "copy.db"), 0700), 0);
}

static void
empty(struct fx *x)
{
	assert_int_equal(truncate(path_of(x, "copy.db"), 0), 0);
}

static void
no_database(struct fx *x)
{
	FILE *f = fopen(path_of(x, "copy.db"), "w");

	assert_non_null(f);
	for (int i = 0; i < 1000; i++)
		assert_true(fputs("no database\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void
half(struct fx *x)
{
	struct stat st;

	assert_int_equal(stat(path_of(x, "copy.db"), &st), 0);
	assert_int_equal(truncate(path_of(x, "copy.db"), st.st_size / 2), 0);
}

static void
for_all(struct fx *x)
{
	assert_int_equal(chmod(path_of(x, "copy.db"), 0666), 0);
}

static void
itself(struct fx *x)
{
	gone(x);
	assert_int_equal(link(x->path, path_of(x, "copy.db")), 0);
}

static void
with_a_log(struct fx *x)
{
	FILE *f = fopen(path_of(x, "copy.db-wal"), "w");

	assert_non_null(f);
	assert_true(fputs("x", f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void
with_other_pages(struct fx *x)
{
	copy_sql(x,
	    "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM");
}

static void
of_another_key(struct fx *x)
{
	struct fx other = *x;
	struct store_keys keys = { x->admin, NULL };

	(void)snprintf(other.path, sizeof(other.path), "%s",
	    path_of(x, "copy.db"));
	other.s = fx_open(&other, STORE_ADMIN);
	assert_ok(x,
	    store_key_rotate(other.s, STORE_SLOT_ADMIN, &keys, x->other, NULL,
		&x->e));
	store_close(&other.s);
}

static const struct refused refusals[] = {
	{ "gone", NULL, gone, ERR_NOT_FOUND, "no such file" },
	{ "empty", NULL, empty, ERR_CONFIG, "the copy is empty" },
	{ "no database", NULL, no_database, ERR_DB, "the copy: " },
	{ "a half of it", NULL, half, ERR_DB, "the copy" },
	{ "no file", NULL, folder, ERR_CONFIG, "the copy is not a regular" },
	{ "others may write it", NULL, for_all, ERR_CONFIG, "the copy: " },
	{ "the store itself", NULL, itself, ERR_USAGE, "the database itself" },
	{ "with a log", NULL, with_a_log, ERR_USAGE, "a log beside" },
	{ "other pages", NULL, with_other_pages, ERR_CONFIG, "8192 bytes" },
	{ "another key", NULL, of_another_key, ERR_CONFIG,
	    "does not open that copy" },
	{ "another program's", "DROP TABLE migration", NULL, ERR_CONFIG,
	    "not a database of emcli" },
	{ "of a newer emcli",
	    "INSERT INTO migration VALUES (999, 'x', '2030-01-01T00:00:00Z')",
	    NULL, ERR_CONFIG, "the copy is newer" },
	/* Nothing in it is evaluated: that would take all memory. */
	{ "with an index of another's",
	    "INSERT INTO canary VALUES ('swordfish-1');"
	    "CREATE INDEX own ON canary (word)"
	    " WHERE length(replace(hex(zeroblob(60000000)), '0', 'ab')) > 0",
	    NULL, ERR_CONFIG, "not as emcli wrote it" },
	{ "with a column of another's in its table of migrations",
	    "DROP TABLE migration; CREATE TABLE migration (checksum TEXT,"
	    " version INTEGER AS (length(hex(zeroblob(70000000)))));"
	    "INSERT INTO migration (checksum) VALUES ('x')",
	    NULL, ERR_CONFIG, "not as emcli wrote it" },
	{ "with a view of another's",
	    "CREATE TABLE other AS SELECT * FROM migration;"
	    "DROP TABLE canary; CREATE VIEW canary AS SELECT 'a' AS word",
	    NULL, ERR_CONFIG, "not as emcli wrote it" },
	{ "edited", "UPDATE accounts SET mode = 'RO'", NULL, ERR_CONFIG,
	    "not as emcli wrote it" },
	{ "a row less in its log", "DELETE FROM audit_link WHERE seq = 1", NULL,
	    ERR_CONFIG, "not as emcli wrote it" },
	{ "a number is the last that there is",
	    "UPDATE sqlite_sequence SET seq = 9223372036854775807"
	    " WHERE name = 'accounts'",
	    NULL, ERR_CONFIG, "not as emcli wrote it" },
	{ "a number is none",
	    "UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'accounts'",
	    NULL, ERR_CONFIG, "not as emcli wrote it" },
	{ "a number is there twice",
	    "INSERT INTO sqlite_sequence VALUES ('accounts', 7)", NULL,
	    ERR_CONFIG, "not as emcli wrote it" },
	{ "a number would be given again",
	    "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'accounts'", NULL,
	    ERR_CONFIG, "not as emcli wrote it" },
	{ "orphans",
	    "INSERT INTO whitelist_out (account_id, address) VALUES (9, 'a')",
	    NULL, ERR_DB, "the copy is damaged" },
};

static void
refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct refused *v = &refusals[i];
		void *own = NULL;
		struct run r = { 0 };
		struct fx *x;

		FX_FILE();
		assert_int_equal(fx_setup(&own), 0);
		r.x = x = own;
		work_and_copy(x);
		if (v->sql != NULL)
			copy_sql(x, v->sql);
		else
			v->with(x);
		if (restore(&r, x->s) == 0 || x->e.kind != v->kind ||
		    strstr(x->e.say, v->says) == NULL)
			fail_msg("%s: %s (%s)", v->what, x->e.say, x->e.detail);
		if (files_left(x) != 0)
			fail_msg("%s: something is left", v->what);
		(void)unlink(path_of(x, "copy.db-wal"));
		(void)rmdir(path_of(x, "copy.db"));
		assert_sound(x, v->what);
		(void)fx_teardown(&own);
	}
}

/* Whoever may write the store cannot keep it from being replaced unnoticed. */
static void
what_is_there_is_odd(void **state)
{
	static const char *const odd[] = {
		"PRAGMA ignore_check_constraints = ON;"
		"INSERT INTO journal (id, account_id, principal, audit_id,"
		" kind, folder, uidvalidity, target, flags_set, flags_clear,"
		" labels_add, labels_drop, state, messages, created_s,"
		" changed_s) VALUES (1, 1, 'a', 0, 'x', '', 1, '', 1, 0, '',"
		" '', 'done', 1, 4000000000, 4000000000)",
		"ALTER TABLE taint ADD COLUMN more TEXT;"
		"ALTER TABLE acked ADD COLUMN more TEXT",
	};

	FX_FILE();
	(void)state;
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		void *own = NULL;
		struct run r = { 0 };

		assert_int_equal(fx_setup(&own), 0);
		r.x = own;
		work_and_copy(r.x);
		fx_sql(r.x, odd[i]);
		assert_err(r.x, restore(&r, r.x->s), ERR_DB);
		assert_non_null(strstr(r.x->e.say, "what happened since"));
		assert_non_null(strstr(r.x->e.hint, "move the database aside"));
		assert_int_equal(files_left(r.x), 0);
		(void)fx_teardown(&own);
	}
}

static void
put_another(struct fx *x)
{
	assert_int_equal(rename(x->path, path_of(x, "away")), 0);
	assert_int_equal(link(path_of(x, "copy.db"), x->path), 0);
}

/* What would be kept is not what would be replaced. */
static void
it_is_moved_meanwhile(void **state)
{
	struct run r = { .x = *state, .meanwhile = put_another };
	struct fx *x = r.x;

	FX_FILE();
	work_and_copy(x);
	assert_err(x, restore(&r, x->s), ERR_DB);
	assert_non_null(strstr(x->e.say, "moved or replaced"));
	assert_int_equal(files_left(x), 0);
	assert_int_equal(unlink(x->path), 0);
	assert_int_equal(rename(path_of(x, "away"), x->path), 0);
}

/* SQLite says that the disk is full. */
static void
last_number_is_told(struct fx *x, const char *sql)
{
	const struct store_audit row = { .principal = S("operator"),
		.action = S("store.restore") };
	int64_t id;

	fx_sql(x, sql);
	x->e = (struct err){ 0 };
	assert_int_equal(store_audit_asked(x->s, &row, &id, &x->e), -1);
	assert_int_equal(x->e.kind, ERR_DB);
	assert_non_null(strstr(x->e.say, "the last number"));
	assert_non_null(x->e.hint);
}

static void
last_number(void **state)
{
	struct fx *x = *state;

	FX_FILE();
	work_and_copy(x);
	last_number_is_told(x,
	    "UPDATE sqlite_sequence SET seq = 9223372036854775807"
	    " WHERE name = 'audit_link'");
	last_number_is_told(x,
	    "UPDATE sqlite_sequence SET seq = (SELECT max(seq)"
	    " FROM audit_link) WHERE name = 'audit_link';"
	    "UPDATE sqlite_sequence SET seq = 9223372036854775807"
	    " WHERE name = 'audit_log'");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("while something is sent", a_send_is_under_way),
		TEST("a table without a next number", last_number),
		TEST("a store that is moved meanwhile", it_is_moved_meanwhile),
		TEST_EMPTY("copies that are refused", refused),
		TEST_EMPTY("a store that has odd rows", what_is_there_is_odd),
	};

	return cmocka_run_group_tests_name("store/restore_refused", tests, NULL,
	    NULL);
}
