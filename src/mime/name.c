/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of attachments: the sender's name made safe to show, or one that is
 * made from the type.
 */
#include <string.h>

#include "base/buf.h"
#include "base/clean.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

#define GAP 4 /* consecutive blanks that hide something */

/* Line ends and tabs, which clean_text() keeps, and similar characters. */
static bool
is_unfit(uint32_t cp)
{
	return cp < 0x20 || cp == 0x2028 || cp == 0x2029;
}

/* Only the last segment of a path is a name, RFC 2183 section 2.3. */
static struct str
name_last_segment(struct str s)
{
	for (size_t i = s.n; i > 0; i--)
		if (s.p[i - 1] == '/' || s.p[i - 1] == '\\')
			return str_from(s, i);
	return s;
}

static bool
name_is_dots(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '.' && s.p[i] != ' ')
			return false;
	return true;
}

struct str
name_safe(struct arena *a, struct str raw)
{
	struct str name = clean_text(a, name_last_segment(str_trim(raw)), NULL);
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, 3 * name.n + 4);
	while (i < name.n && b.n <= LIMIT_FILE_NAME) {
		bool ok = true;
		uint32_t cp = utf8_next(name, &i, &ok);

		if (!ok)
			cp = 0xFFFD;
		if (!is_unfit(cp))
			buf_utf8(&b, cp);
	}
	name = str_trim(utf8_first(buf_view(&b), LIMIT_FILE_NAME));
	return name_is_dots(name) ? S("") : name;
}

/* Extensions that a double click runs. */
static const char running[] =
    "ade adp apk app appimage appref-ms application bat chm cmd com cpl dll "
    "dmg exe gadget hta htm html img inf ins iso isp jar js jse lib lnk mde "
    "msc "
    "msi msix msp mst pif pkg ps1 ps2 psc1 reg run scf scr sct sh shb shtml "
    "svg "
    "sys url vb vbe vbs vhd vhdx vxd wsc wsf wsh xhtml xll";
/* Extensions that people take for a document or picture. */
static const char looking[] =
    "7z avi bmp csv doc docm docx eml gif gz htm html ics jpeg jpg m4a mov mp3 "
    "mp4 odp ods odt pdf png ppt pptx rar rtf tif tiff txt wav webp xls xlsm "
    "xlsx xml zip";

static bool
name_is_one_of(struct str ext, const char *list)
{
	struct str rest = str_of(list), one;
	bool more = true;

	while (more) {
		more = str_cut(rest, ' ', &one, &rest);
		if (str_eq_case(one, ext))
			return true;
	}
	return false;
}

/* The text after the last dot; *name becomes the text before it. */
static struct str
name_cut_ext(struct str *name)
{
	for (size_t i = name->n; i > 0; i--)
		if (name->p[i - 1] == '.') {
			struct str ext = str_from(*name, i);

			*name = str_first(*name, i - 1);
			return ext;
		}
	return S("");
}

/* White space of any width, and characters that look like it. */
static bool
name_is_blank(uint32_t cp)
{
	return cp <= ' ' || cp == 0xA0 || cp == 0x1680 || cp == 0x2800 ||
	    (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F || cp == 0x205F ||
	    cp == 0x3000;
}

/* So much white space that it pushes the extension out of sight. */
static bool
name_has_gap(struct str s)
{
	size_t run = 0, i = 0;

	while (i < s.n) {
		bool ok = true;

		run = name_is_blank(utf8_next(s, &i, &ok)) ? run + 1 : 0;
		if (run >= GAP)
			return true;
	}
	return false;
}

static bool
name_deceives(struct arena *a, struct str raw)
{
	size_t unseen = 0;
	struct str name = clean_text(a, raw, &unseen), last;

	if (unseen > 0 || name_has_gap(str_trim(name)))
		return true;
	/* Systems remove dots and spaces at the end. */
	while (name.n > 0 && strchr(". ", name.p[name.n - 1]) != NULL)
		name.n--;
	last = str_trim(name_cut_ext(&name));
	return name_is_one_of(last, running) &&
	    name_is_one_of(str_trim(name_cut_ext(&name)), looking);
}

/* Two names are suspicious: programs differ in which one they use. */
bool
name_is_deceptive(struct arena *a, const struct mime_part *p)
{
	struct str file = mime_param_get(&p->disp, "filename");
	struct str name = mime_param_get(&p->ctype, "name"), f = file, n = name;

	if (name_deceives(a, file) || name_deceives(a, name))
		return true;
	return file.n > 0 && name.n > 0 &&
	    !str_eq_case(str_trim(name_cut_ext(&f)),
		str_trim(name_cut_ext(&n)));
}

static const struct {
	const char *type, *ext;
} exts[] = {
	{ "application/gzip", "gz" },
	{ "application/ics", "ics" },
	{ "application/json", "json" },
	{ "application/msword", "doc" },
	{ "application/pdf", "pdf" },
	{ "application/pgp-keys", "asc" },
	{ "application/pgp-signature", "asc" },
	{ "application/pkcs7-mime", "p7m" },
	{ "application/pkcs7-signature", "p7s" },
	{ "application/x-pkcs7-mime", "p7m" },
	{ "application/x-pkcs7-signature", "p7s" },
	{ "application/vnd.ms-excel", "xls" },
	{ "application/vnd.openxmlformats-officedocument.presentationml."
	  "presentation",
	    "pptx" },
	{ "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	    "xlsx" },
	{ "application/vnd.openxmlformats-officedocument.wordprocessingml."
	  "document",
	    "docx" },
	{ "application/xml", "xml" },
	{ "application/zip", "zip" },
	{ "audio/mpeg", "mp3" },
	{ "audio/ogg", "ogg" },
	{ "audio/wav", "wav" },
	{ "image/bmp", "bmp" },
	{ "image/gif", "gif" },
	{ "image/jpeg", "jpg" },
	{ "image/png", "png" },
	{ "image/svg+xml", "svg" },
	{ "image/tiff", "tif" },
	{ "image/webp", "webp" },
	{ "message/delivery-status", "txt" },
	{ "message/disposition-notification", "txt" },
	{ "message/global", "eml" },
	{ "message/rfc822", "eml" },
	{ "text/calendar", "ics" },
	{ "text/csv", "csv" },
	{ "text/html", "html" },
	{ "text/markdown", "md" },
	{ "text/rfc822-headers", "txt" },
	{ "text/plain", "txt" },
	{ "text/vcard", "vcf" },
	{ "text/x-vcard", "vcf" },
	{ "text/xml", "xml" },
	{ "video/mp4", "mp4" },
};

struct str
name_make_up(struct arena *a, struct str type, size_t nth)
{
	const char *ext = "bin";

	for (size_t i = 0; i < sizeof(exts) / sizeof(exts[0]); i++)
		if (str_eq(type, str_of(exts[i].type)))
			ext = exts[i].ext;
	return str_fmt(a, "attachment-%zu.%s", nth, ext);
}
