/* SPDX-License-Identifier: Apache-2.0 */
/* The content of one leaf: its bytes and its text. */
#include <string.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

struct str
part_decode(struct arena *a, struct str body, enum mime_encoding encoding)
{
	bool bad = false;
	char *out;
	size_t n;

	switch (encoding) {
	case MIME_QP:
		return qp_decode(a, body);
	case MIME_BASE64:
		out = arena_alloc(a, body.n / 4 * 3 + 6);
		n = base64_decode_lax(out, body, &bad);
		return (struct str){ out, n };
	case MIME_IDENTITY:
	default:
		return body;
	}
}

struct str
mime_part_decode(struct arena *a, const struct mime_part *p)
{
	if (mime_elsewhere_by != NULL && p->encoding != MIME_IDENTITY)
		return mime_elsewhere_by->decode(a, p->body, p->encoding);
	return part_decode(a, p->body, p->encoding);
}

/* CRLF and a lone CR become LF.  A text without CR is not copied. */
static struct str
mime_part_unix_lines(struct arena *a, struct str s)
{
	const char *p = s.p, *end = s.p + s.n;
	const char *cr = s.n > 0 ? memchr(p, '\r', s.n) : NULL;
	char *out, *o;

	if (cr == NULL)
		return s;
	o = out = arena_alloc(a, s.n);
	while (cr != NULL) {
		memcpy(o, p, (size_t)(cr - p));
		o += cr - p;
		*o++ = '\n';
		p = cr + 1;
		if (p < end && *p == '\n')
			p++;
		cr = p < end ? memchr(p, '\r', (size_t)(end - p)) : NULL;
	}
	if (p < end) {
		memcpy(o, p, (size_t)(end - p));
		o += end - p;
	}
	return (struct str){ out, (size_t)(o - out) };
}

/* Does it contain U+FFFD?  EF is rare in most scripts, so memchr(3) is fast. */
static bool
mime_part_has_replacement(struct str s)
{
	const char *p = s.p, *end = s.p + s.n;

	while (s.n > 0 && p < end &&
	    (p = memchr(p, '\xEF', (size_t)(end - p))) != NULL) {
		if (end - p >= 3 && memcmp(p, "\xEF\xBF\xBD", 3) == 0)
			return true;
		p++;
	}
	return false;
}

/*
 * A label is often missing or "us-ascii" when the bytes are not; the first two
 * guesses of the charset reader (UTF-8, else windows-1252) are then usually
 * what was meant.
 */
static struct str
label_of(const struct mime_part *p)
{
	return str_trim(mime_param_get(&p->ctype, "charset"));
}

struct str
part_read(struct arena *a, const struct mime_part *p, bool *bad)
{
	struct str bytes = mime_part_decode(a, p), label = label_of(p), text;
	bool unknown = false;

	if (label.n == 0 && utf8_ascii(bytes)) {
		text = bytes; /* the common case, without a copy */
	} else {
		text = mime_charset_decode(a, label, bytes, &unknown);
		if ((unknown && label.n > 0) || mime_part_has_replacement(text))
			*bad = true;
	}
	if (str_starts(text, S("\xEF\xBB\xBF")))
		text = str_from(text, 3); /* a byte order mark */
	text = mime_part_unix_lines(a, text);
	if (str_eq(p->type, S("text/plain")) &&
	    str_eq_case(mime_param_get(&p->ctype, "format"), S("flowed")))
		text = flowed_join(a, text,
		    str_eq_case(mime_param_get(&p->ctype, "delsp"), S("yes")));
	return text;
}

struct str
mime_part_text(struct arena *a, const struct mime_part *p)
{
	bool bad = false;

	return part_read(a, p, &bad);
}

struct str
mime_part_page(struct arena *a, struct str html)
{
	return html_text(a, html, LIMIT_MIME_TEXT, NULL);
}

struct str
mime_part_name(struct arena *a, const struct mime_part *p)
{
	struct str name = name_safe(a, mime_param_get(&p->disp, "filename"));

	if (name.n == 0)
		name = name_safe(a, mime_param_get(&p->ctype, "name"));
	return name;
}
