/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches so many messages that their headers are cached: the result must be
 * the same as from reading each one.
 */
#include "maildir_site.h"

#include "../../named.h"

#include "base/buf.h"

#define MANY 600
#define CACHE "cache"

static void
put(const struct site *s, unsigned i, const char *flags, const char *head)
{
	char name[64], text[4096];

	(void)snprintf(name, sizeof(name), "cur/%u.m:2,%s", 1000 + i, flags);
	(void)snprintf(text, sizeof(text),
	    "Message-ID: <%u@x.example>\r\n%s\r\nbody\r\n", i, head);
	site_mail(s, name, text);
}

static void
fill(struct site *s)
{
	static char cache[PATH_MAX];

	site_path(cache, s, CACHE);
	s->acct.cache_dir = str_of(cache);
	for (unsigned i = 0; i < MANY; i++)
		put(s, i, "S",
		    i % 100 == 50 ? "References: <0@x.example>\r\n"
				    "List-Id: <dev.x.example>\r\n"
				  : "List-Id: <other.example>\r\n");
}

/* Searched on a new connection: the ids found, newest first. */
static void
expect(struct site *s, struct query q, const char *want)
{
	struct folder_state st;
	struct rows rows = { 0 };
	struct buf b;

	maildir_backend.close(s->c);
	site_open(s);
	q.folder = S("INBOX");
	assert_int_equal(maildir_backend.find(s->c, s->a, &q, 500, &st, &rows,
			     &s->e),
	    0);
	buf_init(&b, s->a, 10000);
	for (size_t i = 0; i < rows.n; i++) {
		buf_text(&b, i > 0 ? " " : "");
		buf_str(&b, rows.v[i].ref.id);
	}
	assert_str(buf_view(&b), want);
}

/* The same for messages that name an id. */
static void
expect_named(struct site *s, const char *id, const char *want)
{
	struct refs refs;
	struct buf b;

	maildir_backend.close(s->c);
	site_open(s);
	assert_int_equal(named_find(s->c, s->a, S("INBOX"), str_of(id), &refs,
			     &s->e),
	    0);
	buf_init(&b, s->a, 10000);
	for (size_t i = 0; i < refs.n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? " " : "", STR_ARG(refs.v[i].id));
	assert_str(buf_view(&b), want);
}

static void
expect_all(struct site *s)
{
	expect(s, (struct query){ .message_id = S("<7@x.example>") }, "1007.m");
	expect(s, (struct query){ .message_id = S("<nobody@x>") }, "");
	expect_named(s, "<0@x.example>",
	    "1550.m 1450.m 1350.m 1250.m 1150.m 1050.m 1000.m");
	expect(s, (struct query){ .list = S("dev@x.example") },
	    "1550.m 1450.m 1350.m 1250.m 1150.m 1050.m");
	expect(s,
	    (struct query){ .message_id = S("<7@x.example>"),
		.received_s = clock_now() + 1000 },
	    "");
}

static void
what_is_remembered_is_what_is_there(void **state)
{
	struct site *s = *state;
	struct stat st;
	char path[PATH_MAX];

	fill(s);
	expect_all(s);
	assert_int_equal(site_count(s, CACHE), 1);
	site_kept(path, s, CACHE, ".facts");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	expect_all(s);
	/* Without a folder for it nothing is cached, and nothing is missing. */
	s->acct.cache_dir = S("");
	expect_all(s);
}

/* The header is not read again: this is the cache's purpose. */
static void
a_message_is_read_once(void **state)
{
	struct site *s = *state;

	fill(s);
	expect_all(s);
	put(s, 7, "S", "References: <changed@x.example>\r\n");
	expect_named(s, "<changed@x.example>", "");
}

static void
what_comes_and_goes_is_noticed(void **state)
{
	struct site *s = *state;
	char path[PATH_MAX];

	fill(s);
	expect_all(s);
	put(s, 2000, "", "References: <0@x.example>\r\n");
	site_path(path, s, AGENT "/cur/1550.m:2,S");
	assert_int_equal(unlink(path), 0);
	site_rename(s, AGENT "/cur/1450.m:2,S", AGENT "/cur/1450.m:2,RS");
	expect_named(s, "<0@x.example>",
	    "3000.m 1450.m 1350.m 1250.m 1150.m 1050.m 1000.m");
}

static void
what_is_too_long_to_remember_is_read(void **state)
{
	struct site *s = *state;
	char head[4000] = "References: <first@x.example>";

	fill(s);
	for (int i = 0; i < 60; i++)
		(void)snprintf(head + strlen(head), sizeof(head) - strlen(head),
		    "\r\n <%040d@x.example>", i);
	(void)strncat(head, "\r\n", 3);
	put(s, 2000, "", head);
	for (int i = 0; i < 2; i++) {
		expect_named(s, "<first@x.example>", "3000.m");
		expect_named(s, "<last@x.example>", "");
	}
}

/* Changes each byte of the head and some of the rest, and cuts anywhere. */
static void
a_spoilt_cache_is_made_again(void **state)
{
	struct site *s = *state;
	char path[PATH_MAX];
	struct stat st;
	char was = 0;
	int fd;

	fill(s);
	expect_all(s);
	for (off_t at = 0; at < 20000; at += at < 48 ? 1 : 4001) {
		site_kept(path, s, CACHE, ".facts");
		fd = open(path, O_RDWR);
		assert_int_equal(pread(fd, &was, 1, at), 1);
		was = (char)(was ^ 0x41);
		assert_int_equal(pwrite(fd, &was, 1, at), 1);
		(void)close(fd);
		expect_named(s, "<0@x.example>",
		    "1550.m 1450.m 1350.m 1250.m 1150.m 1050.m 1000.m");
	}
	site_kept(path, s, CACHE, ".facts");
	assert_int_equal(stat(path, &st), 0);
	for (off_t n = st.st_size - 1; n >= 0; n = n > 0 ? n / 3 : -1) {
		assert_int_equal(truncate(path, n), 0);
		expect(s, (struct query){ .message_id = S("<7@x.example>") },
		    "1007.m");
		assert_int_equal(stat(path, &st), 0);
	}
	/* A link in its place is not followed. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/dev/zero", path), 0);
	expect_all(s);
	/* A folder in its place only costs time. */
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	expect_all(s);
}

static void
what_was_read_in_time_need_not_be_again(void **state)
{
	struct query q = { .folder = S("INBOX"),
		.message_id = S("<7@x.example>") };
	struct site *s = *state;
	struct folder_state st;
	struct rows rows = { 0 };

	fill(s);
	s->acct.deadline_ms = clock_mono_ms() - 1;
	assert_int_equal(maildir_backend.find(s->c, s->a, &q, 500, &st, &rows,
			     &s->e),
	    -1);
	assert_int_equal(s->e.kind, ERR_LIMIT);
	s->acct.deadline_ms = clock_mono_ms() + 60000;
	expect_all(s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(what_is_remembered_is_what_is_there),
		SITE_TEST(a_message_is_read_once),
		SITE_TEST(what_comes_and_goes_is_noticed),
		SITE_TEST(what_is_too_long_to_remember_is_read),
		SITE_TEST(a_spoilt_cache_is_made_again),
		SITE_TEST(what_was_read_in_time_need_not_be_again),
	};

	return cmocka_run_group_tests_name("backend/maildir/facts", tests, NULL,
	    NULL);
}
