/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cached listing is used only while the folder cannot have changed.  Whatever
 * happens to the cache file, the result is the folder's real content.
 */
#include "maildir_site.h"

#include <sys/syscall.h>
#include <time.h>

#include "backend/maildir/internal.h"

#define MANY 600
#define CACHE "cache"
#define CUR AGENT "/cur"
#define SECOND 1000000000LL

/* -- the rule ------------------------------------------------------------- */

#define T0 (1000 * SECOND)

struct moment {
	const char *why;
	int64_t mtime, ctime; /* of cur/ when it was read, */
	int64_t read_at;      /* which began at this time */
	int64_t set;          /* how far the clock was set since */
	int64_t later;        /* when it is checked */
	int64_t new_mtime;    /* of cur/ at that time */
	bool holds;
};

static const struct moment moments[] = {
	{ "long ago and unchanged", T0, T0, T0 + 5 * SECOND, 0, T0 + 6 * SECOND,
	    T0, true },
	{ "changed since", T0, T0, T0 + 5 * SECOND, 0, T0 + 6 * SECOND, T0 + 1,
	    false },
	{ "changed to a time before", T0, T0, T0 + 5 * SECOND, 0,
	    T0 + 6 * SECOND, T0 - 1, false },
	{ "read in the second of the change", T0, T0, T0 + SECOND / 2, 0,
	    T0 + 9 * SECOND, T0, false },
	{ "read in the same moment", T0, T0, T0, 0, T0 + 9 * SECOND, T0,
	    false },
	{ "mtime was set back, ctime tells", T0 - 90 * SECOND, T0,
	    T0 + SECOND / 2, 0, T0 + 9 * SECOND, T0 - 90 * SECOND, false },
	{ "mtime of a time to come", T0 + 90 * SECOND, T0, T0 + 5 * SECOND, 0,
	    T0 + 9 * SECOND, T0 + 90 * SECOND, false },
	{ "the clock was set back behind the reading", T0, T0, T0 + 5 * SECOND,
	    -10 * SECOND, T0 - 2 * SECOND, T0, false },
	{ "set back, and it has come past it again", T0, T0, T0 + 5 * SECOND,
	    -10 * SECOND, T0 + 90 * SECOND, T0, false },
	{ "the clock was set forward", T0, T0, T0 + 5 * SECOND, 3600 * SECOND,
	    T0 + 3700 * SECOND, T0, false },
	{ "the clock was mended a little", T0, T0, T0 + 5 * SECOND,
	    -SECOND / 10, T0 + 6 * SECOND, T0, true },
};

static void
a_listing_holds_while_nothing_can_have_changed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++) {
		const struct moment *k = &moments[i];
		struct maildir_view was = {
			.half = { { 1, 2, k->mtime, k->ctime } },
			.at_ns = k->read_at,
			.ahead_ns = 7,
		};
		struct maildir_view is = was;

		is.half[0].mtime_ns = k->new_mtime;
		is.at_ns = k->later;
		is.ahead_ns += k->set;
		if (maildir_trust_holds(&was, &is) != k->holds)
			fail_msg("%s", k->why);
	}
}

static void
another_folder_is_another(void **state)
{
	struct maildir_view was = { .at_ns = T0 }, is = was;

	(void)state;
	assert_true(maildir_trust_holds(&was, &is));
	is.half[1].ino = 1;
	assert_false(maildir_trust_holds(&was, &is));
	is = was;
	is.half[0].dev = 1;
	assert_false(maildir_trust_holds(&was, &is));
}

/* -- folders -------------------------------------------------------------- */

/* Even numbers in new/, odd ones in cur/. */
static void
put(const struct site *s, unsigned i)
{
	char name[64], text[64];

	(void)snprintf(name, sizeof(name),
	    i % 2 == 0 ? "new/%u.m" : "cur/%u.m:2,S", 1000 + i);
	(void)snprintf(text, sizeof(text), "Subject: %u\r\n\r\nbody\r\n", i);
	site_mail(s, name, text);
}

static void
reopen(struct site *s)
{
	maildir_backend.close(s->c);
	site_open(s);
}

/* On a new connection: is the folder's state known?  Its digest, or "". */
static struct str
known(struct site *s)
{
	struct folder_state st;

	reopen(s);
	assert_int_equal(maildir_backend.listing(s->c, s->a, S("INBOX"), &st,
			     &s->e),
	    0);
	return st.listing;
}

/* Reads the folder: `n` messages in order, the last one with this name. */
static struct str
scan(struct site *s, size_t n, const char *last)
{
	struct folder_state st;
	struct strs ids;

	reopen(s);
	assert_int_equal(maildir_backend.scan(s->c, s->a, S("INBOX"), &st, &ids,
			     &s->e),
	    0);
	assert_int_equal(st.exists, n);
	assert_int_equal(ids.n, n);
	assert_str(ids.v[n - 1], last);
	for (size_t i = 0; n == MANY && i < n; i++)
		assert_str(ids.v[i], str_fmt(s->a, "%zu.m", 1000 + i).p);
	return st.listing;
}

/* Read on a new connection, the message is this one. */
static void
has(struct site *s, const char *id, const char *head)
{
	struct ref ref = { 1, str_of(id) };
	struct refs refs = { &ref, 1 };
	struct folder_state st;
	struct rows rows;

	reopen(s);
	assert_int_equal(maildir_backend.headers(s->c, s->a, S("INBOX"), &refs,
			     &st, &rows, &s->e),
	    0);
	assert_int_equal(rows.n, 1);
	assert_str(rows.v[0].head, head);
}

/*
 * Replaces the C library's clock_gettime(): the folder's times are the
 * machine's, and the clock is a minute before or after.
 */
static time_t ahead_s;

int
clock_gettime(clockid_t clock, struct timespec *ts)
{
	int r = (int)syscall(SYS_clock_gettime, clock, ts);

	if (clock != CLOCK_MONOTONIC)
		ts->tv_sec += ahead_s;
	return r;
}

/* From now on reads come too soon after a change. */
static void
hurry(void)
{
	ahead_s = -60;
}

/* Moves the clock on: from now on what is read is settled. */
static void
settle(void)
{
	ahead_s = 60;
}

/* A folder that was read after it was settled, and is known. */
static struct str
fill(struct site *s)
{
	static char cache[PATH_MAX];
	struct str digest;

	site_path(cache, s, CACHE);
	s->acct.cache_dir = str_of(cache);
	for (unsigned i = 0; i < MANY; i++)
		put(s, i);
	/* Too soon to be trusted. */
	hurry();
	digest = scan(s, MANY, "1599.m");
	assert_int_equal(digest.n, 64);
	assert_int_equal(known(s).n, 0);
	settle();
	assert_true(str_eq(scan(s, MANY, "1599.m"), digest));
	assert_true(str_eq(known(s), digest));
	assert_true(str_eq(scan(s, MANY, "1599.m"), digest));
	return digest;
}

static void
change(const struct site *s, const char *rel, const struct timespec when[2])
{
	char path[PATH_MAX];

	site_path(path, s, rel);
	assert_int_equal(utimensat(AT_FDCWD, path, when, 0), 0);
}

static void
what_comes_and_goes_is_noticed(void **state)
{
	struct site *s = *state;
	struct str digest = fill(s);
	struct timespec was[2];
	char path[PATH_MAX];
	struct stat st;

	has(s, "1599.m", "Subject: 599\r\n");
	/* A flag, set and removed. */
	site_rename(s, CUR "/1001.m:2,S", CUR "/1001.m:2,DS");
	assert_int_equal(known(s).n, 0);
	site_rename(s, CUR "/1001.m:2,DS", CUR "/1001.m:2,S");
	assert_int_equal(known(s).n, 0);
	/* Read too soon; then settled. */
	hurry();
	assert_true(str_eq(scan(s, MANY, "1599.m"), digest));
	assert_int_equal(known(s).n, 0);
	settle();
	(void)scan(s, MANY, "1599.m");
	assert_true(str_eq(known(s), digest));
	/* One more message, and the folder made to look unchanged. */
	site_path(path, s, AGENT "/new");
	assert_int_equal(stat(path, &st), 0);
	was[0] = st.st_atim;
	was[1] = st.st_mtim;
	put(s, 2000);
	change(s, AGENT "/new", was);
	assert_int_equal(known(s).n, 0);
	assert_false(str_eq(scan(s, MANY + 1, "3000.m"), digest));
	has(s, "3000.m", "Subject: 2000\r\n");
	/* One message less. */
	site_path(path, s, AGENT "/new/3000.m");
	assert_int_equal(unlink(path), 0);
	assert_true(str_eq(scan(s, MANY, "1599.m"), digest));
}

static void
a_folder_in_its_place_is_another(void **state)
{
	struct site *s = *state;

	(void)fill(s);
	site_rename(s, CUR, AGENT "/old");
	site_mkdir(s, CUR);
	assert_int_equal(known(s).n, 0);
	(void)scan(s, MANY / 2, "1598.m");
}

static void
drafts_and_flags_are_known_too(void **state)
{
	struct ref refs[] = { { 1, SI("1001.m") }, { 2, SI("1003.m") } };
	const struct refs both = { refs, 2 };
	struct site *s = *state;
	struct folder_state st;
	struct rows rows;

	put(s, 1);
	site_rename(s, CUR "/1001.m:2,S", CUR "/1001.m:2,DS");
	for (unsigned i = 3; i < MANY; i++)
		put(s, i);
	s->acct.cache_dir = S("");
	settle();
	/* Without a folder for it nothing is cached, and nothing is missing. */
	(void)scan(s, MANY - 2, "1599.m");
	assert_int_equal(known(s).n, 0);
	for (int i = 0; i < 2; i++) {
		reopen(s);
		assert_int_equal(maildir_backend.headers(s->c, s->a, S("INBOX"),
				     &both, &st, &rows, &s->e),
		    0);
		assert_true(rows.v[0].draft);
		assert_false(rows.v[1].draft);
	}
}

/* By names that were kept, and are not kept any more. */
static void
what_is_marked_or_moved_is_noticed(void **state)
{
	struct ref ref = { 1, SI("1001.m") };
	const struct refs one = { &ref, 1 };
	const struct flag_change change = { .set = FLAG_FLAGGED };
	struct site *s = *state;
	struct folder_state st;
	struct rows rows;
	struct refs moved;

	(void)fill(s);
	site_box(s, AGENT "/.Archive");
	reopen(s);
	assert_int_equal(maildir_backend.mark(s->c, s->a, S("INBOX"), &one,
			     &change, &s->e),
	    0);
	assert_int_equal(known(s).n, 0);
	assert_int_equal(maildir_backend.headers(s->c, s->a, S("INBOX"), &one,
			     &st, &rows, &s->e),
	    0);
	assert_int_equal(rows.v[0].flags, FLAG_READ | FLAG_FLAGGED);
	(void)scan(s, MANY, "1599.m");
	assert_int_equal(known(s).n, 64);
	ref.id = S("1599.m");
	assert_int_equal(maildir_backend.move(s->c, s->a, S("INBOX"), &one,
			     S("Archive"), NULL, &moved, &s->e),
	    0);
	assert_int_equal(known(s).n, 0);
	(void)scan(s, MANY - 1, "1598.m");
}

/* Changes every byte of the head and many of the rest, and cuts anywhere. */
static void
a_spoilt_file_is_never_believed(void **state)
{
	struct site *s = *state;
	struct str digest = fill(s);
	static char good[200000];
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	site_kept(path, s, CACHE, ".names");
	fd = open(path, O_RDWR);
	n = read(fd, good, sizeof(good));
	assert_true(n > 10000 && n < (ssize_t)sizeof(good));
	for (ssize_t at = 0; at < n; at += at < 250 ? 1 : 331) {
		char bad = (char)(good[at] ^ 0x41);
		struct str now;

		assert_int_equal(pwrite(fd, good, (size_t)n, 0), n);
		assert_int_equal(pwrite(fd, &bad, 1, at), 1);
		now = known(s);
		assert_true(now.n == 0 || str_eq(now, digest));
		has(s, "1000.m", "Subject: 0\r\n");
		has(s, "1301.m", "Subject: 301\r\n");
		assert_true(str_eq(scan(s, MANY, "1599.m"), digest));
		/* A scan replaces it with a complete one. */
		(void)close(fd);
		fd = open(path, O_RDWR);
	}
	for (ssize_t cut = n - 1; cut >= 0; cut = cut > 0 ? cut / 3 : -1) {
		assert_int_equal(pwrite(fd, good, (size_t)n, 0), n);
		assert_int_equal(ftruncate(fd, cut), 0);
		assert_int_equal(known(s).n, 0);
		has(s, "1301.m", "Subject: 301\r\n");
		(void)scan(s, MANY, "1599.m");
		(void)close(fd);
		fd = open(path, O_RDWR);
	}
	(void)close(fd);
	/* A link in its place is not followed. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/dev/zero", path), 0);
	assert_int_equal(known(s).n, 0);
	(void)scan(s, MANY, "1599.m");
}

static void
a_few_are_read_each_time(void **state)
{
	struct site *s = *state;
	static char cache[PATH_MAX];

	site_path(cache, s, CACHE);
	s->acct.cache_dir = str_of(cache);
	for (unsigned i = 0; i < 5; i++)
		put(s, i);
	settle();
	assert_int_equal(scan(s, 5, "1004.m").n, 0);
	assert_int_equal(known(s).n, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_listing_holds_while_nothing_can_have_changed),
		cmocka_unit_test(another_folder_is_another),
		SITE_TEST(what_comes_and_goes_is_noticed),
		SITE_TEST(a_folder_in_its_place_is_another),
		SITE_TEST(drafts_and_flags_are_known_too),
		SITE_TEST(what_is_marked_or_moved_is_noticed),
		SITE_TEST(a_spoilt_file_is_never_believed),
		SITE_TEST(a_few_are_read_each_time),
	};

	return cmocka_run_group_tests_name("backend/maildir/listing", tests,
	    NULL, NULL);
}
