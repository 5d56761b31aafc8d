/* SPDX-License-Identifier: Apache-2.0 */
/* What another process reads says the same; and what is no answer. */
#include "../rows.h"

#include <signal.h>

#include "base/utf8.h"
#include "reader/internal.h"

#define NOW 1528638000
#define MANY (1 << 20)

/* RFC 8463 appendix A.3. */
#define SIGNED                                                                 \
	"DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\r\n"        \
	" d=football.example.com; i=@football.example.com;\r\n"                \
	" q=dns/txt; s=brisbane; t=1528637909; h=from : to :\r\n"              \
	" subject : date : message-id : from : subject : date;\r\n"            \
	" bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n"                \
	" b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\r\n"      \
	" Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\r\n"                                \
	"From: Joe SixPack <joe@football.example.com>\r\n"                     \
	"To: Suzie Q <suzie@shopping.example.net>\r\n"                         \
	"Subject: Is dinner ready?\r\n"                                        \
	"Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r\n"                      \
	"Message-ID: <20030712040037.46341.5F8J@football.example.com>\r\n"     \
	"\r\nHi.\r\n\r\nWe lost the game.  Are you hungry "                    \
	"yet?\r\n\r\nJoe.\r\n"
#define KEY "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="

#define MIXED                                                                  \
	"From: =?iso-2022-jp?b?GyRCO3BFRBsoQg==?= <y@jp.example>\r\n"          \
	"To: a@b.example, \"C D\" <c@d.example>\r\nSubject: two\r\n"           \
	"Date: Fri, 11 Jul 2003 21:00:37 -0700\r\nReferences: <1@x> <2@x>\r\n" \
	"MIME-Version: 1.0\r\n"                                                \
	"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"             \
	"Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n"       \
	"Content-Type: text/plain; charset=koi8-r\r\n"                         \
	"Content-Transfer-Encoding: quoted-printable\r\n\r\n=D0=D2=C9\r\n"     \
	"--c\r\nContent-Type: text/html; charset=big5\r\n\r\n"                 \
	"<p>\xa4\xa4 <a href='https://a.example'>https://b.example</a>"        \
	"<p hidden>no\r\n--c--\r\n--b\r\nContent-Type: application/pdf\r\n"    \
	"Content-Disposition: attachment; filename*=utf-8''%C3%A9.pdf\r\n\r\n" \
	"%PDF\r\n--b--\r\n"

#define INVITATION                                                             \
	"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@x\r\n"     \
	"SUMMARY:lunch\r\nDTSTART;TZID=Europe/Berlin:20260621T100000\r\n"      \
	"DTEND;TZID=Europe/Berlin:20260621T110000\r\n"                         \
	"ORGANIZER;CN=Al:mailto:al@x.example\r\n"                              \
	"ATTENDEE;PARTSTAT=ACCEPTED:mailto:bo@x.example\r\n"                   \
	"RRULE:FREQ=DAILY\r\nEXDATE:20260622T100000Z\r\n"                      \
	"END:VEVENT\r\nEND:VCALENDAR\r\n"

#define VOUCHED                                                                \
	"Authentication-Results: mx.example; dmarc=pass header.from=b.example" \
	"\r\nReceived: from c by mx.example with ESMTP\r\n"                    \
	"From: Ann <a@b.example>\r\nSubject: one\r\nList-Id: "                 \
	"<l.b.example>\r\n"                                                    \
	"Message-ID: <1@b.example>\r\nIn-Reply-To: <0@b.example>\r\n\r\n"

/* No zone's rules; that it was asked for one is seen. */
static unsigned loads;

static bool
load(void *ctx, struct arena *a, struct str name, struct str *out)
{
	(void)ctx, (void)a, (void)name;
	loads++;
	*out = S("");
	return false;
}

static const struct calendar_zones zones = { load, NULL };

static const struct row {
	const char *why;
	enum reader_verb verb;
	struct str bytes, label, domain;
} rows[] = {
	{ "no page", READER_HTML, SI(""), SI(""), SI("") },
	{ "words", READER_HTML, SI("<p>One <b>two</b><p>three &amp; \xc3\xa9"),
	    SI(""), SI("") },
	{ "links", READER_HTML,
	    SI("<a href='https://a.example/x'>https://b.example</a> "
	       "<a href=mailto:a@b.example>write</a><p hidden>words"),
	    SI(""), SI("") },
	{ "no UTF-8", READER_HTML, SI("<p>\xff\xfe\x80 words \0 more"), SI(""),
	    SI("") },
	{ "no header", READER_HEADS, SI(""), SI(""), SI("") },
	{ "a header", READER_HEADS, SI(MIXED), SI(""), SI("") },
	{ "headers, and who vouches", READER_HEADS, SI(VOUCHED MIXED),
	    SI("mx.example"), SI("") },
	{ "base64", READER_DECODE, SI("JVBE\r\nRi0x"), SI(""), SI("") },
	{ "no message", READER_MESSAGE, SI(""), SI(""), SI("") },
	{ "parts", READER_MESSAGE, SI(MIXED), SI(""), SI("") },
	{ "a reading", READER_READING, SI(MIXED), SI(""), SI("") },
	{ "a reading of nothing", READER_READING, SI(""), SI(""), SI("") },
	{ "a calendar", READER_CALENDAR, SI(INVITATION), SI("utf-8"), SI("") },
	{ "signatures", READER_DKIM, SI(SIGNED), SI(""),
	    SI("football.example.com") },
	{ "a key", READER_VERIFY, SI(SIGNED), SI(KEY),
	    SI("football.example.com") },
	{ "another key", READER_VERIFY, SI(SIGNED), SI("v=DKIM1; p=AAAA"),
	    SI("football.example.com") },
	{ "a charset", READER_CHARSET, SI("\x1b$B;0\x1b(B"),
	    SI("ISO-2022-JP-2"), SI("") },
};

static struct reader_ask
ask_of(const struct row *row, struct arena *a)
{
	struct mime_message *m = arena_new(a, struct mime_message);
	struct reader_ask q = { .verb = row->verb,
		.bytes = row->bytes,
		.utf8 = utf8_valid(row->bytes),
		.max = MANY,
		.now_s = NOW,
		.label = row->label,
		.domain = row->domain,
		.zones = true,
		.load = &zones,
		.message = m };
	size_t n = 0, first = row->label.n > 0 ? sizeof(VOUCHED) - 1 : 0;
	bool bad = false;

	q.head = arena_array(a, 2, sizeof(*q.head));
	q.head[0] = first;
	q.head[1] = row->bytes.n - first;
	q.heads = 2;
	q.want = row->verb == READER_DECODE ? MIME_BASE64 : MIME_PART_AUTO;
	mime_here.message(a, row->bytes, m);
	if (row->verb != READER_VERIFY)
		return q;
	q.signature =
	    *mime_here.dkim(a, row->bytes, row->domain, NOW, &n, &bad);
	assert_int_equal(n, 1);
	str_push(a, &q.records, row->label);
	return q;
}

static struct str
put_head(struct mime_head *h, struct arena *a)
{
	struct buf b;
	struct carry c = { .to = &b, .a = a };

	buf_init(&b, a, MANY);
	shape_head(&c, h);
	return buf_view(&b);
}

/* Those of a page; and each by itself says the same. */
static void
ask_heads(const struct reader_ask *q, struct arena *a, struct strs *out)
{
	struct str head[] = { str_first(q->bytes, q->head[0]),
		str_from(q->bytes, q->head[0]) };
	struct mime_head here, there;
	struct str *said = arena_array(a, 4, sizeof(*said));

	mime_heads_ahead(a, head, 2, q->label, said);
	for (size_t i = 0; i < 2; i++) {
		mime_here.head(a, head[i], S(""), q->label, &here);
		mime_heads_read(a, head[i], said[i], q->label, &there);
		rows_same(put_head(&there, a), put_head(&here, a));
		mime_heads_read(a, head[i], S(""), q->label, &there);
		rows_same(put_head(&there, a), put_head(&here, a));
	}
	*out = (struct strs){ said, 2 };
}

/* As everybody else asks. */
static void
ask(const struct reader_ask *q, struct arena *a, struct reader_answer *r)
{
	struct mime_part part = { .encoding = MIME_BASE64 };

	switch (q->verb) {
	case READER_HTML:
		r->text = html_text(a, q->bytes, MANY, &r->found);
		break;
	case READER_HEADS:
		ask_heads(q, a, &r->heads);
		break;
	case READER_DECODE:
		part.body = q->bytes;
		r->text = mime_part_decode(a, &part);
		break;
	case READER_MESSAGE:
		mime_message_parse(a, q->bytes, &r->message);
		break;
	case READER_READING:
		mime_reading_make(a, q->message, &r->reading);
		break;
	case READER_CALENDAR:
		calendar_read(a, q->bytes, q->label, q->load, &r->calendar);
		break;
	case READER_DKIM:
		r->signature =
		    dkim_read(a, q->bytes, q->domain, NOW, &r->n, &r->yes);
		break;
	case READER_VERIFY:
		r->yes = dkim_verify(a, &q->signature, &q->records);
		break;
	case READER_CHARSET:
		r->text =
		    mime_charset_decode(a, S("iso-2022-jp"), q->bytes, NULL);
		break;
	case READER_VERBS:
		fail();
	}
}

static struct str
put(const struct reader_ask *q, struct reader_answer *r, struct arena *a)
{
	struct buf b;
	struct carry c = { .to = &b, .a = a, .source = q->message->raw };

	buf_init(&b, a, MANY);
	reader_verb_answer(&c, q, r);
	return str_dup(a, buf_view(&b));
}

static bool
take(const struct reader_ask *q, struct str bytes, struct arena *a,
    struct reader_answer *r)
{
	struct carry c = { .rest = bytes, .a = a, .source = q->message->raw };

	*r = (struct reader_answer){ 0 };
	reader_verb_answer(&c, q, r);
	return !c.bad && c.rest.n == 0;
}

/* Here, as bytes and back, and by the reader. */
static void
row(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	struct reader_ask q = ask_of(*state, a);
	struct reader_answer here = { 0 }, back, there = { 0 };
	struct str want;

	reader_verb_run(a, &q, &here);
	want = put(&q, &here, a);
	assert_true(take(&q, want, a, &back));
	rows_same(put(&q, &back, a), want);
	loads = 0;
	ask(&q, a, &there);
	rows_same(put(&q, &there, a), want);
	if (q.verb == READER_CALENDAR)
		assert_int_equal(loads, 2); /* and "Berlin" */
	if (q.verb == READER_VERIFY)
		assert_int_equal(here.yes, str_eq(q.label, S(KEY)));
	/* Twice, as `get` and then another reader. */
	ask(&q, a, &there);
}

/* Each number of an answer larger than it may be; each byte of it cut off. */
static void
an_answer_of_anybody(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(256 << 20);
	struct reader_ask q = ask_of(*state, a);
	struct reader_answer r = { 0 };
	struct str all;

	reader_verb_run(a, &q, &r);
	all = put(&q, &r, a);
	for (size_t n = 0; n < all.n; n += 1 + n / 64) {
		CLEANUP(arena_close) struct arena *b = arena_open(256 << 20);

		assert_false(take(&q, str_first(all, n), b, &r));
	}
	assert_false(
	    take(&q, str_fmt(a, "%.*s%c", (int)all.n, all.p, 0), a, &r));
	for (size_t i = 0; i + 8 <= all.n; i += 1 + i / 64) {
		CLEANUP(arena_close) struct arena *b = arena_open(256 << 20);
		struct str bad = str_dup(b, all);

		memset((char *)(uintptr_t)bad.p + i, 0xff, 8);
		/* A text that may be anything, or a number over its range. */
		if (take(&q, bad, b, &r))
			(void)put(&q, &r, b);
	}
}

/* What cannot be so, though each number is in its range. */
static void
parts_fit_together(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	static const struct row mixed = { "", READER_MESSAGE, SI(MIXED), SI(""),
		SI("") };
	struct reader_ask q = ask_of(&mixed, a);
	struct reader_answer r = { 0 }, got;

	(void)state;
	reader_verb_run(a, &q, &r);
	r.message.part[2].parent = -1;
	assert_false(take(&q, put(&q, &r, a), a, &got));
	r.message.part[2].parent = 2;
	assert_false(take(&q, put(&q, &r, a), a, &got));
	r.message.part[2].parent = 1;
	assert_true(take(&q, put(&q, &r, a), a, &got));
	r.message.n = 0;
	assert_false(take(&q, S("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), a, &got));
	q.verb = READER_READING;
	reader_verb_run(a, &q, &r);
	assert_true(take(&q, put(&q, &r, a), a, &got));
	r.reading.text = S("\xff");
	assert_false(take(&q, put(&q, &r, a), a, &got));
	r.reading.text = S("");
	r.reading.attachment[0].name = S("../x");
	assert_false(take(&q, put(&q, &r, a), a, &got));
}

/* A long part, which goes behind the answer without being copied into it. */
static void
a_long_part_is_whole(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	struct mime_part part = { .encoding = MIME_BASE64 };
	struct str last = S("");
	struct buf b;
	struct carry c = { .to = &b, .a = a, .last = &last };

	(void)state;
	buf_init(&b, a, 8 * LIMIT_READER_WHOLE);
	for (size_t i = 0; i < LIMIT_READER_WHOLE; i++)
		buf_text(&b, i % 3 == 0 ? "QUJD" : "REVG");
	part.body = str_dup(a, buf_view(&b));
	last = mime_part_decode(a, &part);
	rows_same(last, mime_here.decode(a, part.body, part.encoding));
	part.body = last;
	last = S("");
	buf_reset(&b);
	carry_text(&c, &part.body, part.body.n);
	assert_ptr_equal(last.p, part.body.p);
	assert_int_equal(b.n, 2 * sizeof(uint64_t));
}

/* Nonsense: the reader ends, and so does the process that asks it. */
static _Noreturn void
lose_it(struct arena *a)
{
	const struct reader_head nonsense = { UINT64_MAX, UINT64_MAX, 0 };

	if (write(reader_get(), &nonsense, sizeof(nonsense)) !=
	    (ssize_t)sizeof(nonsense))
		_exit(3);
	(void)html_text(a, S("<p>x"), 100, NULL);
	_exit(0);
}

/* Also after one was lost, and in processes that were forked meanwhile. */
static void
each_call_has_its_own(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(64 << 20);
	int status = 0;

	(void)state;
	for (int i = 0; i < 4; i++) {
		pid_t pid = i > 0 ? fork() : 0;

		if (pid > 0) {
			assert_int_equal(waitpid(pid, &status, 0), pid);
			assert_int_equal(status, i == 2 ? 1 << 8 : 0);
			continue;
		}
		if (i == 2)
			lose_it(a);
		rows_same(html_text(a, S("<p>x"), 100, NULL), S("x\n"));
		reader_get_end();
		rows_same(html_text(a, S("<p>y"), 100, NULL), S("y\n"));
		if (i > 0)
			_exit(0);
	}
}

static int
set_up(void **state)
{
	struct sandbox_state s = { 0 };
	struct err e = { 0 };

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	reader_run_load();
	if (sandbox_load(&e) < 0 || reader_run_start(&s, &e) < 0)
		return -1;
	return sandbox_is_whole(&s) ? 0 : -1;
}

int
main(void)
{
	ROWS(rows, row);
	ROWS(rows, an_answer_of_anybody);
	rows_add("a long part is whole", a_long_part_is_whole, NULL);
	rows_add("parts fit together", parts_fit_together, NULL);
	rows_add("each call has its own", each_call_has_its_own, NULL);
	return cmocka_run_group_tests_name("reader", rows_tests, set_up, NULL);
}
