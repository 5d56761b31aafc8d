/*
 * The names attachments go by: what the sender wrote, made safe to show, or
 * one made up from the type.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/internal.h"

/*
 * Characters that have no place in a name: controls, and those that turn the
 * direction of writing so that "gpj.exe" is seen as "exe.jpg".
 */
static bool
is_unfit(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0x61C ||
	    (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x2028 && cp <= 0x202E) ||
	    (cp >= 0x2066 && cp <= 0x2069) || cp == 0xFEFF || cp == 0xAD;
}

/* Only the last segment of a path is a name, RFC 2183 section 2.3. */
static struct str
last_segment(struct str s)
{
	for (size_t i = s.n; i > 0; i--)
		if (s.p[i - 1] == '/' || s.p[i - 1] == '\\')
			return str_from(s, i);
	return s;
}

static bool
is_dots(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '.' && s.p[i] != ' ')
			return false;
	return true;
}

struct str
name_safe(struct arena *a, struct str raw)
{
	struct str name = last_segment(str_trim(raw));
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
	return is_dots(name) ? S("") : name;
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
