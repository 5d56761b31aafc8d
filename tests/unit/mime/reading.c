/* SPDX-License-Identifier: Apache-2.0 */
/* The reading of a message: its text, and its attachments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/limits.h"
#include "mime/message.h"

struct row {
	const char *why;
	const char *raw;
	const char *text;
	const char *files; /* "name type," for each */
	bool from_html;
};

#define MULTI(kind) "Content-Type: multipart/" kind "; boundary=b\n\n"
#define PART "--b\nContent-Type: "
#define END "--b--\n"

static const struct row rows[] = {
	{ "plain text is the text", "\nhello\n", "hello\n", "", false },
	{ "html alone is read as text",
	    "Content-Type: text/html\n\n<p>a</p><p>b", "a\n\nb\n", "", true },
	{ "an alternative is read in plain text",
	    MULTI("alternative") PART "text/plain\n\none\n" PART
				      "text/html\n\n<b>One</b>\n" END,
	    "one", "", false },
	{ "the order of alternatives does not matter",
	    MULTI("alternative") PART "text/html\n\n<b>One</b>\n" PART
				      "text/plain\n\none\n" END,
	    "one", "", false },
	{ "a plain alternative without words gives way to html",
	    MULTI("alternative") PART "text/plain\n\n \t \n" PART
				      "text/html\n\n<b>two</b>\n" END,
	    "two\n", "", true },
	{ "an alternative of images has no text",
	    MULTI("alternative") PART "image/png\n\nx\n" END, "",
	    "attachment-1.png image/png,", false },
	{ "a calendar beside the alternatives is an attachment",
	    MULTI("alternative") PART
	    "text/plain\n\none\n" PART
	    "text/calendar; method=REQUEST\n\nBEGIN\n" END,
	    "one", "attachment-1.ics text/calendar,", false },
	{ "inline texts are joined by an empty line",
	    MULTI("mixed") PART "text/plain\n\none\n\n" PART
				"text/plain\n\ntwo\n" END,
	    "one\n\ntwo\n", "", false },
	{ "texts without words are passed over",
	    MULTI("mixed") PART "text/plain\n\n\n" PART
				"text/plain\n\ntwo\n" END,
	    "two", "", false },
	{ "plain text and html are joined in their order",
	    MULTI("mixed") PART "text/plain\n\none\n" PART
				"text/html\n\n<p>two\n" END,
	    "one\n\ntwo\n", "", true },
	{ "a text that says attachment is one",
	    MULTI("mixed") PART
	    "text/plain\n\none\n" PART
	    "text/plain; name=a.txt\nContent-Disposition: attachment\n\n"
	    "two\n" END,
	    "one", "a.txt text/plain,", false },
	{ "a named text behind the first is an attachment",
	    MULTI("mixed") PART "text/plain; name=a.txt\n\none\n" PART
				"text/plain; name=b.txt\n\ntwo\n" END,
	    "one", "b.txt text/plain,", false },
	{ "a message that is an attachment has no text",
	    "Content-Type: application/pdf; name=a.pdf\n\nx\n", "",
	    "a.pdf application/pdf,", false },
	{ "a plain message that says attachment has no text",
	    "Content-Disposition: attachment; filename=a.txt\n\nx\n", "",
	    "a.txt text/plain,", false },
	{ "text of an unknown kind alone is read",
	    "Content-Type: text/x-note\n\nx\n", "x\n", "", false },
	{ "nameless attachments are called by place and type",
	    MULTI("mixed") PART "image/jpeg\n\nx\n" PART
				"application/pdf; name=a.pdf\n\nx\n" PART
				"application/x-what\n\nx\n" END,
	    "",
	    "attachment-1.jpg image/jpeg,a.pdf application/pdf,"
	    "attachment-3.bin application/x-what,",
	    false },
	{ "a related root is read, its images are attachments",
	    MULTI("related") PART
	    "text/html\n\n<img src=cid:x>one\n" PART
	    "image/png; name=i.png\nContent-ID: <x>\n\nx\n" PART
	    "text/plain\n\nnot shown\n" END,
	    "one\n", "i.png image/png,attachment-2.txt text/plain,", true },
	{ "the root is the one that start names",
	    "Content-Type: multipart/related; boundary=b; "
	    "start=\"<r>\"\n\n" PART "text/plain\n\nfirst\n" PART
	    "text/plain\nContent-ID: <r>\n\nroot\n" END,
	    "root", "attachment-1.txt text/plain,", false },
	{ "a related root without text gives way to the first text",
	    MULTI("related") PART "image/gif; name=i.gif\n\nx\n" PART
				  "text/html\n\n<p>one\n" END,
	    "one\n", "i.gif image/gif,", true },
	{ "html with images within an alternative",
	    MULTI("alternative") PART
	    "text/plain\n\none\n" PART "multipart/related; boundary=c\n\n"
	    "--c\nContent-Type: text/html\n\n<p>one\n"
	    "--c\nContent-Type: image/png; name=i.png\n\nx\n--c--\n" END,
	    "one", "i.png image/png,", false },
	{ "a message within is one attachment, its parts are none",
	    MULTI("mixed") PART
	    "text/plain\n\none\n" PART
	    "message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n"
	    "--c\n\ninner\n"
	    "--c\nContent-Type: image/png; name=i.png\n\nx\n--c--\n" END,
	    "one", "attachment-1.eml message/rfc822,", false },
	{ "a message that is only another message has no text",
	    "Content-Type: message/rfc822\n\nSubject: x\n\ninner\n", "",
	    "attachment-1.eml message/rfc822,", false },
	{ "the content of a signed message is read",
	    MULTI("signed") PART
	    "text/plain\n\none\n" PART
	    "application/pgp-signature; name=signature.asc\n\nx\n" END,
	    "one", "signature.asc application/pgp-signature,", false },
	{ "an encrypted message is two attachments",
	    MULTI("encrypted") PART
	    "application/pgp-encrypted\n\nVersion: 1\n" PART
	    "application/octet-stream; name=e.asc\n\nx\n" END,
	    "",
	    "attachment-1.bin application/pgp-encrypted,"
	    "e.asc application/octet-stream,",
	    false },
	{ "an opaque S/MIME message is an attachment",
	    "Content-Type: application/pkcs7-mime; name=smime.p7m\n\nx\n", "",
	    "smime.p7m application/pkcs7-mime,", false },
	{ "a bounce is read, its report and the message are attachments",
	    MULTI("report") PART
	    "text/plain\n\nsorry\n" PART
	    "message/delivery-status\n\nStatus: 5.1.1\n" PART
	    "message/rfc822\n\nSubject: x\n\ny\n" END,
	    "sorry",
	    "attachment-1.txt message/delivery-status,"
	    "attachment-2.eml message/rfc822,",
	    false },
	{ "a footer behind the alternatives is read too",
	    MULTI("mixed") PART
	    "multipart/alternative; boundary=c\n\n"
	    "--c\nContent-Type: text/plain\n\none\n"
	    "--c\nContent-Type: text/html\n\n<p>one\n--c--\n" PART
	    "text/plain\n\nlist footer\n" END,
	    "one\n\nlist footer\n", "", false },
	{ "alternatives within alternatives",
	    MULTI("alternative") PART
	    "multipart/alternative; boundary=c\n\n"
	    "--c\nContent-Type: text/plain\n\n\n"
	    "--c\nContent-Type: text/html\n\n<p>two\n--c--\n" PART
	    "text/plain\n\ntwo\n" END,
	    "two", "", false },
};

static void
reading(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct mime_message m;
	struct mime_reading got;
	struct buf files;

	mime_message_parse(a, str_of(r->raw), &m);
	mime_reading_make(a, &m, &got);
	buf_init(&files, a, 10000);
	for (size_t i = 0; i < got.n; i++)
		buf_fmt(&files, "%.*s %.*s,", STR_ARG(got.attachment[i].name),
		    STR_ARG(got.attachment[i].type));
	assert_string_equal(str_c(a, got.text), r->text);
	assert_string_equal(str_c(a, buf_view(&files)), r->files);
	assert_int_equal(got.from_html, r->from_html);
	assert_int_equal(mime_reading_has_attachments(&m), got.n > 0);
	assert_false(got.truncated);
	assert_false(got.bad_charset);
}

static void
a_message_within_is_whole(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct mime_message m;
	struct mime_reading got;

	(void)state;
	mime_message_parse(a,
	    S(MULTI("mixed") PART "message/rfc822\n\nSubject: x\n\ny\n" END),
	    &m);
	mime_reading_make(a, &m, &got);
	assert_int_equal(got.n, 1);
	assert_true(str_eq(mime_part_decode(a, got.attachment[0].part),
	    S("Subject: x\n\ny")));
}

static void
bytes_that_cannot_be_read_are_told(void **state)
{
	static const char *const types[] = { "us-ascii; charset=utf-8",
		"plain; charset=utf-8", "plain; charset=no-such-thing" };
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct mime_message m;
	struct mime_reading got;

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		mime_message_parse(a,
		    str_fmt(a, "Content-Type: text/%s\n\n\xE4\xFF\n", types[i]),
		    &m);
		mime_reading_make(a, &m, &got);
		assert_true(got.bad_charset);
	}
}

static void
too_much_text_is_cut_and_told(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 30);
	size_t n = LIMIT_MIME_TEXT + 1000;
	struct mime_message m;
	struct mime_reading got;
	struct buf b;

	(void)state;
	buf_init(&b, a, 2 * n);
	buf_text(&b, "\n");
	while (b.n < n)
		buf_text(&b, "twenty-four bytes of it\n");
	mime_message_parse(a, buf_view(&b), &m);
	mime_reading_make(a, &m, &got);
	assert_true(got.truncated);
	assert_int_equal(got.text.n, LIMIT_MIME_TEXT);
}

/* 110 MB of mail in such parts once filled the memory of the call. */
static void
reading_keeps_only_the_text(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 26);
	struct mime_message m;
	struct mime_reading got;
	struct buf b;
	size_t before;

	(void)state;
	buf_init(&b, a, 1 << 24);
	buf_text(&b, MULTI("mixed"));
	for (int i = 0; i < 100; i++) {
		buf_text(&b,
		    PART "text/html; charset=windows-1252\n"
			 "Content-Transfer-Encoding: quoted-printable\n\n"
			 "<style>");
		for (int k = 0; k < 500; k++)
			buf_text(&b, "\x80\x80\x80\x80\x80\x80\x80\x80\r\n");
		buf_text(&b, "</style>x\n");
	}
	mime_message_parse(a, buf_view(&b), &m);
	before = arena_used(a);
	mime_reading_make(a, &m, &got);
	assert_int_equal(got.text.n, 299);
	assert_true(arena_used(a) - before < 64UL << 10);
}

static void
parts_beyond_the_limit_are_told(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 26);
	struct mime_message m;
	struct mime_reading got;
	struct buf b;

	(void)state;
	buf_init(&b, a, 1 << 20);
	buf_text(&b, MULTI("mixed"));
	for (int i = 0; i < 2000; i++)
		buf_text(&b, PART "image/png\n\nx\n");
	mime_message_parse(a, buf_view(&b), &m);
	mime_reading_make(a, &m, &got);
	assert_true(got.truncated);
	assert_int_equal(got.n, LIMIT_MIME_PARTS - 1);
	assert_true(mime_reading_has_attachments(&m));
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	const struct CMUnitTest more[] = {
		cmocka_unit_test(a_message_within_is_whole),
		cmocka_unit_test(bytes_that_cannot_be_read_are_told),
		cmocka_unit_test(too_much_text_is_cut_and_told),
		cmocka_unit_test(reading_keeps_only_the_text),
		cmocka_unit_test(parts_beyond_the_limit_are_told),
	};
	struct CMUnitTest tests[ROWS + 5] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = reading;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	for (size_t i = 0; i < 5; i++)
		tests[ROWS + i] = more[i];
	return cmocka_run_group_tests_name("mime/reading", tests, NULL, NULL);
}
