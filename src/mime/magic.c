/* SPDX-License-Identifier: Apache-2.0 */
/*
 * File types by their first bytes.  Three tables: how each kind begins, the
 * declared types that it may have, and its extensions.
 */
#include "mime/magic.h"

#include <string.h>

enum kind {
	NONE, /* no known magic */
	PDF,
	ZIP, /* also formats inside a ZIP: OOXML, OpenDocument, jar */
	PNG,
	JPEG,
	GIF,
	PE,
	ELF,
	MACHO,
	HTML,
	RTF,
	OLE, /* Office before 2007 */
	GZIP,
	SEVENZIP,
	RAR,
	MP3,
	MP4,
	SCRIPT,
};

static const struct {
	enum kind kind;
	size_t at;
	struct str bytes;
} begins[] = {
	{ PDF, 0, SI("%PDF-") },
	{ ZIP, 0, SI("PK\3\4") },
	{ ZIP, 0, SI("PK\5\6") },
	{ PNG, 0, SI("\x89PNG\r\n\x1A\n") },
	{ JPEG, 0, SI("\xFF\xD8\xFF") },
	{ GIF, 0, SI("GIF87a") },
	{ GIF, 0, SI("GIF89a") },
	{ ELF, 0,
	    SI("\x7F"
	       "ELF") },
	{ MACHO, 0, SI("\xCF\xFA\xED\xFE") },
	{ MACHO, 0, SI("\xCE\xFA\xED\xFE") },
	{ RTF, 0, SI("{\\rtf") },
	{ OLE, 0, SI("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") },
	{ GZIP, 0, SI("\x1F\x8B\x08") },
	{ SEVENZIP, 0, SI("7z\xBC\xAF\x27\x1C") },
	{ RAR, 0, SI("Rar!\x1A\x07") },
	{ MP3, 0, SI("ID3") },
	{ MP4, 4, SI("ftyp") },
	{ SCRIPT, 0, SI("#!/") },
	{ SCRIPT, 0, SI("#! /") },
};

/* How HTML begins, after white space and in any case. */
static const struct str html_begins[] = { SI("<!doctype html"), SI("<html"),
	SI("<head"), SI("<body"), SI("<script") };

/*
 * The kinds that declared types imply.  A type that ends in "*" is a prefix.
 * `must`: a file of this type begins as in the table above; one that does not
 * is something else.
 */
static const struct {
	const char *type;
	enum kind kind;
	bool must;
} types[] = {
	{ "application/pdf", PDF, true },
	{ "application/x-pdf", PDF, true },
	{ "application/zip", ZIP, true },
	{ "application/x-zip-compressed", ZIP, true },
	{ "application/java-archive", ZIP, true },
	{ "application/epub+zip", ZIP, true },
	{ "application/vnd.openxmlformats-officedocument.*", ZIP, true },
	{ "application/vnd.oasis.opendocument.*", ZIP, false },
	{ "application/vnd.android.package-archive", ZIP, true },
	{ "image/png", PNG, true },
	{ "image/x-png", PNG, true },
	{ "image/jpeg", JPEG, true },
	{ "image/jpg", JPEG, true },
	{ "image/pjpeg", JPEG, true },
	{ "image/gif", GIF, true },
	{ "application/x-msdownload", PE, false },
	{ "application/x-dosexec", PE, true },
	{ "application/x-msdos-program", PE, false },
	{ "application/vnd.microsoft.portable-executable", PE, true },
	{ "application/x-executable", ELF, false },
	{ "application/x-sharedlib", ELF, false },
	{ "application/x-elf", ELF, true },
	{ "application/x-mach-binary", MACHO, false },
	{ "text/html", HTML, false },
	{ "application/xhtml+xml", HTML, false },
	{ "application/rtf", RTF, true },
	{ "text/rtf", RTF, true },
	{ "application/msword", OLE, false },
	{ "application/msword", RTF, false },
	{ "application/msword", ZIP, false },
	{ "application/vnd.ms-outlook", OLE, false },
	{ "application/vnd.ms-excel", OLE, false },
	{ "application/vnd.ms-excel", ZIP, false },
	{ "application/vnd.ms-powerpoint", OLE, false },
	{ "application/vnd.ms-powerpoint", ZIP, false },
	{ "application/gzip", GZIP, true },
	{ "application/x-gzip", GZIP, true },
	{ "application/x-compressed-tar", GZIP, false },
	{ "application/x-tgz", GZIP, false },
	{ "application/x-7z-compressed", SEVENZIP, true },
	{ "application/vnd.rar", RAR, true },
	{ "application/x-rar-compressed", RAR, true },
	{ "application/x-rar", RAR, true },
	{ "audio/*", MP3, false },
	{ "audio/*", MP4, false },
	{ "video/*", MP4, false },
	{ "image/heic", MP4, false },
	{ "image/heif", MP4, false },
	{ "image/avif", MP4, false },
	{ "text/x-*", SCRIPT, false },
	{ "text/plain", SCRIPT, false },
	{ "text/javascript", SCRIPT, false },
	{ "application/javascript", SCRIPT, false },
	{ "application/x-sh", SCRIPT, false },
	{ "application/x-shellscript", SCRIPT, false },
	{ "application/x-perl", SCRIPT, false },
	{ "application/x-python*", SCRIPT, false },
	{ "application/x-ruby", SCRIPT, false },
};

static const struct {
	const char *ext;
	enum kind kind;
	bool must;
} exts[] = {
	{ "pdf", PDF, true },
	{ "zip", ZIP, true },
	{ "docx", ZIP, false }, /* encrypted ones are OLE */
	{ "docx", OLE, false },
	{ "docm", ZIP, false },
	{ "docm", OLE, false },
	{ "xlsx", ZIP, false },
	{ "xlsx", OLE, false },
	{ "xlsm", ZIP, false },
	{ "xlsm", OLE, false },
	{ "pptx", ZIP, false },
	{ "pptx", OLE, false },
	{ "jar", ZIP, true },
	{ "png", PNG, true },
	{ "jpg", JPEG, true },
	{ "jpeg", JPEG, true },
	{ "gif", GIF, true },
	{ "exe", PE, true },
	{ "dll", PE, true },
	{ "scr", PE, true },
	{ "html", HTML, false },
	{ "htm", HTML, false },
	{ "rtf", RTF, true },
	{ "doc", OLE, false },
	{ "doc", RTF, false },
	{ "xls", OLE, false },
	{ "ppt", OLE, false },
	{ "msg", OLE, false },
	{ "gz", GZIP, true },
	{ "tgz", GZIP, true },
	{ "7z", SEVENZIP, true },
	{ "rar", RAR, true },
	{ "mp3", MP3, false },
	{ "mp4", MP4, false },
	{ "m4a", MP4, false },
	{ "mov", MP4, false },
	{ "txt", NONE, false },
	{ "csv", NONE, false },
	{ "ics", NONE, false },
	{ "eml", NONE, false },
	{ "xml", NONE, false },
	{ "json", NONE, false },
	{ "bmp", NONE, false },
	{ "webp", NONE, false },
};

/* Types that do not say what the bytes are. */
static const char *const anything[] = { "", "application/octet-stream",
	"application/binary", "application/x-download", "application/download",
	"application/force-download", "application/unknown",
	"application/x-unknown", "application/x-octet-stream",
	"binary/octet-stream" };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* "MZ" begins words too; a program contains a NUL soon after. */
static bool
is_pe(struct str b)
{
	return b.n >= 64 && str_starts(b, S("MZ")) &&
	    memchr(b.p, '\0', 64) != NULL;
}

static bool
magic_is_html(struct str b)
{
	if (str_starts(b, S("\xEF\xBB\xBF")))
		b = str_from(b, 3);
	b = str_trim(str_first(b, 512));
	for (size_t i = 0; i < COUNT(html_begins); i++)
		if (str_starts_case(b, html_begins[i]))
			return true;
	return false;
}

static enum kind
magic_kind_of(struct str b)
{
	for (size_t i = 0; i < COUNT(begins); i++)
		if (b.n > begins[i].at &&
		    str_starts(str_from(b, begins[i].at), begins[i].bytes))
			return begins[i].kind;
	/* PDF readers look for it in the first kilobyte. */
	if (str_find(str_first(b, 1024), S("%PDF-1.")) >= 0)
		return PDF;
	if (is_pe(b))
		return PE;
	return magic_is_html(b) ? HTML : NONE;
}

static bool
magic_is_type(struct str type, const char *row)
{
	struct str want = str_of(row);

	if (str_ends(want, S("*")))
		return str_starts_case(type, str_first(want, want.n - 1));
	return str_eq_case(type, want);
}

static bool
magic_says_anything(struct str type)
{
	for (size_t i = 0; i < COUNT(anything); i++)
		if (str_eq_case(type, str_of(anything[i])))
			return true;
	return false;
}

/* The result of comparing a claim with kind k. */
enum claim {
	SILENT, /* it implies no kind */
	OTHERS, /* it implies only other kinds */
	MUST,   /* the same, and one of them must have its magic */
	FITS,
};

static enum claim
magic_note(enum claim c, enum kind said, bool must, enum kind k)
{
	if (c == FITS || (said == k && k != NONE))
		return FITS;
	return must || c == MUST ? MUST : OTHERS;
}

static enum claim
magic_claim_of_type(struct str type, enum kind k)
{
	enum claim c = SILENT;

	for (size_t i = 0; i < COUNT(types); i++)
		if (magic_is_type(type, types[i].type))
			c = magic_note(c, types[i].kind, types[i].must, k);
	return c;
}

static enum claim
magic_claim_of_name(struct str name, enum kind k)
{
	enum claim c = SILENT;
	struct str ext = S("");

	for (size_t i = name.n; i > 0 && ext.n == 0; i--)
		if (name.p[i - 1] == '.')
			ext = str_from(name, i);
	for (size_t i = 0; i < COUNT(exts); i++)
		if (str_eq_case(str_trim(ext), str_of(exts[i].ext)))
			c = magic_note(c, exts[i].kind, exts[i].must, k);
	return c;
}

/* A type without known magic: is it odd that its bytes are of kind k? */
static bool
magic_is_odd(struct str type, enum kind k)
{
	if (magic_says_anything(type))
		return false;
	/* Many application files are archives of one of these kinds. */
	if (k == ZIP || k == OLE || k == GZIP)
		return !str_starts_case(type, S("application/"));
	return true;
}

bool
magic_mismatch(struct str type, struct str name, struct str bytes)
{
	enum kind k = magic_kind_of(bytes);
	enum claim by_type = magic_claim_of_type(type, k);
	enum claim by_name = magic_claim_of_name(name, k);

	if (bytes.n == 0)
		return false;
	if (k == NONE)
		return by_type == MUST || by_name == MUST;
	if (by_type == SILENT)
		return magic_is_odd(type, k) || by_name == OTHERS ||
		    by_name == MUST;
	return by_type != FITS || by_name == OTHERS || by_name == MUST;
}
