/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a part: its bytes, its text, its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/message.h"

enum what {
	BYTES,
	TEXT,
	NAME,
};

struct row {
	const char *why;
	enum what what;
	const char *head;
	const char *body;
	const char *want;
};

#define QP "Content-Transfer-Encoding: quoted-printable\n"
#define B64 "Content-Transfer-Encoding: base64\n"
#define DISP "Content-Disposition: attachment; filename="

static const struct row rows[] = {
	{ "an encoding we do not know is none", BYTES,
	    "Content-Transfer-Encoding: x-rot\n", "a=20\n", "a=20\n" },
	{ "qp: escapes in either case", BYTES, QP, "=4A=4a=c3=A4",
	    "JJ\xC3\xA4" },
	{ "qp: a soft break joins", BYTES, QP, "on=\ne=\r\n!", "one!" },
	{ "qp: padding behind a soft break goes", BYTES, QP, "on= \t\ne",
	    "one" },
	{ "qp: white space before a line end goes", BYTES, QP, "a \t\r\nb ",
	    "a\r\nb" },
	{ "qp: an escaped space before a line end stays", BYTES, QP, "a=20\nb",
	    "a \nb" },
	{ "qp: what is no escape stays", BYTES, QP, "a=zz=4=\n=", "a=zz=4" },
	{ "qp: an empty body", BYTES, QP, "", "" },
	{ "base64 over lines", BYTES, B64, "aGVs\r\nbG8=\r\n", "hello" },
	{ "base64 with foreign characters", BYTES, B64,
	    "aG*Vs\n-bG8=", "hello" },
	{ "base64 that ends in mid-group", BYTES, B64, "aGVsbG", "hell" },
	{ "the encoding's name is read leniently", BYTES,
	    "Content-Transfer-Encoding:  \"BASE64\" (old) ; x\n",
	    "aGk=", "hi" },
	{ "text has LF line ends", TEXT, "", "a\r\nb\rc\n\r\n", "a\nb\nc\n\n" },
	{ "text in latin-1", TEXT,
	    "Content-Type: text/plain; charset=iso-8859-1\n" QP, "=E4",
	    "\xC3\xA4" },
	{ "text without a charset may be UTF-8", TEXT, "", "\xC3\xA4",
	    "\xC3\xA4" },
	{ "text without a charset may be windows-1252", TEXT, "", "\x80",
	    "\xE2\x82\xAC" },
	{ "a byte order mark is not text", TEXT,
	    "Content-Type: text/plain; charset=utf-8\n", "\xEF\xBB\xBFx", "x" },
	{ "a plain name", NAME, DISP "a.pdf\n", "", "a.pdf" },
	{ "the name parameter is second best", NAME,
	    "Content-Type: text/x; name=b.txt\n", "", "b.txt" },
	{ "filename goes before name", NAME,
	    "Content-Type: text/x; name=b.txt\n" DISP "a.pdf\n", "", "a.pdf" },
	{ "no name is an empty one", NAME, "", "", "" },
	{ "a name has no folders", NAME, DISP "\"../../etc/passwd\"\n", "",
	    "passwd" },
	{ "a name has no folders of Windows", NAME,
	    DISP "\"C:\\\\Users\\\\a.txt\"\n", "", "a.txt" },
	{ "a folder alone is no name", NAME, DISP "\"a/b/\"\n", "", "" },
	{ "dots alone are no name", NAME, DISP "\"..\"\n", "", "" },
	{ "controls become spaces", NAME, DISP "\"a\tb\x01\x7F.c\"\n", "",
	    "a b  .c" },
	{ "characters that turn the direction go", NAME,
	    "Content-Disposition: attachment; "
	    "filename*=utf-8''gpj%E2%80%AE.exe\n",
	    "", "gpj.exe" },
	{ "RFC 2231 continuations", NAME,
	    "Content-Disposition: attachment; filename*0*=utf-8''%C3%A4;\n"
	    " filename*1=\"b.txt\"\n",
	    "",
	    "\xC3\xA4"
	    "b.txt" },
	{ "an encoded word as a name", NAME, DISP "\"=?utf-8?Q?=C3=A4?=.c\"\n",
	    "", "\xC3\xA4.c" },
};

static void
reads(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct mime_message m;
	const struct mime_part *p;
	struct str got = S("");

	mime_message_parse(a, str_fmt(a, "%s\n%s", r->head, r->body), &m);
	p = &m.part[0];
	switch (r->what) {
	case BYTES:
		got = mime_part_decode(a, p);
		break;
	case TEXT:
		got = mime_part_text(a, p);
		break;
	case NAME:
		got = mime_part_name(a, p);
		break;
	}
	assert_string_equal(str_c(a, got), r->want);
}

static void
a_long_name_is_cut_on_a_character(void **state)
{
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 20);
	struct mime_message m;
	struct str name;
	char long_name[1001];

	(void)state;
	for (int i = 0; i < 1000; i += 2) {
		long_name[i] = '\xC3';
		long_name[i + 1] = '\xA4';
	}
	long_name[1000] = '\0';
	mime_message_parse(a, str_fmt(a, DISP "\"x%s\"\n\n", long_name), &m);
	name = mime_part_name(a, &m.part[0]);
	assert_int_equal(name.n, LIMIT_FILE_NAME);
	assert_true(utf8_valid(name));
}

#define ROWS (sizeof(rows) / sizeof(rows[0]))

int
main(void)
{
	struct CMUnitTest tests[ROWS + 1] = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		tests[i].name = rows[i].why;
		tests[i].test_func = reads;
		tests[i].initial_state = (void *)(uintptr_t)&rows[i];
	}
	tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(
	    a_long_name_is_cut_on_a_character);
	return cmocka_run_group_tests_name("mime/part", tests, NULL, NULL);
}
