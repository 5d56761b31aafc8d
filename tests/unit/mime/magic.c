/* SPDX-License-Identifier: Apache-2.0 */
/* The type of a file by its first bytes, compared with its declared type. */
#include "../rows.h"

#include "mime/magic.h"

#define PE                                                                     \
	"MZ\x90\0\3\0\0\0\4\0\0\0\xFF\xFF\0\0\xB8\0\0\0\0\0\0\0\x40\0\0\0"     \
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"     \
	"\x80\0\0\0"

static const struct row {
	const char *why;
	const char *type, *name;
	struct str bytes;
	bool mismatch;
} rows[] = {
	{ "a pdf", "application/pdf", "a.pdf", SI("%PDF-1.7\n"), false },
	{ "a pdf behind a few bytes", "application/pdf", "a.pdf",
	    SI("\r\n\r\n%PDF-1.4\n"), false },
	{ "a pdf that is none", "application/pdf", "a.pdf", SI("hello"), true },
	{ "a pdf that is a program", "application/pdf", "a.pdf", SI(PE), true },
	{ "bytes named pdf that are a program", "application/octet-stream",
	    "a.pdf", SI(PE), true },
	{ "bytes named pdf that are one", "application/octet-stream", "A.PDF",
	    SI("%PDF-1.4"), false },
	{ "bytes of any kind", "application/octet-stream", "a.bin", SI("hello"),
	    false },
	{ "a program that says so", "application/x-msdownload", "a.exe", SI(PE),
	    false },
	{ "a program as an image", "image/png", "a.png", SI(PE), true },
	{ "an image of a type we know no magic of", "image/webp", "a.webp",
	    SI("RIFF\4\0\0\0WEBP"), false },
	{ "a program as such an image", "image/webp", "a.webp", SI(PE), true },
	{ "a program as text", "text/plain", "a.txt", SI(PE), true },
	{ "text that begins as a program does", "text/plain", "a.txt",
	    SI("MZ is the mark of a program for DOS. This line is long "
	       "enough, I think."),
	    false },
	{ "elf as a pdf", "application/pdf", "x",
	    SI("\x7F"
	       "ELF\2"),
	    true },
	{ "a document",
	    "application/vnd.openxmlformats-officedocument."
	    "wordprocessingml.document",
	    "a.docx", SI("PK\3\4\x14"), false },
	{ "a document that is a page",
	    "application/vnd.openxmlformats-officedocument."
	    "wordprocessingml.document",
	    "a.docx", SI("<html><script>"), true },
	{ "a sheet as many programs declare it", "application/vnd.ms-excel",
	    "a.xlsx", SI("PK\3\4\x14"), false },
	{ "an old document", "application/msword", "a.doc",
	    SI("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), false },
	{ "an old document in rich text", "application/msword", "a.doc",
	    SI("{\\rtf1"), false },
	{ "a page as text", "text/plain", "a.txt", SI("  <!DOCTYPE html>"),
	    true },
	{ "a page as an image", "image/jpeg", "a.jpg", SI("<HTML>"), true },
	{ "a page", "text/html", "a.html", SI("\xEF\xBB\xBF<html>"), false },
	{ "a picture of another kind", "image/jpeg", "a.jpg",
	    SI("\x89PNG\r\n\x1A\n"), true },
	{ "a picture named for another", "image/png", "a.jpg",
	    SI("\x89PNG\r\n\x1A\n"), true },
	{ "a picture", "image/jpeg", "a.jpeg", SI("\xFF\xD8\xFF\xE0"), false },
	{ "a script as a picture", "image/gif", "a.gif", SI("#!/bin/sh\n"),
	    true },
	{ "a script", "text/x-sh", "a.sh", SI("#!/bin/sh\n"), false },
	{ "an archive as text", "text/csv", "a.csv", SI("PK\3\4"), true },
	{ "an archive of some program's", "application/x-foo", "a.foo",
	    SI("PK\3\4"), false },
	{ "a report in gzip", "application/gzip", "r.xml.gz",
	    SI("\x1F\x8B\x08"), false },
	{ "an archive named for another", "application/octet-stream", "a.rar",
	    SI("7z\xBC\xAF\x27\x1C"), true },
	{ "a song", "audio/mpeg", "a.mp3", SI("ID3\3"), false },
	{ "a film", "video/mp4", "a.mp4",
	    SI("\0\0\0\x18"
	       "ftypmp42"),
	    false },
	{ "a film as a document", "application/pdf", "a.pdf",
	    SI("\0\0\0\x18"
	       "ftypmp42"),
	    true },
	{ "text", "text/plain", "a.txt", SI("hello"), false },
	{ "nothing is nothing", "application/pdf", "a.pdf", SI(""), false },
};

static void
row(void **state)
{
	const struct row *r = *state;

	assert_int_equal(magic_mismatch(str_of(r->type), str_of(r->name),
			     r->bytes),
	    r->mismatch);
}

int
main(void)
{
	ROWS(rows, row);
	return cmocka_run_group_tests_name("mime/magic", rows_tests, NULL,
	    NULL);
}
