/* SPDX-License-Identifier: Apache-2.0 */
/* The connection: the error of a full disk, and the WAL's size. */
#include <signal.h>
#include <sys/resource.h>

#include "fixture.h"
#include "store/audit.h"

static struct store_audit
row(void)
{
	return (struct store_audit){ .principal = S("agent"),
		.account = S("work"),
		.action = S("list"),
		.target = S("INBOX") };
}

/* SQLITE_FULL, with a disk that has only one page more. */
static void
full(void **state)
{
	struct fx *x = *state;
	struct store_audit a = row();
	int64_t id, before = fx_number(x, "SELECT count(*) FROM audit_log");
	int r = 0;

	FX_FILE();
	assert_int_equal(sqlite3_exec(x->s->db, "PRAGMA max_page_count = 1",
			     NULL, NULL, NULL),
	    SQLITE_OK);
	for (int i = 0; r == 0 && i < 1000; i++, before++)
		r = store_audit_asked(x->s, &a, &id, &x->e);
	assert_int_equal(r, -1);
	assert_int_equal(x->e.kind, ERR_DB);
	assert_string_equal(x->e.say,
	    "the store cannot be written: the disk is full");
	/* The failed row is not there, and the store still works. */
	assert_int_equal(fx_number(x, "SELECT count(*) FROM audit_log"),
	    before - 1);
	assert_int_equal(sqlite3_exec(x->s->db,
			     "PRAGMA max_page_count = 100000", NULL, NULL,
			     NULL),
	    SQLITE_OK);
	assert_ok(x, store_audit_asked(x->s, &a, &id, &x->e));
}

/* The WAL's index is also a file, with an error code of its own in SQLite. */
static void
full_at_open(void **state)
{
	struct rlimit small = { 16384, 0 };
	struct fx *x = *state;
	struct rlimit before;
	struct store *s = NULL;
	int r;

	FX_FILE();
	store_close(&x->s);
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	r = store_open(x->path, STORE_AGENT, &x->keys, &s, &x->e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(r, -1);
	assert_string_equal(x->e.say,
	    "the store cannot be written: the disk is full");
}

/* A big purge must not keep its space for ever. */
static void
wal_shrinks(void **state)
{
	struct fx *x = *state;
	struct store_audit a = row();
	struct store *s;
	char wal[128];
	struct stat st;
	int64_t id;

	FX_FILE();
	fx_sql(x,
	    "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c"
	    " WHERE i < 80000) INSERT INTO audit_log (ts, action, result,"
	    " state) SELECT '2001-01-01T00:00:00Z', 'list', 'allowed', 'done'"
	    " FROM c");
	store_close(&x->s);
	s = fx_open(x, STORE_AGENT); /* purges */
	(void)snprintf(wal, sizeof(wal), "%s-wal", x->path);
	for (int i = 0; i < 3; i++)
		assert_ok(x, store_audit_asked(s, &a, &id, &x->e));
	assert_int_equal(stat(wal, &st), 0);
	assert_true(st.st_size <= 4 << 20);
	store_close(&s);
}

/* Also one that could not be opened is none. */
static void
open_is_known(void **state)
{
	struct fx *x = *state;
	struct store *s;

	FX_FILE();
	assert_true(store_opened_any());
	s = fx_open(x, STORE_AGENT);
	store_close(&x->s);
	assert_true(store_opened_any());
	store_close(&s);
	assert_false(store_opened_any());
	assert_int_equal(store_open("/nowhere/at-all", STORE_AGENT, &x->keys,
			     &s, &x->e),
	    -1);
	assert_false(store_opened_any());
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("a full disk is told, and nothing is half done", full),
		TEST("and told when it is full before we begin", full_at_open),
		TEST("the WAL gives its room back", wal_shrinks),
		TEST("a process knows that it has one open", open_is_known),
	};

	return cmocka_run_group_tests_name("store/connect", tests, NULL, NULL);
}
