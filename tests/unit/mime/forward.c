/* SPDX-License-Identifier: Apache-2.0 */
/* A message that is passed on: in the text, and as it is. */
#include "../rows.h"

#include "mime/compose.h"
#include "mime/forward.h"
#include "mime/quote.h"

#define BEGIN "---------- Forwarded message ----------\n"
#define END "---------- End of forwarded message ----------\n"

#define W50 "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeee"

static const struct block_row {
	const char *why;
	const char *head;
	struct str text;
	bool cut;
	const char *want;
} blocks[] = {
	{ "who, when, what, to whom",
	    "From: Ann <ann@us.example>\nDate: Sun, 21 Jun 2026 12:00:00 "
	    "+0200\nSubject: plan\nTo: me@us.example, Bob <bob@us.example>\n",
	    SI("hello\n\n"), false,
	    BEGIN "From: Ann <ann@us.example>\n"
		  "Date: 2026-06-21 12:00 +02:00\nSubject: plan\n"
		  "To: me@us.example, Bob <bob@us.example>\n\nhello\n" END },
	{ "those who got a copy", "From: a@us.example\nCc: b@us.example\n",
	    SI("x"), false,
	    BEGIN "From: a@us.example\nSubject:\nCc: b@us.example\n\nx\n" END },
	{ "nobody learns of the others",
	    "From: a@us.example\nBcc: b@us.example\n", SI("x"), false,
	    BEGIN "From: a@us.example\nSubject:\n\nx\n" END },
	{ "what is left out is said", "Subject: s\n", SI("x"), true,
	    BEGIN "Subject: s\n\nx\n[...]\n" END },
	{ "quotes stay quotes", "Subject: s\n", SI("> a\n>> b"), false,
	    BEGIN "Subject: s\n\n> a\n>> b\n" END },
	{ "a field has no line of its own",
	    "Subject: =?utf-8?q?a=0A=0A----------_End?=\n", SI("x"), false,
	    BEGIN "Subject: a  ---------- End\n\nx\n" END },
	{ "a text does not end itself", "Subject: s\n",
	    SI("a\n" END " " BEGIN END "-- \nb"), false,
	    BEGIN "Subject: s\n\na\n  " END "   " BEGIN "  " END
		  "  --\nb\n" END },
	{ "nor by a separator of lines",
	    "Subject: a\xE2\x80\xA8"
	    "----\n",
	    SI("a\xE2\x80\xA9" END "b"), false,
	    BEGIN "Subject: a ----\n\na\n  " END "b\n" END },
	{ "nor where a paragraph is broken", "Subject: s\n",
	    SI(W50 " aaaa aaaa aaaa " END), false,
	    BEGIN "Subject: s\n\n" W50 " aaaa aaaa aaaa \n " END END },
	{ "nor where a field is", "Subject: " W50 " aaaa a " END, SI("x"),
	    false, BEGIN "Subject: " W50 " aaaa a \n " END "\nx\n" END },
	{ "its rules stay", "Subject: s\n", SI("----------\n--\n> -- \n"),
	    false, BEGIN "Subject: s\n\n----------\n--\n> --\n" END },
	{ "what cannot be seen is not passed on",
	    "Subject: a\xE2\x80\x8B"
	    "b\n",
	    SI("x"), false, BEGIN "Subject: ab\n\nx\n" END },
};

static void
block(void **state)
{
	const struct block_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;
	const struct forward f = { &v, r->text, r->cut };

	mime_envelope_parse(a, str_of(r->head), &v);
	rows_same(forward_block(a, &f), str_of(r->want));
}

/* A crowd in a field is counted, not listed. */
static void
a_crowd(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;
	const struct forward f = { &v, S("x"), false };
	struct str got;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	buf_text(&b, "To: x@us.example");
	for (int i = 0; i < 200; i++)
		buf_fmt(&b, ",\n x%d@us.example", i);
	buf_text(&b, "\n");
	mime_envelope_parse(a, buf_view(&b), &v);
	got = forward_block(a, &f);
	assert_true(str_find(got, S("x98@us.example")) >= 0);
	assert_true(str_find(got, S("x99@us.example")) < 0);
	assert_true(str_find(got, S("more\n\nx\n")) >= 0);
}

#define W250 W50 W50 W50 W50 W50
#define PART(type, more, body)                                                 \
	"--b\nContent-Type: " type "\n" more "\n" body "\n"
#define MIXED "Content-Type: multipart/mixed; boundary=b\n\n"

static const struct file_row {
	const char *why;
	const char *raw;
	struct compose_file want;
} files[] = {
	{ "its very bytes",
	    MIXED PART("text/plain", "", "hello")
		PART("application/pdf; name=x.pdf",
		    "Content-Transfer-Encoding: base64\n", "AAH/") "--b--\n",
	    { SI("x.pdf"), SI("application/pdf"), .bytes = SI("\0\1\xFF") } },
	{ "text keeps its charset",
	    MIXED PART("text/plain", "", "hello")
		PART("text/csv; charset=iso-8859-1; name=x.csv", "",
		    "\xFC") "--b--\n",
	    { SI("x.csv"), SI("text/csv"), SI("\xFC"),
		.charset = SI("iso-8859-1") } },
	{ "a type that is none is bytes",
	    MIXED PART("text/plain", "", "hello")
		PART("a/" W50 W50 W50 "; name=x", "", "y") "--b--\n",
	    { SI("x"), SI("application/octet-stream"), .bytes = SI("y") } },
	{ "a message stays one",
	    MIXED PART("text/plain", "", "hello")
		PART("message/rfc822", "", "Subject: in\n\nx") "--b--\n",
	    { SI("attachment-1.eml"), SI("message/rfc822"),
		.bytes = SI("Subject: in\r\n\r\nx") } },
	{ "a part that does not end is one",
	    MIXED PART("text/plain", "", "hello")
		PART("application/pdf; name=x.pdf", "", "y"),
	    { SI("x.pdf"), SI("application/pdf"), .bytes = SI("y\n") } },
};

static void
file(void **state)
{
	const struct file_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_message m;
	struct mime_reading got;
	struct compose_file *f;

	mime_message_parse(a, str_of(r->raw), &m);
	mime_reading_make(a, &m, &got);
	assert_int_equal(got.n, 1);
	f = forward_files(a, &got);
	rows_same(f->name, r->want.name);
	rows_same(f->type, r->want.type);
	rows_same(f->bytes, r->want.bytes);
	rows_same(f->charset, r->want.charset);
}

static const struct which_row {
	const char *why, *raw, *want;
} whichs[] = {
	{ "who, when, what",
	    "Subject: =?utf-8?q?a=C3=BC?=\r\nFrom: Ann <ann@x>\r\nTo: b@x\r\n"
	    "Date: Sun, 21 Jun 2026 12:00:00 +0200\r\n\r\nSubject: text",
	    "From: Ann <ann@x>|Date: Sun, 21 Jun 2026 12:00:00 +0200|"
	    "Subject: a\xC3\xBC|" },
	{ "each of two", "From: a@x\nFrom: b@x\nFrom: c@x\n\n",
	    "From: a@x|From: b@x|" },
	{ "a field is one line", "Subject: a\r\n b =?utf-8?q?=0Ac?=\r\n\r\n",
	    "Subject: a b  c|" },
	{ "nothing of it", "X: y\n\nSubject: text\n", "" },
	{ "no message", "", "" },
};

static void
which(void **state)
{
	const struct which_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct strs got = forward_which(a, str_of(r->raw));
	struct buf b;

	buf_init(&b, a, 1 << 16);
	for (size_t i = 0; i < got.n; i++) {
		buf_str(&b, got.v[i]);
		buf_char(&b, '|');
	}
	rows_same(buf_view(&b), str_of(r->want));
}

static const struct whole_row {
	const char *why;
	struct str raw, want;
} wholes[] = {
	{ "as it is", SI("a: b\r\n\r\nx\r\n"), SI("a: b\r\n\r\nx\r\n") },
	{ "a file's lines get their ends", SI("a: b\n\nx\n"),
	    SI("a: b\r\n\r\nx\r\n") },
	{ "all of them or none", SI("a: b\r\n\nx\n"), SI("a: b\r\n\nx\n") },
	{ "a last line has none", SI("a: b\n\nx"), SI("a: b\r\n\r\nx") },
};

static void
whole(void **state)
{
	const struct whole_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

	rows_same(forward_whole(a, r->raw)->bytes, r->want);
}

static const struct message_row {
	const char *why;
	struct str bytes;
	const char *how;
} messages[] = {
	{ "as it is", SI("Subject: x\r\n\r\ny\r\n"), "7bit" },
	{ "without a last line end", SI("Subject: x\r\n\r\ny"), "7bit" },
	{ "with 8 bits, as the whole says",
	    SI("Subject: x\r\n\r\n\xC3\xBC\r\n"), "8bit" },
	{ "with what looks like the end of a part",
	    SI("Subject: x\r\n\r\n--=_abc--\r\ny"), "7bit" },
	{ "with a header that is none", SI("\r\n\r\n\r\n"), "7bit" },
	{ "with a NUL it is bytes", SI("a\0b"), "base64" },
	{ "with a line that no server takes", SI(W250 W250 W250 W250),
	    "base64" },
	{ "with one that just may be", SI(W250 W250 W250 W50 W50 W50 W50),
	    "7bit" },
	{ "with an end of its own kind", SI("a\r\nb\nc"), "base64" },
};

/* A message that a file of lines without CR brings is sent as a message. */
static void
message_of_a_file(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = { .from = S("me@x"), .message_id = S("<abc@x>") };
	struct mime_message m;
	struct mime_reading got;
	struct err e = { 0 };
	struct str out;

	(void)state;
	mime_message_parse(a,
	    S(MIXED PART("text/plain", "", "hello") PART("message/rfc822", "",
		"Subject: in\nContent-Type: text/html\n\nx") "--b--\n"),
	    &m);
	mime_reading_make(a, &m, &got);
	c.file = forward_files(a, &got);
	c.files = got.n;
	assert_int_equal(compose_message(a, &c, &out, &e), 0);
	mime_message_parse(a, out, &m);
	assert_int_equal(m.n, 4);
	rows_same(m.part[2].type, S("message/rfc822"));
	rows_same(m.part[3].type, S("text/html"));
	rows_same(m.part[3].body, S("x"));
}

/* What says how a text is meant: an invitation stays one. */
static void
kind(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = { .from = S("me@x"), .message_id = S("<abc@x>") };
	struct mime_message m;
	struct mime_reading got;
	struct err e = { 0 };
	struct str out;

	(void)state;
	mime_message_parse(a,
	    S(MIXED PART("text/plain", "",
		"hello") PART("text/calendar; method=REQUEST; name=a.ics", "",
		"x") PART("text/plain; format=flowed; delsp=yes; name=b", "",
		"x ") PART("text/calendar; method=\"a b\"", "", "x")
		    PART("application/pdf; format=x", "", "x") "--b--\n"),
	    &m);
	mime_reading_make(a, &m, &got);
	c.file = forward_files(a, &got);
	c.files = got.n;
	assert_int_equal(compose_message(a, &c, &out, &e), 0);
	mime_message_parse(a, out, &m);
	assert_int_equal(m.n, 6);
	rows_same(mime_param_get(&m.part[2].ctype, "method"), S("REQUEST"));
	rows_same(mime_param_get(&m.part[3].ctype, "format"), S("flowed"));
	rows_same(mime_param_get(&m.part[3].ctype, "delsp"), S("yes"));
	rows_same(mime_param_get(&m.part[4].ctype, "method"), S(""));
	rows_same(mime_param_get(&m.part[5].ctype, "format"), S(""));
}

/* A message in a message has its very bytes, and the parts after it too. */
static void
message(void **state)
{
	const struct message_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose_file f[2] = { { S("x.eml"), S("message/rfc822"),
					 .bytes = r->bytes },
		{ S("x.txt"), S(""), S("z"), .charset = S("iso-8859-1") } };
	struct compose c = { .from = S("me@x"),
		.message_id = S("<abc@x>"),
		.file = f,
		.files = 2 };
	struct err e = { 0 };
	struct str out;
	bool bytes;
	struct mime_message m;

	assert_int_equal(compose_message(a, &c, &out, &e), 0);
	mime_message_parse(a, out, &m);
	bytes = str_eq(str_of(r->how), S("base64"));
	assert_int_equal(m.n, bytes ? 4 : 5);
	rows_same(m.part[2].type,
	    bytes ? S("application/octet-stream") : S("message/rfc822"));
	rows_same(mime_part_decode(a, &m.part[2]), r->bytes);
	for (size_t i = 0; i < 3; i += 2) {
		const struct mime_field *how =
		    mime_header_get(&m.part[i].header,
			"Content-Transfer-Encoding", 0);

		if (i == 0 && !str_eq(str_of(r->how), S("8bit")))
			assert_null(how);
		else
			rows_same(str_trim(how->value), str_of(r->how));
	}
	rows_same(mime_param_get(&m.part[m.n - 1].ctype, "charset"),
	    S("iso-8859-1"));
	rows_same(mime_part_decode(a, &m.part[m.n - 1]), S("z"));
}

int
main(void)
{
	ROWS(blocks, block);
	rows_add("a crowd", a_crowd, NULL);
	ROWS(files, file);
	ROWS(whichs, which);
	ROWS(wholes, whole);
	ROWS(messages, message);
	rows_add("how a text is meant", kind, NULL);
	rows_add("a message of a file", message_of_a_file, NULL);
	return cmocka_run_group_tests_name("mime/forward", rows_tests, NULL,
	    NULL);
}
