/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a row of a list, and the data that policy judges. */
#include "../rows.h"

#include "base/utf8.h"
#include "mime/message.h"

static const char whole[] =
    "Received: from x.example (x.example [192.0.2.1]) by y.example;\r\n"
    "\tSun, 21 Jun 2026 10:00:01 +0000\r\n"
    "DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=x; h=From:To;\r\n"
    " bh=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=; b=AAAA\r\n"
    "Date: Sun, 21 Jun 2026 12:00:00 +0200\r\n"
    "From: =?utf-8?q?B=C3=BCb?= <Bob@B.example>\r\n"
    "To: us@us.example, \"Bee, Ann\" <ann@us.example>\r\n"
    "Cc: eve@e.example\r\n"
    "Reply-To: list@b.example\r\n"
    "Subject: =?utf-8?b?SGVsbG8sIA==?=\r\n"
    " =?utf-8?b?d29ybGQ=?=\r\n"
    "Message-ID: <m1@b.example>\r\n"
    "In-Reply-To: <m0@us.example>\r\n"
    "References: <a@us.example> <m0@us.example>\r\n"
    "MIME-Version: 1.0\r\n"
    "Content-Type: multipart/mixed; boundary=\"x\"\r\n"
    "\r\n"
    "From: evil@e.example\r\n";

static void
all(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;

	(void)state;
	mime_envelope_parse(a, S(whole), &v);
	assert_int_equal(v.from_fields, 1);
	rows_same(v.from_sole, S("bob@b.example"));
	assert_int_equal(v.from.n, 1);
	rows_same(v.from.v[0].name,
	    S("B\xC3\xBC"
	      "b"));
	rows_same(v.from.v[0].addr, S("Bob@B.example"));
	assert_int_equal(v.to.n, 2);
	rows_same(v.to.v[1].name, S("Bee, Ann"));
	assert_int_equal(v.cc.n, 1);
	assert_int_equal(v.reply_to.n, 1);
	rows_same(v.subject, S("Hello, world"));
	assert_false(v.subject_cut);
	assert_true(v.has_date);
	assert_int_equal(v.date_s, 1782036000);
	assert_int_equal(v.date_offset_min, 120);
	rows_same(v.message_id, S("<m1@b.example>"));
	assert_int_equal(v.in_reply_to.n, 1);
	assert_int_equal(v.references.n, 2);
	rows_same(v.type, S("multipart/mixed"));
}

static const struct row {
	const char *why;
	struct str in;
	size_t fields;
	const char *sole;
	size_t from_n;
} rows[] = {
	{ "one From", SI("From: a@b.example\r\n"), 1, "a@b.example", 1 },
	{ "no From", SI("To: a@b.example\r\n"), 0, "", 0 },
	{ "two From fields", SI("From: a@b.example\r\nFrom: e@e.example\r\n"),
	    2, "", 2 },
	{ "two equal From fields",
	    SI("From: a@b.example\r\nFrom: a@b.example\r\n"), 2, "", 2 },
	{ "a second From in capitals",
	    SI("From: a@b.example\r\nFROM: e@e.example\r\n"), 2, "", 2 },
	{ "a second From with space before its colon",
	    SI("From: a@b.example\r\nFrom : e@e.example\r\n"), 2, "", 2 },
	{ "two addresses in one From", SI("From: a@b.example, e@e.example"), 1,
	    "", 2 },
	{ "an empty From", SI("From:\r\n"), 1, "", 0 },
	{ "a From behind a damaged line",
	    SI("nonsense\r\nFrom: a@b.example\r\n"), 1, "a@b.example", 1 },
	{ "a From in the body", SI("Subject: x\r\n\r\nFrom: a@b.example\r\n"),
	    0, "", 0 },
	{ "a From folded into another field",
	    SI("Subject: x\r\n From: a@b.example\r\n"), 0, "", 0 },
	/*
	 * Some readers would take these for a From, so there is no sole sender.
	 */
	{ "a From with a NUL in its name",
	    SI("From\0: e@e.example\r\nFrom: a@b.example\r\n"), 1, "", 1 },
	{ "a From with a no-break space",
	    SI("From\xC2\xA0: e@e.example\r\nFrom: a@b.example\r\n"), 1, "",
	    1 },
	{ "a From behind a byte order mark",
	    SI("\xEF\xBB\xBF"
	       "From: e@e.example\r\nFrom: a@b.example\r\n"),
	    1, "", 1 },
	{ "a first line that begins with a blank",
	    SI(" From: e@e.example\r\nFrom: a@b.example\r\n"), 1, "", 1 },
	{ "a From folded before its colon",
	    SI("From\r\n : e@e.example\r\nFrom: a@b.example\r\n"), 1, "", 1 },
	{ "a From behind a lone CR",
	    SI("X: y\rFrom: e@e.example\r\nFrom: a@b.example\r\n"), 1, "", 1 },
	{ "a folded list of names is none",
	    SI("From: a@b.example\r\nDKIM-Signature: v=1; h=To:\r\n"
	       " From:Subject; b=x\r\n"),
	    1, "a@b.example", 1 },
	{ "a Sender is no From", SI("Sender: a@b.example\r\n"), 0, "", 0 },
	{ "a Resent-From is no From", SI("Resent-From: a@b.example\r\n"), 0, "",
	    0 },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;

	mime_envelope_parse(a, r->in, &v);
	assert_int_equal(v.from_fields, r->fields);
	rows_same(v.from_sole, str_of(r->sole));
	assert_int_equal(v.from.n, r->from_n);
}

static void
empty(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;

	(void)state;
	mime_envelope_parse(a, S(""), &v);
	assert_false(v.has_date);
	assert_int_equal(v.subject.n + v.message_id.n + v.type.n, 0);
	assert_int_equal(v.to.n + v.references.n + v.in_reply_to.n, 0);
}

static void
over(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;
	struct str pad = rows_repeat(a, S("X: y\r\n"), LIMIT_MIME_HEADERS);

	(void)state;
	mime_envelope_parse(a,
	    str_fmt(a, "From: a@b.example\r\n%.*sFrom: e@e.example\r\n",
		STR_ARG(pad)),
	    &v);
	rows_same(v.from_sole, S(""));
}

/* A rule on the subject must see everything it judges. */
static void
unsure(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str pad = rows_repeat(a, S("X: y\r\n"), LIMIT_MIME_HEADERS);
	struct mime_envelope v;

	(void)state;
	mime_envelope_parse(a, S("Subject: a\r\nSubject: b\r\n"), &v);
	assert_true(v.subject_cut);
	mime_envelope_parse(a, S("Subject: a\r\nSubject\0: b\r\n"), &v);
	assert_true(v.subject_cut);
	mime_envelope_parse(a, str_fmt(a, "%.*sSubject: b\r\n", STR_ARG(pad)),
	    &v);
	assert_true(v.subject_cut);
	mime_envelope_parse(a, S("From: a@b.example\r\n"), &v);
	assert_false(v.subject_cut);
}

static void
subject(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct str s = rows_repeat(a, S("\xC3\xA9"), LIMIT_SUBJECT / 2);
	struct mime_envelope v;

	(void)state;
	mime_envelope_parse(a, str_fmt(a, "Subject: %.*s", STR_ARG(s)), &v);
	assert_int_equal(v.subject.n, LIMIT_SUBJECT);
	assert_false(v.subject_cut);
	mime_envelope_parse(a, str_fmt(a, "Subject: x%.*s", STR_ARG(s)), &v);
	assert_int_equal(v.subject.n, LIMIT_SUBJECT - 1);
	assert_true(v.subject_cut);
	assert_true(utf8_valid(v.subject));
}

static void
two_to(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;

	(void)state;
	mime_envelope_parse(a, S("To: a@b.example\nTo: c@d.example\n"), &v);
	assert_int_equal(v.to.n, 2);
	rows_same(v.to.v[1].addr, S("c@d.example"));
	mime_envelope_parse(a,
	    rows_repeat(a, S("To: a@b.example\n"), LIMIT_MIME_HEADERS), &v);
	assert_int_equal(v.to.n, LIMIT_ADDRESSES);
	assert_true(arena_used(a) < 8UL << 20);
}

static const struct made {
	const char *head;
	bool automatic, list;
} made[] = {
	{ "Subject: hello\r\n", false, false },
	{ "Auto-Submitted: no\r\n", false, false },
	{ "Auto-Submitted: NO (a person)\r\n", false, false },
	{ "Auto-Submitted: no; x=y\r\n", false, false },
	{ "auto-submitted: auto-replied\r\n", true, false },
	{ "Auto-Submitted:\r\n auto-generated\r\n", true, false },
	{ "Auto-Submitted: nobody\r\n", true, false },
	{ "Auto-Submitted:\r\n", true, false },
	{ "Auto-Submitted: no\r\nAuto-Submitted: auto-replied\r\n", true,
	    false },
	{ "Return-Path: <>\r\n", true, false },
	{ "Return-Path: <a@b.example>\r\n", false, false },
	{ "Precedence: auto_reply\r\n", true, false },
	{ "Precedence: junk\r\n", true, false },
	{ "Precedence: bulk\r\n", false, true },
	{ "Precedence: first-class\r\n", false, false },
	{ "List-Id: <l.b.example>\r\n", false, true },
	{ "list-unsubscribe: <mailto:x@b.example>\r\n", false, true },
	{ "Listing: no list\r\n", false, false },
	{ "Content-Type: multipart/report; boundary=x\r\n", true, false },
};

static void
who_made_it(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct mime_envelope v;

	(void)state;
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++) {
		mime_envelope_parse(a, str_of(made[i].head), &v);
		if (v.automatic != made[i].automatic ||
		    v.from_list != made[i].list)
			fail_msg("%s: %d %d", made[i].head, v.automatic,
			    v.from_list);
	}
}

int
main(void)
{
	rows_add("every field of a row is read", all, NULL);
	ROWS(rows, row);
	rows_add("an empty header gives an empty row", empty, NULL);
	rows_add("a header cut short has no sole sender", over, NULL);
	rows_add("a subject that may not be all or the one says so", unsure,
	    NULL);
	rows_add("a subject is cut on a character and says so", subject, NULL);
	rows_add("two To fields are one list", two_to, NULL);
	rows_add("automatic mail and lists' mail is known", who_made_it, NULL);
	return cmocka_run_group_tests_name("mime/envelope", rows_tests, NULL,
	    NULL);
}
