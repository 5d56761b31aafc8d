/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages of tests/mail/, and our reading of each.  Run from the project's
 * root; EMCLI_MAIL names another folder.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/path.h"
#include "mime/message.h"

struct row {
	const char *file;
	const char *subject;
	struct str text;   /* the beginning of the text; "" for none */
	const char *files; /* the attachments' names */
};

/* clang-format off */
static const struct row rows[] = {
	{ "plain", "Lunch", SI("Shall we?"), "" },
	{ "nested", "Minutes", SI("Rich minutes"), "logo.png report.pdf" },
	{ "flowed", "Flowed", SI("> How are you?\nI am well.\n" "From here."), "" },
	{ "eight-bit", "Gr\xC3\xBC\xC3\x9F" "e", SI("Sch\xC3\xB6ne Gr\xC3\xBC\xC3\x9F" "e"), "" },
	{ "eight-bit-latin", "Gr\xC3\xBC\xC3\x9F" "e", SI("Sch\xC3\xB6n \xE2\x82\xAC 5"), "" },
	{ "wrong-charset", "Wrong", SI("na\xC3\xAFve"), "" },
	{ "unknown-charset", "Unknown", SI("qapla\xE2\x80\x99"), "" },
	{ "koi8", "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82", SI("\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82, \xD0\xBC\xD0\xB8\xD1\x80!"), "" },
	{ "iso-2022-jp", "\xE6\x97\xA5\xE6\x9C\xAC", SI("\xE6\x97\xA5\xE6\x9C\xAC!"), "" },
	{ "broken-boundary", "Broken", SI("--real"), "" },
	{ "no-boundary", "None", SI("--real"), "" },
	{ "missing-close", "Cut", SI("one"), "report.pdf" },
	{ "inner-unclosed", "Unclosed", SI("one"), "report.pdf" },
	{ "boundary-prefix", "Prefix", SI("two"), "report.pdf" },
	{ "same-boundary", "Same", SI("two\n\nthree"), "" },
	{ "empty-parts", "Empty", SI("\nwords"), "report.pdf" },
	{ "empty-multipart", "Nothing", SI(""), "" },
	{ "preamble", "Pre", SI("one"), "" },
	{ "rfc822", "Fwd", SI("See below."), "inner.eml" },
	{ "rfc822-base64", "Fwd", SI("See below."), "attachment-1.eml" },
	{ "digest", "Digest", SI(""), "attachment-1.eml attachment-2.eml" },
	{ "rfc2231", "Name", SI("one"), "J\xC3\xA4nner-\xE2\x82\xAC.pdf" },
	{ "rfc2047-name", "Name", SI("one"), "J\xC3\xA4nner.pdf" },
	{ "path-name", "Path", SI("one"), ".profile a.bat attachment-3.bin" },
	{ "bidi-name", "Bidi", SI("one"), "invoicefdp.exe" },
	{ "nameless", "Nameless", SI("one"), "attachment-1.jpg attachment-2.zip" },
	{ "html-only", "Offer", SI("Hello\n\nSee our site <https://x.example/>.\n\n- one\n- two"), "" },
	{ "html-qp", "Offer", SI("Caf\xC3\xA9 \xE2\x82\xAC 5 & tea \xE2\x80\x94 caf\xC3\xA9"), "" },
	{ "empty-plain", "Empty plain", SI("Read me"), "" },
	{ "text-attachment", "Log", SI("see log"), "a.log" },
	{ "footer", "[list] Hi", SI("hi all\n\n_____"), "" },
	{ "signed", "Signed", SI("I owe you 5."), "signature.asc" },
	{ "encrypted", "...", SI(""), "attachment-1.bin encrypted.asc" },
	{ "smime", "Opaque", SI(""), "smime.p7m" },
	{ "bounce", "Undelivered", SI("It did not arrive."), "attachment-1.txt attachment-2.txt" },
	{ "invite", "Meeting", SI("You are invited."), "attachment-1.ics" },
	{ "bare-lf", "Bare LF", SI("one\ntwo"), "report.pdf" },
	{ "mixed-ends", "Mixed ends", SI("one\ntwo"), "report.pdf" },
	{ "nul", "N UL", SI("before\0after"), "" },
	{ "from-line", "From line", SI("text"), "" },
	{ "garbage-type", "Garbage", SI("still text"), "" },
	{ "double-type", "Twice", SI("first"), "" },
	{ "folded-type", "Folded", SI("one"), "a b.pdf" },
	{ "uuencode", "UU", SI("see:\n\n" "begin 644 a.txt"), "" },
	{ "deep", "Deep", SI("at last"), "" },
	{ "truncated-base64", "Cut", SI("one"), "report.pdf" },
};
/* clang-format on */

static struct str
load(struct arena *a, const char *file)
{
	CLEANUP(path_close) int fd = -1;
	const char *dir = getenv("EMCLI_MAIL");
	struct str path, raw = S("");
	struct err e = { 0 };

	path = str_fmt(a, "%s/%s.eml", dir != NULL ? dir : "tests/mail", file);
	fd = open(path.p, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || path_read(fd, 1 << 20, a, &raw, &e) < 0)
		fail_msg("cannot read %s", path.p);
	return raw;
}

static struct str
subject_of(struct arena *a, const struct mime_message *m)
{
	const struct mime_field *f =
	    mime_header_get(&m->part[0].header, "Subject", 0);

	return f != NULL ? mime_header_text(a, f->value) : S("");
}

static void
reading(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 24);
	struct mime_message m;
	struct mime_reading got;
	struct buf files;

	mime_message_parse(a, load(a, r->file), &m);
	mime_reading_make(a, &m, &got);
	buf_init(&files, a, 1000);
	for (size_t i = 0; i < got.n; i++)
		buf_fmt(&files, "%s%.*s", i > 0 ? " " : "",
		    STR_ARG(got.attachment[i].name));
	assert_string_equal(str_c(a, subject_of(a, &m)), r->subject);
	if (r->text.n == 0)
		assert_int_equal(got.text.n, 0);
	if (!str_starts(got.text, r->text))
		assert_string_equal(str_c(a, got.text), r->text.p);
	assert_string_equal(str_c(a, buf_view(&files)), r->files);
	assert_int_equal(mime_reading_has_attachments(&m), got.n > 0);
	assert_non_null(mime_header_get(&m.part[0].header, "X-Why", 0));
}

int
main(void)
{
	struct CMUnitTest tests[sizeof(rows) / sizeof(rows[0])] = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tests[i].name = rows[i].file;
		tests[i].test_func = reading;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	return cmocka_run_group_tests_name("mime/mail", tests, NULL, NULL);
}
