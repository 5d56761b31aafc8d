/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts charsets of mail to UTF-8: the common ones here, and all others by
 * charset_convert().
 */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "mime/elsewhere.h"
#include "mime/internal.h"

#define REPLACEMENT 0xFFFD
#define LABEL_MAX 40

/* windows-1252 from 0x80 to 0x9F; the rest is ISO-8859-1. */
static const uint16_t cp1252[32] = { 0x20AC, REPLACEMENT, 0x201A, 0x0192,
	0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
	REPLACEMENT, 0x017D, REPLACEMENT, REPLACEMENT, 0x2018, 0x2019, 0x201C,
	0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
	REPLACEMENT, 0x017E, 0x0178 };

static size_t
out_max(struct str bytes)
{
	if (bytes.n > LIMIT_MIME_TEXT / 4)
		return LIMIT_MIME_TEXT;
	return 4 * bytes.n + 16;
}

static struct str
mime_charset_decode_1252(struct arena *a, struct str bytes)
{
	struct buf b;

	buf_init(&b, a, out_max(bytes));
	for (size_t i = 0; i < bytes.n;) {
		size_t from = i;
		unsigned char c;

		while (i < bytes.n && (unsigned char)bytes.p[i] < 0x80)
			i++;
		buf_add(&b, bytes.p + from, i - from);
		if (i == bytes.n || b.over)
			break;
		c = (unsigned char)bytes.p[i++];
		buf_utf8(&b, c < 0xA0 ? cp1252[c - 0x80] : c);
	}
	return buf_view(&b);
}

/* UTF-8 with invalid bytes replaced by U+FFFD. */
static struct str
mime_charset_decode_utf8(struct arena *a, struct str bytes)
{
	struct buf b;

	if (utf8_valid(bytes))
		return bytes;
	buf_init(&b, a, out_max(bytes));
	for (size_t i = 0; i < bytes.n && !b.over;) {
		size_t from = i;
		bool ok = true;

		(void)utf8_next(bytes, &i, &ok);
		if (ok)
			buf_add(&b, bytes.p + from, i - from);
		else
			buf_utf8(&b, REPLACEMENT);
	}
	return buf_view(&b);
}

struct str
charset_guess(struct arena *a, struct str bytes)
{
	return utf8_valid(bytes) ? bytes : mime_charset_decode_1252(a, bytes);
}

/* HZ, RFC 1843: GB 2312 in seven bits between "~{" and "~}". */
static struct str
mime_charset_unpack_hz(struct arena *a, struct str in)
{
	char *p = arena_alloc(a, in.n + 1);
	bool gb = false;
	size_t n = 0;

	for (size_t i = 0; i < in.n; i++) {
		char c = in.p[i];
		char next = (char)(i + 1 < in.n ? in.p[i + 1] : '\0');

		if (c == '~' && (next == '{' || next == '}')) {
			gb = next == '{';
			i++;
		} else if (c == '~' && next == '~' && !gb) {
			p[n++] = '~';
			i++;
		} else if (c == '~' && next == '\n' && !gb) {
			i++;
		} else if (c == '\n') {
			gb = false;
			p[n++] = c;
		} else {
			p[n++] = (char)(gb && c > ' ' ? c | '\x80' : c);
		}
	}
	return (struct str){ p, n };
}

/* Without a byte order mark, little endian first, as WHATWG does. */
static const char *
mime_charset_utf16_name(struct str *bytes)
{
	if (str_starts(*bytes, S("\xFE\xFF"))) {
		*bytes = str_from(*bytes, 2);
		return "UTF-16BE";
	}
	if (str_starts(*bytes, S("\xFF\xFE")))
		*bytes = str_from(*bytes, 2);
	return "UTF-16LE";
}

bool
mime_charset_known(struct str name)
{
	for (size_t i = 0; i < charset_label_count; i++)
		if (str_eq(name, str_of(charset_label_table[i].name)))
			return true;
	return false;
}

struct str
charset_here(struct arena *a, const char *name, struct str bytes)
{
	struct buf b;

	if (strcmp(name, "HZ") == 0) {
		bytes = mime_charset_unpack_hz(a, bytes);
		name = "GB18030";
	} else if (strcmp(name, "UTF-16") == 0) {
		name = mime_charset_utf16_name(&bytes);
	}
	buf_init(&b, a, out_max(bytes));
	return charset_convert(&b, name, bytes) ? buf_view(&b)
						: charset_guess(a, bytes);
}

/* The label in lower case, or "" if it cannot be one in our table. */
static void
mime_charset_normal_label(struct str label, char out[LABEL_MAX])
{
	out[0] = '\0';
	label = str_trim(label);
	if (label.n >= LABEL_MAX)
		return;
	for (size_t i = 0; i < label.n; i++) {
		char c = label.p[i];

		out[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	}
	out[label.n] = '\0';
}

struct str
mime_charset_decode(struct arena *a, struct str label, struct str bytes,
    bool *unknown)
{
	char text[LABEL_MAX];
	const char *name;

	mime_charset_normal_label(label, text);
	name = charset_label_find(text);
	if (name == NULL) {
		if (unknown != NULL && str_trim(label).n > 0)
			*unknown = true;
		return charset_guess(a, bytes);
	}
	if (strcmp(name, "UTF-8") == 0)
		return mime_charset_decode_utf8(a, bytes);
	/* ASCII with eighth bits is mislabelled, and probably UTF-8. */
	if (strcmp(name, "US-ASCII") == 0)
		return charset_guess(a, bytes);
	if (strcmp(name, "CP1252") == 0)
		return utf8_ascii(bytes) ? bytes
					 : mime_charset_decode_1252(a, bytes);
	if (mime_elsewhere_by != NULL)
		return mime_elsewhere_by->charset(a, name, bytes);
	return charset_here(a, name, bytes);
}
