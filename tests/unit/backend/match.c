/* SPDX-License-Identifier: Apache-2.0 */
/* Does a message match a query? */
#include "../rows.h"

#include "backend/internal.h"

#define HOUR 3600
#define DAY (INT64_C(24) * HOUR)

static const char mail[] = "From: =?utf-8?q?Bj=C3=B6rn?= <b@x.example>\r\n"
			   "To: Ann <a@x.example>\r\n"
			   "Cc: =?utf-8?q?Zo=C3=AB?= <z@x.example>\r\n"
			   "Bcc: secret@x.example\r\n"
			   "Subject: The\r\n Quarterly Report\r\n"
			   "Message-ID: <one@\r\n x.example>\r\n"
			   "References: <far@x.example>\r\n"
			   "\t<near@x.example> <fo\r\n ld@x.example>\r\n"
			   "In-Reply-To: <near@x.example>\r\n"
			   "Content-Transfer-Encoding: base64\r\n\r\n"
			   "Z29sZCBiYXJz\r\n";

static const struct row_fields {
	const char *why;
	struct query q;
	bool fits;
} fields[] = {
	{ "nothing is asked", { .uid_min = 1 }, true },
	{ "words as a person reads them", { .from = SI("BJ\xc3\xb6rn") },
	    true },
	{ "not as they are written", { .from = SI("utf-8") }, false },
	{ "a recipient in To", { .to = SI("ANN") }, true },
	{ "a recipient in Cc", { .to = SI("zo\xc3\xab") }, true },
	{ "nobody in Bcc", { .to = SI("secret") }, false },
	{ "the sender is no recipient", { .to = SI("b@x.example") }, false },
	{ "a subject over two lines", { .subject = SI("the quarterly") },
	    true },
	{ "one of two is not enough",
	    { .from = SI("b@x.example"), .subject = SI("weekly") }, false },
	{ "a Message-ID, folded", { .message_id = SI("<one@x.example>") },
	    true },
	{ "another Message-ID", { .message_id = SI("<far@x.example>") },
	    false },
};

static void
a_field(void **state)
{
	const struct row_fields *r = *state;
	struct arena *a = arena_open(1 << 20);
	struct mime_header h;

	mime_header_parse(a, str_of(mail), &h);
	assert_int_equal(backend_match_fields(a, &h, &r->q), r->fits);
	arena_close(&a);
}

static const struct row_days {
	const char *why;
	const char *date;
	int64_t since_s, before_s;
	bool fits;
} days[] = {
	{ "no day is asked for", NULL, 0, 0, true },
	{ "without a date it is of no day", NULL, 1, 0, false },
	{ "nor without a date that can be read", "tomorrow", 1, 0, false },
	{ "any hour of the first day", "2 Jan 1970 00:00:00 +0000", DAY + HOUR,
	    0, true },
	{ "the day before it", "1 Jan 1970 23:59:59 +0000", DAY, 0, false },
	{ "the last day is not of them", "2 Jan 1970 00:00:00 +0000", 0, DAY,
	    false },
	{ "the writer's day, though here it is the next",
	    "1 Jan 1970 23:00:00 -0500", 0, DAY, true },
	{ "a day before 1970", "31 Dec 1969 23:00:00 +0000", -1, 0, true },
	{ "is not the first of it", "31 Dec 1969 23:00:00 +0000", 1, 0, false },
};

static void
a_day(void **state)
{
	const struct row_days *r = *state;
	struct arena *a = arena_open(1 << 20);
	struct query q = { .since_s = r->since_s, .before_s = r->before_s };
	struct mime_header h;

	mime_header_parse(a,
	    str_fmt(a, "%s%s\r\n\r\n", r->date != NULL ? "Date: " : "",
		r->date != NULL ? r->date : ""),
	    &h);
	assert_int_equal(backend_match_date(&h, &q), r->fits);
	arena_close(&a);
}

static const struct row_text {
	const char *why;
	const char *text;
	bool head, body;
} texts[] = {
	{ "no text is everywhere", "", true, true },
	{ "a field with its name", "subject: the quarterly", true, false },
	{ "not two fields", "report message-id", false, false },
	{ "the body as a person reads it", "Gold", false, true },
	{ "not as it is written", "Z29sZC", false, false },
};

static void
a_text(void **state)
{
	const struct row_text *r = *state;
	struct arena *a = arena_open(8 << 20);
	struct mime_header h;

	mime_header_parse(a, str_of(mail), &h);
	assert_int_equal(backend_match_head(a, &h, str_of(r->text)), r->head);
	assert_int_equal(backend_match_body(a, str_of(mail), str_of(r->text)),
	    r->body);
	arena_close(&a);
}

int
main(void)
{
	ROWS(fields, a_field);
	ROWS(days, a_day);
	ROWS(texts, a_text);
	return cmocka_run_group_tests_name("match", rows_tests, NULL, NULL);
}
