/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader that was taken over may say of each thing that it is asked. */
#include "../rows.h"

#include "reader/internal.h"

#define MANY (1 << 20)

#define MAIL                                                                   \
	"From: Ann <a@b.example>\r\nTo: c@d.example\r\nSubject: s\r\n"         \
	"Message-ID: <1@b.example>\r\nReferences: <0@b.example>\r\n"           \
	"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n" \
	"--b\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n--b--\r\n"
#define EVENT                                                                  \
	"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n"                         \
	"DTSTART:20260621T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

/* -- of a header ----------------------------------------------------------- */

static void
many_from(struct mime_head *h)
{
	h->env.from_fields = LIMIT_MIME_HEADERS + 1;
	h->env.from_sole = S("");
}

static void
sole_of_two(struct mime_head *h)
{
	h->env.from_fields = 2;
}

static void
nobody_vouched_for(struct mime_head *h)
{
	h->env.from_sole = S("");
	h->auth = MIME_AUTH_PASS;
}

static void
another_verdict(struct mime_head *h)
{
	h->auth = (enum mime_auth)3;
}

static void
sole_with_line_end(struct mime_head *h)
{
	h->env.from_sole = S("a@b.example\r\nBcc: x@y.example");
}

static void
long_sole(struct mime_head *h)
{
	static char long_text[LIMIT_ADDRESS + 1];

	memset(long_text, 'a', sizeof(long_text));
	h->env.from_sole = (struct str){ long_text, sizeof(long_text) };
}

static void
name_with_escape(struct mime_head *h)
{
	h->env.from.v[0].name = S("\x1b[2J");
}

static void
name_with_c1(struct mime_head *h)
{
	h->env.from.v[0].name = S("\xc2\x9b");
}

static void
address_no_utf8(struct mime_head *h)
{
	h->env.to.v[0].addr = S("\xff@d.example");
}

static void
comment_with_nul(struct mime_head *h)
{
	h->env.to.v[0].comments = S("\0");
}

static void
many_addresses(struct mime_head *h)
{
	static struct address v[LIMIT_ADDRESSES + 1];

	h->env.cc.v = v;
	h->env.cc.n = LIMIT_ADDRESSES + 1;
}

static void
subject_of_two_lines(struct mime_head *h)
{
	h->env.subject = S("a\nb");
}

static void
subject_over_the_cap(struct mime_head *h)
{
	static char long_text[LIMIT_SUBJECT + 1];

	memset(long_text, 'a', sizeof(long_text));
	h->env.subject = (struct str){ long_text, sizeof(long_text) };
}

static void
date_of_no_calendar(struct mime_head *h)
{
	h->env.date_s = INT64_MAX;
}

static void
zone_of_no_clock(struct mime_head *h)
{
	h->env.date_offset_min = 100000;
}

static void
id_with_blank(struct mime_head *h)
{
	h->env.message_id = S("<1@b.example> x");
}

static void
reference_with_line_end(struct mime_head *h)
{
	h->env.references.v[0] = S("<0@b.example>\n");
}

static void
many_references(struct mime_head *h)
{
	static struct str v[LIMIT_REFERENCES + 1];

	h->env.in_reply_to.v = v;
	h->env.in_reply_to.n = LIMIT_REFERENCES + 1;
}

static const struct head_row {
	const char *why;
	void (*tell)(struct mime_head *h);
} head_rows[] = {
	{ "header: more From fields than are read", many_from },
	{ "header: one sender of two fields", sole_of_two },
	{ "header: nobody, authenticated", nobody_vouched_for },
	{ "header: a verdict that there is not", another_verdict },
	{ "header: a sender with a line end", sole_with_line_end },
	{ "header: a sender over the cap", long_sole },
	{ "header: a name that moves the cursor", name_with_escape },
	{ "header: a name with a C1 control", name_with_c1 },
	{ "header: an address that is no UTF-8", address_no_utf8 },
	{ "header: a comment with NUL", comment_with_nul },
	{ "header: addresses over the cap", many_addresses },
	{ "header: a subject of two lines", subject_of_two_lines },
	{ "header: a subject over the cap", subject_over_the_cap },
	{ "header: a date of no calendar", date_of_no_calendar },
	{ "header: a zone of no clock", zone_of_no_clock },
	{ "header: a Message-ID with a blank", id_with_blank },
	{ "header: a reference with a line end", reference_with_line_end },
	{ "header: references over the cap", many_references },
};

static struct str
put_head(struct mime_head *h, struct arena *a)
{
	struct buf b;
	struct carry c = { .to = &b, .a = a, .source = S(MAIL) };

	buf_init(&b, a, MANY);
	shape_head(&c, h);
	return buf_view(&b);
}

static void
of_a_header(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct head_row *row = *state;
	struct mime_head h, back;

	mime_here.head(a, S(MAIL), S(""), S(""), &h);
	assert_true(reader_verb_head(a, S(MAIL), put_head(&h, a), &back));
	row->tell(&h);
	assert_false(reader_verb_head(a, S(MAIL), put_head(&h, a), &back));
}

/* -- of all else ----------------------------------------------------------- */

static void
other_number(struct reader_answer *r)
{
	r->heads.n = 0;
}

static void
more_bytes(struct reader_answer *r)
{
	r->text = S("more than was encoded");
}

static void
no_utf8(struct reader_answer *r)
{
	r->text = S("\xff");
}

static void
much_hidden(struct reader_answer *r)
{
	r->found.hidden[0] = MANY;
}

static void
link_no_utf8(struct reader_answer *r)
{
	static struct html_link link = { .url = SI("\xff") };

	r->found.link = &link;
	r->found.links = 1;
}

static void
part_of_itself(struct reader_answer *r)
{
	r->message.part[1].parent = 1;
}

static void
deep_part(struct reader_answer *r)
{
	r->message.part[1].depth = LIMIT_MIME_DEPTH + 2;
}

static void
another_encoding(struct reader_answer *r)
{
	r->message.part[1].encoding = (enum mime_encoding)3;
}

static void
no_parts(struct reader_answer *r)
{
	r->message.n = 0;
}

static void
reading_no_utf8(struct reader_answer *r)
{
	r->reading.text = S("\xff");
}

static void
file_with_a_path(struct reader_answer *r)
{
	r->reading.attachment[0].name = S("../x");
}

static void
file_without_a_name(struct reader_answer *r)
{
	r->reading.attachment[0].name = S("");
}

static void
file_of_no_part(struct reader_answer *r)
{
	r->reading.attachment[0].part += 9;
}

static void
event_no_utf8(struct reader_answer *r)
{
	r->calendar.event[0].uid = S("\xff");
}

static void
event_of_no_calendar(struct reader_answer *r)
{
	r->calendar.event[0].start.utc_s = INT64_MAX;
}

static void
many_signatures(struct reader_answer *r)
{
	static struct dkim parts;
	static struct dkim_signature v[LIMIT_DKIM_SIGNATURES + 1];

	for (size_t i = 0; i < LIMIT_DKIM_SIGNATURES + 1; i++)
		v[i].parts = &parts;
	r->signature = v;
	r->n = LIMIT_DKIM_SIGNATURES + 1;
}

static void
long_query(struct reader_answer *r)
{
	static struct dkim parts;
	static char long_text[LIMIT_ADDRESS + 1];
	static struct dkim_signature one = { .parts = &parts,
		.query = { long_text, sizeof(long_text) } };

	r->signature = &one;
	r->n = 1;
}

static const struct lie_row {
	const char *why;
	enum reader_verb verb;
	struct str bytes;
	void (*tell)(struct reader_answer *r);
} lie_rows[] = {
	{ "headers: of another number", READER_HEADS, SI(MAIL), other_number },
	{ "bytes: more than were encoded", READER_DECODE, SI("YWJj"),
	    more_bytes },
	{ "html: no UTF-8", READER_HTML, SI("<p>x"), no_utf8 },
	{ "html: more hidden than there is", READER_HTML, SI("<p>x"),
	    much_hidden },
	{ "html: a link that is no UTF-8", READER_HTML, SI("<p>x"),
	    link_no_utf8 },
	{ "message: a part within itself", READER_MESSAGE, SI(MAIL),
	    part_of_itself },
	{ "message: a part that is too deep", READER_MESSAGE, SI(MAIL),
	    deep_part },
	{ "message: an encoding that there is not", READER_MESSAGE, SI(MAIL),
	    another_encoding },
	{ "message: without parts", READER_MESSAGE, SI(MAIL), no_parts },
	{ "reading: no UTF-8", READER_READING, SI(MAIL), reading_no_utf8 },
	{ "reading: a file with a path", READER_READING, SI(MAIL),
	    file_with_a_path },
	{ "reading: a file without a name", READER_READING, SI(MAIL),
	    file_without_a_name },
	{ "reading: a file of no part", READER_READING, SI(MAIL),
	    file_of_no_part },
	{ "calendar: no UTF-8", READER_CALENDAR, SI(EVENT), event_no_utf8 },
	{ "calendar: a time of no calendar", READER_CALENDAR, SI(EVENT),
	    event_of_no_calendar },
	{ "signatures: over the cap", READER_DKIM, SI(MAIL), many_signatures },
	{ "signatures: a name over the cap", READER_DKIM, SI(MAIL),
	    long_query },
	{ "a charset: no UTF-8", READER_CHARSET, SI("x"), no_utf8 },
};

static struct str
put(const struct reader_ask *q, struct reader_answer *r, struct arena *a)
{
	struct buf b;
	struct carry c = { .to = &b, .a = a, .source = q->message->raw };

	buf_init(&b, a, MANY);
	reader_verb_answer(&c, q, r);
	return buf_view(&b);
}

static bool
take(const struct reader_ask *q, struct str bytes, struct arena *a)
{
	struct carry c = { .rest = bytes, .a = a, .source = q->message->raw };
	struct reader_answer r = { 0 };

	reader_verb_answer(&c, q, &r);
	return !c.bad && c.rest.n == 0;
}

static void
of_all_else(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	const struct lie_row *row = *state;
	struct mime_message m = { 0 };
	size_t size = row->bytes.n;
	struct reader_ask q = { .verb = row->verb,
		.bytes = row->bytes,
		.utf8 = true,
		.max = MANY,
		.want = row->verb == READER_DECODE ? MIME_BASE64 : 0,
		.label = S("ISO-8859-2"),
		.head = &size,
		.heads = 1,
		.message = &m };
	struct reader_answer r = { 0 };

	mime_here.message(a, row->bytes, &m);
	reader_verb_run(a, &q, &r);
	assert_true(take(&q, put(&q, &r, a), a));
	row->tell(&r);
	assert_false(take(&q, put(&q, &r, a), a));
}

/* Yes is one bit. */
static void
neither_yes_nor_no(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct mime_message m = { 0 };
	const struct reader_ask q = { .verb = READER_VERIFY, .message = &m };

	(void)state;
	assert_true(take(&q, S("\1\0\0\0\0\0\0\0"), a));
	assert_false(take(&q, S("\2\0\0\0\0\0\0\0"), a));
}

int
main(void)
{
	ROWS(head_rows, of_a_header);
	ROWS(lie_rows, of_all_else);
	rows_add("a key: neither yes nor no", neither_yes_nor_no, NULL);
	return cmocka_run_group_tests_name("lies", rows_tests, NULL, NULL);
}
