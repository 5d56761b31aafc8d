/* SPDX-License-Identifier: Apache-2.0 */
/* Names of attachments that show another type than the real one. */
#include "../rows.h"

#include "mime/message.h"

static const struct row {
	const char *why;
	const char *disp, *type; /* parameters of the two fields */
	bool deceptive;
} rows[] = {
	{ "a name", "filename=\"report.pdf\"", "name=\"report.pdf\"", false },
	{ "no name", "", "", false },
	{ "two extensions of one archive", "filename=\"a.tar.gz\"", "", false },
	{ "a program that is named so", "filename=\"setup.exe\"", "", false },
	{ "a version before the extension", "filename=\"setup-1.2.exe\"", "",
	    false },
	{ "a program as a document", "filename=\"invoice.pdf.exe\"", "", true },
	{ "in any case", "filename=\"invoice.PDF.ScR\"", "", true },
	{ "with spaces between", "filename=\"invoice.pdf .exe\"", "", true },
	{ "a dot behind it is dropped by some", "filename=\"a.pdf.exe.\"", "",
	    true },
	{ "a page as a document", "filename=\"invoice.pdf.html\"", "", true },
	{ "the direction of writing turned",
	    "filename*=utf-8''invoice%E2%80%AEfdp.exe", "", true },
	{ "something unseen within", "filename*=utf-8''a%E2%80%8B.pdf", "",
	    true },
	{ "an extension pushed out of sight",
	    "filename=\"invoice.pdf            .exe\"", "", true },
	{ "spaces before no program", "filename=\"a      .txt\"", "", true },
	{ "a space or two", "filename=\"my  new report.pdf\"", "", false },
	{ "two names of two types", "filename=\"a.exe\"", "name=\"a.pdf\"",
	    true },
	{ "two names of one type", "filename=\"a.pdf\"", "name=\"b.PDF\"",
	    false },
	{ "the worse name in the other field", "", "name=\"a.jpg.js\"", true },
};

static void
row(void **state)
{
	const struct row *r = *state;
	CLEANUP(arena_close) struct arena *a = arena_open(1 << 22);
	struct mime_message m;
	struct mime_reading got;

	mime_message_parse(a,
	    str_fmt(a,
		"Content-Type: application/octet-stream; %s\n"
		"Content-Disposition: attachment; %s\n\nx\n",
		r->type, r->disp),
	    &m);
	mime_reading_make(a, &m, &got);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.attachment[0].deceptive, r->deceptive);
}

int
main(void)
{
	ROWS(rows, row);
	return cmocka_run_group_tests_name("mime/name", rows_tests, NULL, NULL);
}
