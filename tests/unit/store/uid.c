/* SPDX-License-Identifier: Apache-2.0 */
/* Numbering: in order of arrival, once, never used again. */
#include <sys/wait.h>

#include "fixture.h"

static struct store_uids
sync_ids(struct fx *x, int64_t account, const struct strs *ids)
{
	struct store_uids y = { 0 };

	assert_ok(x,
	    store_uid_sync(x->s, x->a, account, S("INBOX"), ids, S(""), &y,
		&x->e));
	return y;
}

static struct strs
words_of(struct fx *x, const char *words)
{
	struct str rest = str_of(words);
	struct str word;
	struct strs ids = { 0 };

	while (rest.n > 0) {
		(void)str_cut(rest, ' ', &word, &rest);
		str_push(x->a, &ids, word);
	}
	return ids;
}

/* Syncs the words of a text. */
static struct store_uids
sync_words(struct fx *x, int64_t account, const char *words)
{
	struct strs ids = words_of(x, words);

	return sync_ids(x, account, &ids);
}

/* "1a 2b": the state of the numbering. */
static void
looks(struct fx *x, struct store_uids y, const char *want)
{
	struct str text = { "", 0 };

	for (size_t i = 0; i < y.n; i++)
		text = str_fmt(x->a, "%.*s%s%u%.*s", STR_ARG(text),
		    i > 0 ? " " : "", y.v[i].uid, STR_ARG(y.v[i].id));
	if (!str_eq(text, str_of(want)))
		fail_msg("is \"%.*s\", not \"%s\"", STR_ARG(text), want);
}

static void
first(void **state)
{
	struct fx *x = *state;
	struct store_uids y = sync_words(x, fx_account(x, "a"), "z m a");

	looks(x, y, "1z 2m 3a");
	assert_int_equal(y.uidnext, 4);
	assert_true(y.uidvalidity > 1000000000u);
}

static void
empty(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct store_uids y = sync_words(x, id, "");

	assert_int_equal(y.n, 0);
	assert_int_equal(y.uidnext, 1);
	assert_true(y.uidvalidity != 0);
	looks(x, sync_words(x, id, "a"), "1a");
}

static void
more(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct store_uids y = sync_words(x, id, "z m");
	uint32_t validity = y.uidvalidity;

	y = sync_words(x, id, "z m b a");
	looks(x, y, "1z 2m 3b 4a");
	assert_int_equal(y.uidnext, 5);
	assert_int_equal(y.uidvalidity, validity);
	/* A late one among old ones: by first sight, not by position. */
	looks(x, sync_words(x, id, "new z m b a"), "1z 2m 3b 4a 5new");
	looks(x, sync_words(x, id, "a b m new z"), "1z 2m 3b 4a 5new");
}

static void
gone(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct store_uids y;

	(void)sync_words(x, id, "a b c");
	looks(x, sync_words(x, id, "a c"), "1a 3c");
	y = sync_words(x, id, "a c d");
	looks(x, y, "1a 3c 4d");
	looks(x, sync_words(x, id, ""), "");
	y = sync_words(x, id, "e");
	looks(x, y, "5e");
	assert_int_equal(y.uidnext, 6);
}

/* Missing from one listing, present in the next: it is the same message. */
static void
back(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	(void)sync_words(x, id, "a b c");
	looks(x, sync_words(x, id, "a c"), "1a 3c");
	looks(x, sync_words(x, id, "a c b"), "1a 2b 3c");
	assert_int_equal(fx_number(x,
			     "SELECT count(*) FROM uid_map WHERE gone <> 0"),
	    0);
}

static void
forgotten(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	(void)sync_words(x, id, "a b c");
	(void)sync_words(x, id, "a");
	fx_sql(x, "UPDATE uid_map SET gone = gone - 3601 WHERE uid = 2");
	(void)sync_words(x, id, "a");
	assert_int_equal(fx_number(x, "SELECT count(*) FROM uid_map"), 2);
	/* Its number is not used again, even if it returns. */
	looks(x, sync_words(x, id, "a b c"), "1a 3c 4b");
}

static void
last_gone(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	(void)sync_words(x, id, "a b");
	(void)sync_words(x, id, "a");
	fx_sql(x, "UPDATE uid_map SET gone = gone - 3601 WHERE uid = 2");
	looks(x, sync_words(x, id, "a n"), "1a 3n");
}

static void
doubled(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	looks(x, sync_words(x, id, "a b a b"), "1a 2b");
	looks(x, sync_words(x, id, "a b a c c"), "1a 2b 3c");
}

static void
any_bytes(void **state)
{
	struct str v[] = { SI("a\0b"), SI("a"), SI("\xFF'"), { NULL, 0 } };
	struct strs ids = { v, 4 };
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");

	for (int i = 0; i < 2; i++) {
		struct store_uids y = sync_ids(x, id, &ids);

		assert_int_equal(y.n, 4);
		for (size_t k = 0; k < 4; k++)
			assert_true(str_eq(y.v[k].id, v[k]));
		assert_int_equal(y.uidnext, 5);
	}
}

static void
apart(void **state)
{
	struct fx *x = *state;
	int64_t a = fx_account(x, "a");
	int64_t b = fx_account(x, "b");
	struct str one = S("x");
	struct strs ids = { &one, 1 };
	struct store_uids y = { 0 };

	(void)sync_words(x, a, "x y");
	looks(x, sync_words(x, b, "y"), "1y");
	assert_ok(x,
	    store_uid_sync(x->s, x->a, a, S("Other"), &ids, S(""), &y, &x->e));
	looks(x, y, "1x");
	looks(x, sync_words(x, a, "x y"), "1x 2y");
}

static void
ran_out(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct str v[] = { SI("a"), SI("b") };
	struct strs ids = { v, 2 };
	struct store_uids y;

	(void)sync_words(x, id, "a");
	fx_sql(x, "UPDATE uid_folder SET uidnext = 4294967295");
	assert_err(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &ids, S(""), &y, &x->e),
	    ERR_LIMIT);
	looks(x, sync_words(x, id, "a"), "1a");
}

/* Words are ids; what the numbering is after it. */
static struct store_uids
change_words(struct fx *x, int64_t account, const char *since,
    const char *listing, const char *came, const char *gone, int want)
{
	struct strs c = words_of(x, came), g = words_of(x, gone);
	const struct store_uid_change change = { str_of(since), str_of(listing),
		&c, &g };
	struct store_uids y = { 0 };
	int r = store_uid_change(x->s, account, S("INBOX"), &change, &y, &x->e);

	assert_ok(x, r);
	assert_int_equal(r, want);
	if (r == 1)
		assert_ok(x,
		    store_uid_known_page(x->s, x->a, 1, UINT32_MAX, 100, &y,
			&x->e));
	return y;
}

static void
changed(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct strs ids = words_of(x, "a b c");
	struct store_uids y;
	struct str listing;

	/* What was never listed is not changed. */
	assert_int_equal(store_uid_change_last(x->s, x->a, id, S("INBOX"), &y,
			     &listing, &x->e),
	    0);
	(void)change_words(x, id, "", "1", "a", "", 0);
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &ids, S("1"), &y,
		&x->e));
	/* One that is there already and one that never was are no changes. */
	y = change_words(x, id, "1", "2", "d b e", "a z", 1);
	looks(x, y, "2b 3c 4d 5e");
	assert_int_equal(y.uidnext, 6);
	/* Another process was first. */
	(void)change_words(x, id, "1", "3", "f", "", 0);
	assert_int_equal(store_uid_change_last(x->s, x->a, id, S("INBOX"), &y,
			     &listing, &x->e),
	    1);
	assert_true(str_eq(listing, S("2")));
	/* Within an hour it has its number again, later another one. */
	looks(x, change_words(x, id, "2", "3", "a", "", 1), "1a 2b 3c 4d 5e");
	(void)change_words(x, id, "3", "4", "", "a c", 1);
	fx_sql(x, "UPDATE uid_map SET gone = gone - 3601 WHERE uid = 1");
	looks(x, change_words(x, id, "4", "5", "a c", "", 1), "2b 3c 4d 5e 6a");
	/* And a sync agrees. */
	ids = words_of(x, "b c d e a");
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &ids, S("6"), &y,
		&x->e));
	looks(x, y, "2b 3c 4d 5e 6a");
}

static void
no_account(void **state)
{
	struct fx *x = *state;
	struct str one = S("x");
	struct strs ids = { &one, 1 };
	struct store_uids y;

	assert_err(x,
	    store_uid_sync(x->s, x->a, 77, S("INBOX"), &ids, S(""), &y, &x->e),
	    ERR_NOT_FOUND);
}

#define MANY 100000

/* Seconds with sanitizers on a slow machine; tenths without. */
static void
large(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	struct str *v = arena_array(x->a, MANY + 1, sizeof(*v));
	struct strs ids = { v, MANY };
	struct store_uids y;

	for (size_t i = 0; i <= MANY; i++)
		v[i] = str_fmt(x->a, "%zu.M%zuP1.host.b.example,S=4711",
		    1700000000 + i * 7919 % MANY, i);
	y = sync_ids(x, id, &ids);
	assert_int_equal(y.n, MANY);
	assert_int_equal(y.uidnext, MANY + 1);
	y = sync_ids(x, id, &ids);
	assert_int_equal(y.v[MANY - 1].uid, MANY);
	ids.n++;
	y = sync_ids(x, id, &ids);
	assert_int_equal(y.uidnext, MANY + 2);
}

/* The events of a listing: the numbers from `low` to `high`, at most max. */
static void
knows(struct fx *x, int64_t account, const char *listing, const char *want,
    uint32_t low, uint32_t high, size_t max)
{
	struct store_uids y;
	int r = store_uid_known(x->s, account, S("INBOX"), str_of(listing), &y,
	    &x->e);

	assert_int_equal(r, want != NULL);
	if (want == NULL)
		return;
	assert_ok(x,
	    store_uid_known_page(x->s, x->a, low, high, max, &y, &x->e));
	looks(x, y, want);
}

static void
listing(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a"), other = fx_account(x, "b");
	struct str v[] = { SI("x"), SI("y"), SI("z"), SI("w") };
	struct strs ids = { v, 3 };
	struct store_uids y;

	knows(x, id, "L1", NULL, 1, 9, 9);
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &ids, S("L1"), &y,
		&x->e));
	knows(x, id, "L1", "1x 2y 3z", 1, UINT32_MAX, SIZE_MAX);
	knows(x, id, "L1", "2y 3z", 1, UINT32_MAX, 2);
	knows(x, id, "L1", "1x 2y", 0, 2, 9);
	knows(x, id, "L1", "", 4, 9, 9);
	knows(x, other, "L1", NULL, 1, 9, 9);
	knows(x, id, "", NULL, 1, 9, 9);
	/* The same mail under another name is recorded too. */
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &ids, S("L2"), &y,
		&x->e));
	knows(x, id, "L1", NULL, 1, 9, 9);
	knows(x, id, "L2", "1x 2y 3z", 1, 9, 9);
	/* Missing messages are in no listing, whatever they were before. */
	ids = (struct strs){ v + 1, 3 };
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("INBOX"), &ids, S("L3"), &y,
		&x->e));
	knows(x, id, "L3", "2y 3z 4w", 1, 9, 9);
	/* A caller that reports nothing leaves nothing known. */
	looks(x, sync_words(x, id, "y z"), "2y 3z");
	knows(x, id, "L3", NULL, 1, 9, 9);
	knows(x, id, "", NULL, 1, 9, 9);
}

/* Each sees the same folder first; all must get the same numbers. */
static void
at_once(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a");
	pid_t pid[6];

	store_close(&x->s);
	for (int i = 0; i < 6; i++) {
		pid[i] = fork();
		if (pid[i] == 0) {
			x->s = fx_open(x, STORE_AGENT);
			looks(x, sync_words(x, id, "a b c d e f"),
			    "1a 2b 3c 4d 5e 6f");
			store_close(&x->s);
			_exit(0);
		}
	}
	for (int i = 0; i < 6; i++) {
		int status = -1;

		assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
		assert_int_equal(status, 0);
	}
	x->s = fx_open(x, STORE_ADMIN);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM uid_map"), 6);
	assert_int_equal(fx_number(x, "SELECT count(*) FROM uid_folder"), 1);
}

/* What is gone, and another account's, is not there. */
static void
folders(void **state)
{
	struct fx *x = *state;
	int64_t id = fx_account(x, "a"), other = fx_account(x, "b");
	struct strs one = words_of(x, "m n"), left = words_of(x, "n"), in;
	struct store_uids y;

	for (int i = 0; i < 3; i++)
		assert_ok(x,
		    store_uid_sync(x->s, x->a, id, str_fmt(x->a, "f%d", i),
			&one, S(""), &y, &x->e));
	assert_ok(x,
	    store_uid_sync(x->s, x->a, id, S("f1"), &left, S(""), &y, &x->e));
	(void)sync_words(x, other, "m");
	assert_ok(x, store_uid_folders(x->s, x->a, id, S("m"), &in, &x->e));
	assert_int_equal(in.n, 2);
	assert_true(str_among(&in, S("f0")) && str_among(&in, S("f2")));
	assert_ok(x, store_uid_folders(x->s, x->a, id, S("x"), &in, &x->e));
	assert_int_equal(in.n, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST("numbers go in the order given", first),
		TEST("an empty folder has a uidvalidity", empty),
		TEST("what comes later has higher numbers", more),
		TEST("what is gone is left out", gone),
		TEST("what is missed for a moment keeps its number", back),
		TEST("what is gone for long is forgotten", forgotten),
		TEST("the highest number is not given again", last_gone),
		TEST("an id that comes twice is one message", doubled),
		TEST("ids are any bytes", any_bytes),
		TEST("folders and accounts are apart", apart),
		TEST("running out of numbers is an error", ran_out),
		TEST("what changed is numbered as a sync does it", changed),
		TEST("a folder needs its account", no_account),
		TEST("100000 messages take a moment", large),
		TEST("a listing that was numbered is known again", listing),
		TEST("a message is in the folders that have it now", folders),
		TEST("processes at once agree", at_once),
	};

	return cmocka_run_group_tests_name("store/uid", tests, NULL, NULL);
}
