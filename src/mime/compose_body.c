/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bodies as they are sent: text unencoded if nothing in transit can change it,
 * else quoted-printable (RFC 2045 section 6.7); files in base64 (section 6.8).
 */
#include <string.h>

#include "base/base64.h"
#include "base/limits.h"
#include "mime/internal.h"

#define LINE_MAX_OUT 76
#define LINE_MAX_SENT 998
#define TYPE_MAX 127    /* RFC 6838 section 4.2, each half */
#define BASE64_BYTES 57 /* 76 characters */

struct str
compose_body_next_line(struct str *rest)
{
	struct str line;
	size_t n = 0;

	while (n < rest->n && rest->p[n] != '\r' && rest->p[n] != '\n')
		n++;
	line = str_first(*rest, n);
	if (n + 1 < rest->n && rest->p[n] == '\r' && rest->p[n + 1] == '\n')
		n++;
	*rest = str_from(*rest, n + 1);
	return line;
}

/*
 * Short lines of printable ASCII, without lines that mbox would change ("From
 * ") and without trailing white space, which gets lost in transit.
 */
static bool
compose_body_is_plain(struct str text)
{
	while (text.n > 0) {
		struct str line = compose_body_next_line(&text);

		if (line.n > LINE_MAX_OUT || str_starts(line, S("From ")) ||
		    str_eq(line, S(".")))
			return false;
		for (size_t i = 0; i < line.n; i++)
			if ((line.p[i] < ' ' && line.p[i] != '\t') ||
			    line.p[i] > '~')
				return false;
		if (line.n > 0 && line.p[line.n - 1] <= ' ' &&
		    !str_eq(line, S("-- ")))
			return false;
	}
	return true;
}

/* Must the character at i be escaped?  `first`: it begins a line as sent. */
static bool
compose_body_is_escaped(struct str line, size_t i, bool first)
{
	char c = line.p[i];

	if (c == ' ' || c == '\t')
		return i + 1 == line.n;
	if (first && (c == '.' || str_starts(str_from(line, i), S("From "))))
		return true;
	return c < ' ' || c > '~' || c == '=';
}

static void
compose_body_put_qp_line(struct buf *b, struct str line)
{
	size_t col = 0;

	for (size_t i = 0; i < line.n; i++) {
		bool esc = compose_body_is_escaped(line, i, col == 0);
		/* The last character needs no room for a soft break's "=". */
		size_t max = LINE_MAX_OUT - (i + 1 < line.n);
		if (col + (esc ? 3 : 1) > max) {
			buf_text(b, "=\r\n");
			col = 0;
			esc = compose_body_is_escaped(line, i, true);
		}
		if (esc) {
			char hex[3];

			str_hex_escape(hex, '=', line.p[i]);
			buf_add(b, hex, 3);
		} else {
			buf_char(b, line.p[i]);
		}
		col += esc ? 3 : 1;
	}
}

struct str
compose_body_text(struct arena *a, struct str text, bool *qp)
{
	struct buf b;

	*qp = !compose_body_is_plain(text);
	buf_init(&b, a, LIMIT_OUTGOING);
	while (text.n > 0 && !b.over) {
		struct str line = compose_body_next_line(&text);

		if (*qp)
			compose_body_put_qp_line(&b, line);
		else
			buf_str(&b, line);
		buf_text(&b, "\r\n");
	}
	if (b.n == 0)
		buf_text(&b, "\r\n");
	return b.over ? (struct str){ NULL, 0 } : buf_view(&b);
}

void
compose_body_base64(struct buf *b, struct str bytes)
{
	char line[LINE_MAX_OUT + 2];

	while (bytes.n > 0 && !b->over) {
		struct str part = str_first(bytes, BASE64_BYTES);
		size_t n = base64_encode(line, part.p, part.n);

		line[n++] = '\r';
		line[n++] = '\n';
		buf_add(b, line, n);
		bytes = str_from(bytes, part.n);
	}
}

bool
compose_body_is_token(struct str s)
{
	if (s.n == 0 || s.n > TYPE_MAX)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') &&
		    (c == '\0' || strchr("!#$&-^_.+", c) == NULL))
			return false;
	}
	return true;
}

bool
compose_body_is_type(struct str type)
{
	struct str half[2];

	return str_cut(type, '/', &half[0], &half[1]) &&
	    compose_body_is_token(half[0]) && compose_body_is_token(half[1]);
}

/* Lines that every server lets through: RFC 5321 section 4.5.3.1.6. */
static enum compose_as
compose_body_lines(struct str s)
{
	enum compose_as as = COMPOSE_AS_7BIT;
	size_t column = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool ends = s.p[i] == '\r' && i + 1 < s.n && s.p[i + 1] == '\n';

		if (ends) {
			column = 0;
			i++;
			continue;
		}
		if (s.p[i] == '\r' || s.p[i] == '\n' || s.p[i] == '\0' ||
		    ++column > LINE_MAX_SENT)
			return COMPOSE_AS_BYTES;
		if ((unsigned char)s.p[i] >= 0x80)
			as = COMPOSE_AS_8BIT;
	}
	return as;
}

enum compose_as
compose_body_as(const struct compose_file *f)
{
	if (!str_eq(f->type, S("message/rfc822")))
		return COMPOSE_AS_BYTES;
	return compose_body_lines(f->bytes);
}

struct str
compose_body_how(enum compose_as as)
{
	return as == COMPOSE_AS_7BIT ? S("7bit")
	    : as == COMPOSE_AS_8BIT  ? S("8bit")
				     : S("base64");
}

static const struct {
	struct str ending;
	struct str type;
} types[] = {
	{ SI(".txt"), SI("text/plain") },
	{ SI(".md"), SI("text/markdown") },
	{ SI(".csv"), SI("text/csv") },
	{ SI(".log"), SI("text/plain") },
	{ SI(".diff"), SI("text/x-diff") },
	{ SI(".patch"), SI("text/x-diff") },
	{ SI(".html"), SI("text/html") },
	{ SI(".htm"), SI("text/html") },
	{ SI(".ics"), SI("text/calendar") },
	{ SI(".vcf"), SI("text/vcard") },
	{ SI(".json"), SI("application/json") },
	{ SI(".xml"), SI("application/xml") },
	{ SI(".pdf"), SI("application/pdf") },
	{ SI(".zip"), SI("application/zip") },
	{ SI(".gz"), SI("application/gzip") },
	{ SI(".tar"), SI("application/x-tar") },
	{ SI(".rtf"), SI("application/rtf") },
	{ SI(".doc"), SI("application/msword") },
	{ SI(".xls"), SI("application/vnd.ms-excel") },
	{ SI(".ppt"), SI("application/vnd.ms-powerpoint") },
	{ SI(".docx"),
	    SI("application/"
	       "vnd.openxmlformats-officedocument.wordprocessingml.document") },
	{ SI(".xlsx"),
	    SI("application/"
	       "vnd.openxmlformats-officedocument.spreadsheetml.sheet") },
	{ SI(".pptx"),
	    SI("application/vnd.openxmlformats-officedocument.presentationml."
	       "presentation") },
	{ SI(".odt"), SI("application/vnd.oasis.opendocument.text") },
	{ SI(".ods"), SI("application/vnd.oasis.opendocument.spreadsheet") },
	{ SI(".png"), SI("image/png") },
	{ SI(".jpg"), SI("image/jpeg") },
	{ SI(".jpeg"), SI("image/jpeg") },
	{ SI(".gif"), SI("image/gif") },
	{ SI(".webp"), SI("image/webp") },
	{ SI(".svg"), SI("image/svg+xml") },
	{ SI(".mp3"), SI("audio/mpeg") },
	{ SI(".wav"), SI("audio/wav") },
	{ SI(".mp4"), SI("video/mp4") },
};

struct str
compose_body_type(const struct compose_file *f)
{
	struct str type = f->type;

	for (size_t i = 0; type.n == 0 && i < sizeof(types) / sizeof(types[0]);
	     i++)
		if (str_ends_case(f->name, types[i].ending))
			type = types[i].type;
	if (compose_body_as(f) != COMPOSE_AS_BYTES)
		return type;
	/* RFC 2046 sections 5.1 and 5.2.1: these two may not be base64. */
	if (type.n == 0 || str_starts_case(type, S("multipart/")) ||
	    str_starts_case(type, S("message/")))
		return S("application/octet-stream");
	return type;
}
