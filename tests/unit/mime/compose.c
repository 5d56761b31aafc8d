/* SPDX-License-Identifier: Apache-2.0 */
/* Written messages: their bytes, and our own parser's result. */
#include "../rows.h"

#include "base/utf8.h"
#include "mime/compose.h"
#include "mime/message.h"

#define T0 1782036000

static struct str us[] = { SI("bob@b.example") };

static struct compose
plain(void)
{
	return (struct compose){
		.from = S("me@us.example"),
		.to = { us, 1 },
		.subject = S("Hello"),
		.body = S("One\nTwo\n"),
		.message_id = S("<0123456789abcdef@us.example>"),
		.date_s = T0,
	};
}

/* Each line has at most 76 characters, all are 7-bit, with CRLF throughout. */
static void
check_form(struct str s, size_t max)
{
	size_t line = 0;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '\r') {
			assert_true(i + 1 < s.n && s.p[i + 1] == '\n');
			assert_true(line <= max);
			line = 0;
			i++;
			continue;
		}
		assert_true(c != '\n' && c < 0x80 && c != 0);
		line++;
	}
	assert_true(str_ends(s, S("\r\n")));
}

static struct str
written(struct arena *a, const struct compose *c)
{
	struct err e = { 0 };
	struct str out = { 0 };

	if (compose_message(a, c, &out, &e) < 0)
		fail_msg("refused: %s", e.say);
	return out;
}

static void
exact(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();

	(void)state;
	rows_same(written(a, &c),
	    S("Date: Sun, 21 Jun 2026 10:00:00 +0000\r\n"
	      "From: me@us.example\r\n"
	      "To: bob@b.example\r\n"
	      "Subject: Hello\r\n"
	      "Message-ID: <0123456789abcdef@us.example>\r\n"
	      "MIME-Version: 1.0\r\n"
	      "Content-Type: text/plain; charset=utf-8\r\n"
	      "Content-Transfer-Encoding: 7bit\r\n"
	      "\r\n"
	      "One\r\nTwo\r\n"));
}

#define LONG60 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define UE "\xC3\xBC"

static const struct text_row {
	const char *why;
	struct str subject;
	const char *has; /* in the written message; NULL: anything */
} subjects[] = {
	{ "a subject in ASCII stays", SI("Hello, world: [1] <2>"),
	    "Subject: Hello, world: [1] <2>\r\n" },
	{ "an empty subject", SI(""), "Subject:\r\n" },
	{ "a subject in UTF-8", SI("Gr" UE "n"),
	    "Subject: =?utf-8?q?Gr=C3=BCn?=\r\n" },
	{ "a subject mostly in UTF-8 is base64",
	    SI("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"),
	    "Subject: =?utf-8?b?5pel5pys6Kqe?=\r\n" },
	{ "a long subject of words is folded",
	    SI("one two three four five six seven eight nine ten eleven "
	       "twelve thirteen fourteen fifteen"),
	    "\r\n " },
	{ "a long subject in UTF-8 is folded",
	    SI("Gr" UE "n Gr" UE "n Gr" UE "n Gr" UE "n Gr" UE "n Gr" UE
	       "n Gr" UE "n Gr" UE "n Gr" UE "n Gr" UE "n Gr" UE "n"),
	    "?=\r\n =?utf-8?q?" },
	{ "a subject of one long word", SI(LONG60 LONG60), "=?utf-8?q?" },
	{ "spaces that folding would lose", SI("a  b"), "=?utf-8?q?a__b?=" },
	{ "spaces at the ends", SI(" a "), NULL },
	{ "a subject that looks like an encoded word", SI("=?utf-8?q?a?="),
	    "=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?=" },
	{ "a tab", SI("a\tb"), NULL },
	{ "emoji without end",
	    SI("\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98"
	       "\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F"
	       "\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xF0"
	       "\x9F\x98\x80\xF0\x9F\x98\x80\xF0\x9F\x98\x80"),
	    "?=\r\n =?utf-8?b?" },
};

static void
subject(void **state)
{
	const struct text_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_envelope v;
	struct str out, want;

	c.subject = r->subject;
	out = written(a, &c);
	check_form(out, 76);
	if (r->has != NULL && str_find(out, str_of(r->has)) < 0)
		fail_msg("no %s in %.*s", r->has, STR_ARG(out));
	mime_envelope_parse(a, out, &v);
	want = str_trim(r->subject);
	if (str_has_char(want, '\t'))
		want = S("a b");
	rows_same(v.subject, want);
}

static const struct text_row names[] = {
	{ "a name of words", SI("Bob Bee"), "From: Bob Bee <me@us.example>" },
	{ "a name with a comma is quoted", SI("Bee, Bob"),
	    "From: \"Bee, Bob\" <me@us.example>" },
	{ "a name with quotes is escaped", SI("B \"x\" \\"),
	    "From: \"B \\\"x\\\" \\\\\" <me@us.example>" },
	{ "a name in UTF-8", SI("B" UE "b"),
	    "From: =?utf-8?q?B=C3=BCb?= <me@us.example>" },
	{ "a name that looks like an encoded word", SI("=?utf-8?q?x?="), NULL },
	{ "a long name", SI(LONG60 LONG60 LONG60), NULL },
	{ "a name of signs", SI("<x@y.example>,;:()"), NULL },
	{ "a long name of words",
	    SI("one two three four five six seven eight nine ten eleven"),
	    NULL },
};

static void
name(void **state)
{
	const struct text_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_envelope v;
	struct str out;

	c.from_name = r->subject;
	out = written(a, &c);
	check_form(out, 76);
	if (r->has != NULL && str_find(out, str_of(r->has)) < 0)
		fail_msg("no %s in %.*s", r->has, STR_ARG(out));
	mime_envelope_parse(a, out, &v);
	assert_int_equal(v.from.n, 1);
	rows_same(v.from.v[0].name, r->subject);
	rows_same(v.from.v[0].addr, S("me@us.example"));
	assert_true(v.from.clean);
}

static const struct body_row {
	const char *why;
	struct str body;
	struct str want; /* as read back, LF */
	bool qp;
} bodies[] = {
	{ "short lines go as they are", SI("One\nTwo\n"), SI("One\nTwo\n"),
	    false },
	{ "CRLF and CR are line ends", SI("One\r\nTwo\rThree"),
	    SI("One\nTwo\nThree\n"), false },
	{ "a signature goes as it is", SI("x\n-- \nBob\n"), SI("x\n-- \nBob\n"),
	    false },
	{ "an empty body", SI(""), SI("\n"), false },
	{ "empty lines", SI("a\n\n\nb\n"), SI("a\n\n\nb\n"), false },
	{ "UTF-8 is quoted-printable", SI("Gr" UE "n\n"), SI("Gr" UE "n\n"),
	    true },
	{ "a long line", SI(LONG60 LONG60 "\n"), SI(LONG60 LONG60 "\n"), true },
	{ "a long line of words",
	    SI("From here a line of words that goes on From From From From "
	       "From From From From\n"),
	    SI("From here a line of words that goes on From From From From "
	       "From From From From\n"),
	    true },
	{ "space at the end of a line", SI("a \nb\t\n"), SI("a \nb\t\n"),
	    true },
	{ "From at the beginning of a line", SI("From me\n"), SI("From me\n"),
	    true },
	{ "a dot alone", SI("a\n.\nb\n"), SI("a\n.\nb\n"), true },
	{ "a control",
	    SI("a\x1b"
	       "b\n"),
	    SI("a\x1b"
	       "b\n"),
	    true },
	{ "equals signs in long lines",
	    SI("=========================================================="
	       "==============================\n"),
	    SI("=========================================================="
	       "==============================\n"),
	    true },
};

static void
body(void **state)
{
	const struct body_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_message m;
	struct str out;

	c.body = r->body;
	out = written(a, &c);
	check_form(out, 76);
	assert_int_equal(str_find(out, S("quoted-printable")) >= 0, r->qp);
	assert_true(str_find(out, S("\r\n.\r\n")) < 0);
	assert_true(str_find(out, S("\r\nFrom ")) < 0);
	mime_message_parse(a, out, &m);
	assert_int_equal(m.n, 1);
	rows_same(mime_part_text(a, &m.part[0]), r->want);
}

static const struct file_row {
	const char *why;
	struct compose_file file;
	const char *type;
	const char *name;
	const char *has;
} files[] = {
	{ "a file", { SI("x.pdf"), SI(""), .bytes = SI("\x00\x01\xFF") },
	    "application/pdf", "x.pdf", "filename=\"x.pdf\"" },
	{ "a file with a type of its own",
	    { SI("x.pdf"), SI("image/png"), .bytes = SI("x") }, "image/png",
	    "x.pdf", NULL },
	{ "a file of no known kind", { SI("x.qqq"), SI(""), .bytes = SI("x") },
	    "application/octet-stream", "x.qqq", NULL },
	{ "text says its charset", { SI("x.txt"), SI(""), .bytes = SI(UE) },
	    "text/plain", "x.txt", "charset=\"utf-8\"" },
	{ "a message is no message inside base64",
	    { SI("x.eml"), SI("message/rfc822"), .bytes = SI("a\nb") },
	    "application/octet-stream", "x.eml", NULL },
	{ "a name in UTF-8", { SI("Gr" UE "n.txt"), SI(""), .bytes = SI("x") },
	    "text/plain", "Gr" UE "n.txt", "name=\"Gr_n.txt\"" },
	{ "a long name in UTF-8",
	    { SI(UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE
		      UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE ".txt"),
		SI(""), .bytes = SI("x") },
	    "text/plain",
	    UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE UE
		UE UE UE UE UE UE UE UE UE UE UE UE UE UE ".txt",
	    "filename*0*=utf-8''" },
	{ "a long name in ASCII",
	    { SI(LONG60 LONG60 ".txt"), SI(""), .bytes = SI("x") },
	    "text/plain", LONG60 LONG60 ".txt", "filename*1*=" },
	{ "a name with quotes", { SI("a\"b\\c.txt"), SI(""), .bytes = SI("x") },
	    "text/plain", NULL, "filename=\"a\\\"b\\\\c.txt\"" },
	{ "a path is left behind",
	    { SI("/etc/x.txt"), SI(""), .bytes = SI("x") }, "text/plain",
	    "x.txt", NULL },
	{ "no name", { SI(""), SI(""), .bytes = SI("x") },
	    "application/octet-stream", "attachment-1", NULL },
	{ "an empty file", { SI("x.bin"), SI(""), .bytes = SI("") },
	    "application/octet-stream", "x.bin", NULL },
};

static void
file(void **state)
{
	const struct file_row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_message m;
	struct str out;

	c.file = &r->file;
	c.files = 1;
	out = written(a, &c);
	check_form(out, 76);
	if (r->has != NULL && str_find(out, str_of(r->has)) < 0)
		fail_msg("no %s in %.*s", r->has, STR_ARG(out));
	mime_message_parse(a, out, &m);
	assert_int_equal(m.n, 3);
	rows_same(m.part[0].type, S("multipart/mixed"));
	rows_same(mime_part_text(a, &m.part[1]), S("One\nTwo\n"));
	rows_same(m.part[2].type, str_of(r->type));
	rows_same(mime_part_decode(a, &m.part[2]), r->file.bytes);
	if (r->name != NULL)
		rows_same(mime_part_name(a, &m.part[2]), str_of(r->name));
}

static struct str evil[] = { SI("bob@b.example"), SI("e@e.example>\r\nX: y") };
static struct str evil_ref[] = { SI("<a@b>\r\nX: y") };
static const struct compose_file evil_name = { SI("a\r\nX: y"), SI(""),
	.bytes = SI("") };
static const struct compose_file evil_type = { SI("a"), SI("a/b\r\nX: y"),
	.bytes = SI("") };
static const struct compose_file nul_name = { SI("a\0b"), SI(""),
	.bytes = SI("") };
static const struct compose_file bad_type = { SI("a"), SI("a/b; c=d"),
	.bytes = SI("") };

static const struct refusal {
	const char *why;
	struct compose c; /* the differences from plain() */
} refusals[] = {
	{ "CR LF in a recipient", { .to = { evil, 2 } } },
	{ "CR LF in a copy's recipient", { .cc = { evil, 2 } } },
	{ "CR LF in the sender", { .from = SI("a@b.example\r\nX: y") } },
	{ "CR LF in the sender's name", { .from_name = SI("a\r\nX: y") } },
	{ "a bare LF in the name", { .from_name = SI("a\nX: y") } },
	{ "CR LF in the subject", { .subject = SI("a\r\nX: y") } },
	{ "CR LF in a subject in UTF-8", { .subject = SI(UE "\r\nX: y") } },
	{ "a bare CR in the subject", { .subject = SI("a\rX: y") } },
	{ "a bare LF in the subject", { .subject = SI("a\nX: y") } },
	{ "a NUL in the subject", { .subject = SI("a\0b") } },
	{ "a subject that is not UTF-8", { .subject = SI("\xFF") } },
	{ "CR LF in the Message-ID", { .message_id = SI("<a@b>\r\nX: <y>") } },
	{ "a Message-ID that is none", { .message_id = SI("a@b") } },
	{ "CR LF in In-Reply-To", { .in_reply_to = SI("<a@b>\r\nX: y") } },
	{ "CR LF in References", { .references = { evil_ref, 1 } } },
	{ "CR LF in a file's name", { .file = &evil_name, .files = 1 } },
	{ "CR LF in a file's type", { .file = &evil_type, .files = 1 } },
	{ "a NUL in a file's name", { .file = &nul_name, .files = 1 } },
	{ "a parameter in a file's type", { .file = &bad_type, .files = 1 } },
	{ "a NUL in the body", { .body = SI("a\0b") } },
	{ "a body that is not UTF-8", { .body = SI("\xE9") } },
	{ "a date that cannot be", { .date_s = INT64_MAX } },
};

static void
refuse(void **state)
{
	const struct refusal *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct err e = { 0 };
	struct str out = { 0 };

	/* The plain message is valid; each row breaks one thing. */
	assert_int_equal(compose_message(a, &c, &out, &e), 0);
	out = S("untouched");
	if (r->c.to.n > 0)
		c.to = r->c.to;
	c.cc = r->c.cc;
	if (r->c.from.n > 0)
		c.from = r->c.from;
	c.from_name = r->c.from_name;
	if (r->c.subject.n > 0)
		c.subject = r->c.subject;
	if (r->c.message_id.n > 0)
		c.message_id = r->c.message_id;
	c.in_reply_to = r->c.in_reply_to;
	c.references = r->c.references;
	c.file = r->c.file;
	c.files = r->c.files;
	if (r->c.body.n > 0)
		c.body = r->c.body;
	if (r->c.date_s != 0)
		c.date_s = r->c.date_s;
	assert_int_equal(compose_message(a, &c, &out, &e), -1);
	assert_int_equal(e.kind, ERR_USAGE);
	rows_same(out, S("untouched"));
}

static void
threading(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_envelope v;
	struct strs refs = { 0 };
	struct str out;

	(void)state;
	for (int i = 0; i < 500; i++)
		str_push(a, &refs, str_fmt(a, "<%d@x.example>", i));
	/* A stranger's invalid id does not prevent a reply. */
	refs.v[499] = S("<\xC3\xA9@x.example>");
	c.references = refs;
	c.in_reply_to = S("<498@x.example>");
	out = written(a, &c);
	check_form(out, 76);
	mime_envelope_parse(a, out, &v);
	assert_int_equal(v.references.n, LIMIT_REFERENCES - 1);
	rows_same(v.references.v[0], S("<0@x.example>"));
	rows_same(v.references.v[1], S("<301@x.example>"));
	rows_same(v.references.v[v.references.n - 1], S("<498@x.example>"));
	assert_int_equal(v.in_reply_to.n, 1);
}

static void
recipients(void **state)
{
	static struct str list[] = { SI("Bob@B.example"),
		SI("b@b" UE "cher.example"), SI("\"a,b\"@c.example"), SI("") };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_envelope v;
	struct str out;

	(void)state;
	c.to = (struct strs){ list, 3 };
	c.cc = (struct strs){ us, 1 };
	out = written(a, &c);
	check_form(out, 76);
	mime_envelope_parse(a, out, &v);
	assert_int_equal(v.to.n, 3);
	rows_same(v.to.v[0].addr, S("Bob@b.example"));
	rows_same(v.to.v[1].addr, S("b@xn--bcher-kva.example"));
	rows_same(v.to.v[2].addr, S("\"a,b\"@c.example"));
	assert_int_equal(v.cc.n, 1);
	assert_true(v.to.clean && v.cc.clean);

	c.to = c.cc = (struct strs){ 0 };
	out = written(a, &c);
	assert_true(str_find(out, S("To: undisclosed-recipients:;\r\n")) > 0);
}

static void
boundary(void **state)
{
	static const struct compose_file f = { SI("a.bin"), SI(""),
		.bytes = SI("x") };
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose c = plain();
	struct mime_message m;

	(void)state;
	c.file = &f;
	c.files = 1;
	c.body = S("--=_0123456789abcdefusexample\n=_1_0123456789abcdefusexam"
		   "ple\n--=_0123456789abcdefusexample--\n");
	mime_message_parse(a, written(a, &c), &m);
	assert_int_equal(m.n, 3);
	rows_same(mime_part_text(a, &m.part[1]), c.body);
}

static void
size(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct compose_file f = { S("a.bin"), .type = S("") };
	struct compose_file many[LIMIT_ATTACHMENTS + 1];
	struct compose c = plain();
	struct err e = { 0 };
	struct str out;

	(void)state;
	f.bytes = (struct str){ arena_alloc(a, 50UL << 20), 50UL << 20 };
	c.file = &f;
	c.files = 1;
	assert_int_equal(compose_message(a, &c, &out, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	f.bytes.n = 40UL << 20;
	assert_int_equal(compose_message(a, &c, &out, &e), 0);
	assert_true(out.n <= LIMIT_OUTGOING);

	f.bytes.n = 1;
	for (size_t i = 0; i <= LIMIT_ATTACHMENTS; i++)
		many[i] = f;
	c.file = many;
	c.files = LIMIT_ATTACHMENTS + 1;
	assert_int_equal(compose_message(a, &c, &out, &e), -1);
	assert_int_equal(e.kind, ERR_LIMIT);
	c.files = LIMIT_ATTACHMENTS;
	assert_int_equal(compose_message(a, &c, &out, &e), 0);
}

int
main(void)
{
	rows_add("a plain message, byte for byte", exact, NULL);
	ROWS(subjects, subject);
	ROWS(names, name);
	ROWS(bodies, body);
	ROWS(files, file);
	ROWS(refusals, refuse);
	rows_add("the first and the last references are kept", threading, NULL);
	rows_add("recipients are written as they go on the wire", recipients,
	    NULL);
	rows_add("a boundary is not in the text", boundary, NULL);
	rows_add("too big is refused", size, NULL);
	return cmocka_run_group_tests_name("mime/compose", rows_tests, NULL,
	    NULL);
}
