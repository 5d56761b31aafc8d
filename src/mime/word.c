/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encoded words, RFC 2047: "=?utf-8?q?caf=C3=A9?=".  Reading is more lenient
 * than writing: inside other text, with spaces or "?" in them, longer than 75.
 * Adjacent words in one charset are joined as bytes before they are decoded,
 * because many programs split characters.
 */
#include <string.h>

#include "base/base64.h"
#include "mime/internal.h"

#define LABEL_MAX 64

struct word {
	struct str charset;
	struct str text;
	bool base64;
	size_t end; /* index after the "?=" */
};

struct reader {
	struct arena *a;
	struct str s;
	size_t close; /* the first "?=" at or after the last index asked for */
	struct buf out;
	struct str charset; /* of the bytes in `raw` */
	struct buf raw;
};

/* The index of the next "?="; i only rises, so linear in total. */
static size_t
mime_word_close_from(struct reader *r, size_t i)
{
	if (r->close < i) {
		ptrdiff_t at = str_find(str_from(r->s, i), S("?="));

		r->close = at < 0 ? r->s.n : i + (size_t)at;
	}
	return r->close;
}

static bool
mime_word_is_token(char c)
{
	return c > ' ' && c < 0x7f && strchr("()<>@,;\"/[]?=", c) == NULL;
}

/* Reads the word that begins with the "=?" at s.p[i]. */
static bool
mime_word_read_word(struct reader *r, size_t i, struct word *w)
{
	struct str s = r->s;
	size_t from = i + 2;
	size_t n = from;
	struct str tail;

	while (n < s.n && n - from < LABEL_MAX && mime_word_is_token(s.p[n]))
		n++;
	if (n == from || n + 2 >= s.n || s.p[n] != '?' || s.p[n + 2] != '?')
		return false;
	/* A language may come after a star, RFC 2231 section 5. */
	(void)str_cut((struct str){ s.p + from, n - from }, '*', &w->charset,
	    &tail);
	if (s.p[n + 1] == 'b' || s.p[n + 1] == 'B')
		w->base64 = true;
	else if (s.p[n + 1] == 'q' || s.p[n + 1] == 'Q')
		w->base64 = false;
	else
		return false;
	from = n + 3;
	n = mime_word_close_from(r, from);
	if (n >= s.n)
		return false;
	w->text = (struct str){ s.p + from, n - from };
	w->end = n + 2;
	/* A word without an end must not swallow the next one. */
	return str_find(w->text, S("=?")) < 0;
}

/* Section 4.2: "_" is a space in every charset. */
static void
mime_word_decode_q(struct buf *b, struct str t)
{
	for (size_t i = 0; i < t.n; i++) {
		char c = t.p[i];
		int byte = c == '=' ? str_hex_pair(t, i + 1) : -1;

		if (byte >= 0) {
			c = (char)byte;
			i += 2;
		} else if (c == '_') {
			c = ' ';
		}
		buf_char(b, c);
	}
}

static void
mime_word_decode_b(struct arena *a, struct buf *b, struct str t)
{
	char *p = arena_alloc(a, 3 * t.n / 4 + 3);
	bool bad = false;

	buf_add(b, p, base64_decode_lax(p, t, &bad));
}

/* Decodes the words collected so far. */
static void
mime_word_flush(struct reader *r)
{
	struct str raw = buf_view(&r->raw);

	if (raw.n > 0)
		buf_str(&r->out,
		    mime_charset_decode(r->a, r->charset, raw, NULL));
	buf_reset(&r->raw);
}

static bool
mime_word_is_space(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (strchr(" \t\r\n", s.p[i]) == NULL || s.p[i] == '\0')
			return false;
	return true;
}

static void
mime_word_decode_all(struct reader *r)
{
	struct str s = r->s;
	bool after_word = false;
	size_t plain = 0; /* start of the text that is not written yet */

	for (size_t i = 0; i + 1 < s.n;) {
		struct str gap = { s.p + plain, i - plain };
		struct word w;

		if (s.p[i] != '=' || s.p[i + 1] != '?' ||
		    !mime_word_read_word(r, i, &w)) {
			const char *p = memchr(s.p + i + 1, '=', s.n - i - 1);

			i = p != NULL ? (size_t)(p - s.p) : s.n;
			continue;
		}
		if (!after_word || !mime_word_is_space(gap)) {
			mime_word_flush(r);
			buf_str(&r->out, charset_guess(r->a, gap));
		}
		if (!str_eq_case(w.charset, r->charset))
			mime_word_flush(r);
		r->charset = w.charset;
		if (w.base64)
			mime_word_decode_b(r->a, &r->raw, w.text);
		else
			mime_word_decode_q(&r->raw, w.text);
		i = plain = w.end;
		after_word = true;
	}
	mime_word_flush(r);
	buf_str(&r->out, charset_guess(r->a, str_from(s, plain)));
}

/* Is there a control character: C0, DEL, or C1 as UTF-8? */
static bool
mime_word_has_control(struct str t)
{
	for (size_t i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.p[i];

		if (c < 0x20 || c == 0x7f ||
		    (c == 0xC2 && i + 1 < t.n &&
			(unsigned char)t.p[i + 1] < 0xA0))
			return true;
	}
	return false;
}

struct str
word_clean(struct arena *a, struct str t)
{
	char *p;
	size_t n = 0;

	if (!mime_word_has_control(t))
		return t;
	p = arena_alloc(a, t.n);
	for (size_t i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.p[i];
		unsigned char next =
		    i + 1 < t.n ? (unsigned char)t.p[i + 1] : 0xff;

		if (c == 0xC2 && next < 0xA0) {
			p[n++] = ' ';
			i++;
		} else {
			p[n++] = (char)(c < 0x20 || c == 0x7f ? ' ' : t.p[i]);
		}
	}
	return (struct str){ p, n };
}

struct str
word_decode(struct arena *a, struct str text)
{
	struct reader r = { .a = a, .s = text };
	size_t max = 4 * text.n + 16;

	if (str_find(text, S("=?")) < 0)
		return charset_guess(a, text);
	buf_init(&r.out, a, max);
	buf_init(&r.raw, a, max);
	mime_word_decode_all(&r);
	return buf_view(&r.out);
}

struct str
mime_word_decode(struct arena *a, struct str text)
{
	return str_trim(word_clean(a, word_decode(a, text)));
}
