/* SPDX-License-Identifier: Apache-2.0 */
/* Searching a Maildir. */
#include "../../named.h"
#include "maildir_site.h"

#include "base/buf.h"

static const char one[] = "From: =?utf-8?q?Bj=C3=B6rn?= <b@x.example>\r\n"
			  "Subject: The\r\n Quarterly Report\r\n"
			  "Date: Sun, 21 Jun 2026 00:30:00 +0200\r\n"
			  "X-Mark: zebra\r\n\r\nplain words\r\n";
static const char two[] = "From: carol@x.example\n"
			  "Subject: =?utf-8?b?UXVhcnRlcmx5?= plan\n"
			  "Date: Mon, 22 Jun 2026 23:30:00 -0500\n"
			  "Content-Transfer-Encoding: base64\n\n"
			  "Z29sZCBiYXJz\n";
static const char three[] = "From: dave@x.example\n\nno date, no subject\n";

static void
fill(struct site *s)
{
	site_mail(s, "cur/1.one:2,S", one);
	site_mail(s, "cur/2.two:2,", two);
	site_mail(s, "new/3.three", three);
}

/* The ids found, newest first, as one text: "3.three 1.one". */
static void
expect(struct site *s, struct query q, size_t limit, const char *want)
{
	struct folder_state st;
	struct rows rows = { 0 };
	struct buf b;

	q.folder = S("INBOX");
	assert_int_equal(maildir_backend.find(s->c, s->a, &q, limit, &st, &rows,
			     &s->e),
	    0);
	assert_int_equal(st.exists, 3);
	buf_init(&b, s->a, 1000);
	for (size_t i = 0; i < rows.n; i++) {
		buf_text(&b, i > 0 ? " " : "");
		buf_str(&b, rows.v[i].ref.id);
	}
	assert_str(buf_view(&b), want);
}

static int64_t
day(const char *text)
{
	int64_t s = 0;

	assert_true(clock_parse(str_of(text), &s));
	return s;
}

static void
an_empty_query_finds_the_newest_first(void **state)
{
	fill(*state);
	expect(*state, (struct query){ 0 }, 10, "3.three 2.two 1.one");
	expect(*state, (struct query){ 0 }, 2, "3.three 2.two");
}

static void
only_the_messages_asked_about_are_looked_at(void **state)
{
	struct ref v[3] = { { .id = S("1.one") }, { .id = S("9.gone") },
		{ .id = S("3.three") } };
	struct refs among = { v, 3 };

	fill(*state);
	expect(*state, (struct query){ .among = &among }, 10, "1.one 3.three");
	expect(*state, (struct query){ .among = &among }, 1, "1.one");
}

static void
from_is_decoded_and_without_case(void **state)
{
	fill(*state);
	expect(*state, (struct query){ .from = S("bj\xc3\xb6rn") }, 10,
	    "1.one");
	expect(*state, (struct query){ .from = S("CAROL@X") }, 10, "2.two");
	expect(*state, (struct query){ .from = S("quarterly") }, 10, "");
}

static void
subject_is_decoded_and_unfolded(void **state)
{
	fill(*state);
	expect(*state, (struct query){ .subject = S("quarterly") }, 10,
	    "2.two 1.one");
	expect(*state, (struct query){ .subject = S("the quarterly") }, 10,
	    "1.one");
}

static void
text_is_header_or_decoded_body(void **state)
{
	fill(*state);
	expect(*state, (struct query){ .text = S("ZEBRA") }, 10, "1.one");
	expect(*state, (struct query){ .text = S("gold bars") }, 10, "2.two");
	expect(*state, (struct query){ .text = S("Z29sZCBiYXJz") }, 10, "");
}

static void
dates_are_the_writers_days(void **state)
{
	fill(*state);
	/* In its zone the 21st, in UTC the 20th. */
	expect(*state, (struct query){ .since_s = day("2026-06-21") }, 10,
	    "2.two 1.one");
	/* In its zone the 22nd, in UTC the 23rd. */
	expect(*state, (struct query){ .since_s = day("2026-06-23") }, 10, "");
	expect(*state, (struct query){ .before_s = day("2026-06-22") }, 10,
	    "1.one");
	expect(*state,
	    (struct query){ .since_s = day("2026-06-22"),
		.before_s = day("2026-06-23") },
	    10, "2.two");
}

static void
all_criteria_must_hold(void **state)
{
	fill(*state);
	expect(*state,
	    (struct query){ .subject = S("quarterly"), .from = S("carol") }, 10,
	    "2.two");
	expect(*state,
	    (struct query){ .subject = S("quarterly"), .text = S("no date") },
	    10, "");
}

/* Sets the time of arrival of the file of that name. */
static void
arrived(const struct site *s, const char *rel, int64_t when_s)
{
	struct timespec t[2] = { { .tv_sec = when_s }, { .tv_sec = when_s } };
	char path[PATH_MAX];

	site_path(path, s, rel);
	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void
what_came_later_is_a_matter_of_seconds(void **state)
{
	struct site *s = *state;

	fill(s);
	arrived(s, AGENT "/cur/1.one:2,S", 1000);
	arrived(s, AGENT "/cur/2.two:2,", 2000);
	arrived(s, AGENT "/new/3.three", 3000);
	expect(s, (struct query){ .received_s = 999 }, 10,
	    "3.three 2.two 1.one");
	expect(s, (struct query){ .received_s = 1000 }, 10, "3.three 2.two");
	expect(s, (struct query){ .received_s = 2999 }, 10, "3.three");
	expect(s, (struct query){ .received_s = 3000 }, 10, "");
}

static void
expect_named(struct site *s, const char *id, const char *want)
{
	struct refs refs;
	struct buf b;

	assert_int_equal(named_find(s->c, s->a, S("INBOX"), str_of(id), &refs,
			     &s->e),
	    0);
	buf_init(&b, s->a, 1000);
	for (size_t i = 0; i < refs.n; i++)
		buf_fmt(&b, "%s%.*s", i > 0 ? " " : "", STR_ARG(refs.v[i].id));
	assert_str(buf_view(&b), want);
}

static void
who_has_an_id_says_so_in_any_of_three_fields(void **state)
{
	struct site *s = *state;

	site_mail(s, "cur/1.one:2,S",
	    "References: <0@x.example>\r\n <a@x.example>\r\n\r\n<b@x.example>");
	site_mail(s, "cur/2.two:2,S", "In-Reply-To: <a@x.example>\r\n\r\n");
	site_mail(s, "cur/3.three:2,S",
	    "Message-ID: <a@x.example>\r\n\r\n<0@x.example>");
	expect_named(s, "<a@x.example>", "3.three 2.two 1.one");
	expect_named(s, "<0@x.example>", "1.one");
	expect_named(s, "<b@x.example>", "");
}

static void
a_list_is_known_by_its_id_or_else_its_address(void **state)
{
	struct site *s = *state;
	struct query q = { .list = S("Dev@x.example") };

	site_mail(s, "cur/1.one:2,S",
	    "List-Id: The list <dev.X.example>\r\n\r\ndev@x.example");
	site_mail(s, "cur/2.two:2,S",
	    "To: a@b.example,\r\n dev@x.example\r\n\r\n");
	site_mail(s, "cur/3.three:2,S",
	    "List-Id: <users.x.example>\r\nTo: dev@x.example\r\n\r\n"
	    "dev@x.example");
	expect(s, q, 10, "2.two 1.one");
}

static void
a_draft_is_one_by_its_file_s_name(void **state)
{
	static const char *const name[] = { "cur/1.a:2,D", "cur/2.a:2,FDS",
		"cur/3.a:2,S", "cur/4.D", "new/5.a:2,D", "cur/6.a:1,D" };
	static const bool draft[] = { true, true, false, false, false, false };
	struct site *s = *state;
	struct query q = { .folder = S("INBOX") };
	struct folder_state st;
	struct rows rows = { 0 };

	for (size_t i = 0; i < 6; i++)
		site_mail(s, name[i], "Subject: x\r\n\r\n");
	assert_int_equal(maildir_backend.find(s->c, s->a, &q, 10, &st, &rows,
			     &s->e),
	    0);
	assert_int_equal(rows.n, 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(rows.v[5 - i].draft, draft[i]);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		SITE_TEST(an_empty_query_finds_the_newest_first),
		SITE_TEST(only_the_messages_asked_about_are_looked_at),
		SITE_TEST(from_is_decoded_and_without_case),
		SITE_TEST(subject_is_decoded_and_unfolded),
		SITE_TEST(text_is_header_or_decoded_body),
		SITE_TEST(dates_are_the_writers_days),
		SITE_TEST(all_criteria_must_hold),
		SITE_TEST(what_came_later_is_a_matter_of_seconds),
		SITE_TEST(who_has_an_id_says_so_in_any_of_three_fields),
		SITE_TEST(a_list_is_known_by_its_id_or_else_its_address),
		SITE_TEST(a_draft_is_one_by_its_file_s_name),
	};

	return cmocka_run_group_tests_name("backend/maildir/find", tests, NULL,
	    NULL);
}
