/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes header fields.  Every value passes through this file, so CR, LF and
 * NUL are refused in one place.  Folds at white space (RFC 5322 section 2.2.3);
 * text that is not plain ASCII becomes encoded words (RFC 2047) or RFC 2231
 * parameters.
 */
#include <string.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "mime/internal.h"

#define WORD_MAX 75    /* RFC 2047 section 2 */
#define WORD_FRAME 12  /* "=?utf-8?q?" and "?=" */
#define WORD_LEAST 30  /* with less room a word goes to the next line */
#define PARAM_CHUNK 40 /* bytes of a value on one line, as written */

static bool
compose_head_is_fit(struct str s)
{
	return !str_has_char(s, '\r') && !str_has_char(s, '\n') &&
	    !str_has_char(s, '\0') && utf8_valid(s);
}

static void
compose_head_put(struct compose_head *w, struct str s)
{
	if (!compose_head_is_fit(s)) {
		w->bad = true;
		return;
	}
	buf_str(w->b, s);
	w->col += s.n;
}

static void
compose_head_fold(struct compose_head *w)
{
	buf_text(w->b, "\r\n");
	w->col = 0;
}

void
compose_head_begin(struct compose_head *w, const char *name)
{
	w->col = 0;
	compose_head_put(w, str_of(name));
	compose_head_put(w, S(":"));
}

void
compose_head_end(struct compose_head *w)
{
	compose_head_fold(w);
}

void
compose_head_token(struct compose_head *w, struct str token)
{
	/*
	 * A fold must not leave a line of only white space: never after a fold.
	 */
	if (w->col > 1 && w->col + 1 + token.n > COMPOSE_HEAD_COLUMN)
		compose_head_fold(w);
	compose_head_put(w, S(" "));
	compose_head_put(w, token);
}

/* Safe in an encoded word anywhere, RFC 2047 section 5 (3). */
static bool
is_q_safe(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || (c != '\0' && strchr("!*+-/", c) != NULL);
}

static size_t
compose_head_q_size(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += is_q_safe(s.p[i]) || s.p[i] == ' ' ? 1 : 3;
	return n;
}

static void
compose_head_put_q(struct compose_head *w, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char hex[3];

		str_hex_escape(hex, '=', s.p[i]);
		if (s.p[i] == ' ')
			compose_head_put(w, S("_"));
		else if (is_q_safe(s.p[i]))
			compose_head_put(w, (struct str){ s.p + i, 1 });
		else
			compose_head_put(w, (struct str){ hex, 3 });
	}
}

/* The longest prefix of whole characters that fits into room. */
static struct str
compose_head_take(struct str s, size_t room, bool q)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n;) {
		bool ok = true;

		(void)utf8_next(s, &i, &ok);
		if ((q ? compose_head_q_size(str_first(s, i))
		       : base64_size(i)) > room)
			break;
		n = i;
	}
	return str_first(s, n);
}

/* Encoded words, each complete (section 5) and separated by a space. */
static void
compose_head_put_words(struct compose_head *w, struct str s)
{
	/* Q is longer but readable: allowed up to half as long again. */
	bool q = 2 * compose_head_q_size(s) <= 3 * base64_size(s.n);
	char base64[WORD_MAX + 4];

	while (s.n > 0 && !w->bad) {
		size_t room = COMPOSE_HEAD_COLUMN - WORD_FRAME - 1;
		struct str part;

		if (w->col + WORD_LEAST + WORD_FRAME > COMPOSE_HEAD_COLUMN)
			compose_head_fold(w);
		if (w->col < room)
			room -= w->col;
		part = compose_head_take(s, room, q);
		compose_head_put(w, S(" "));
		compose_head_put(w, q ? S("=?utf-8?q?") : S("=?utf-8?b?"));
		if (q)
			compose_head_put_q(w, part);
		else
			compose_head_put(w,
			    (struct str){ base64,
				base64_encode(base64, part.p, part.n) });
		compose_head_put(w, S("?="));
		s = str_from(s, part.n);
	}
}

/* Printable ASCII that no reader would decode as an encoded word. */
static bool
compose_head_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < ' ' || s.p[i] > '~')
			return false;
	return str_find(s, S("=?")) < 0;
}

/* Words of limited length, one space between: folding loses nothing. */
static bool
compose_head_is_foldable(struct str s)
{
	size_t run = 0;

	for (size_t i = 0; i < s.n; i++) {
		run = s.p[i] == ' ' ? 0 : run + 1;
		if (run > COMPOSE_HEAD_COLUMN - 16 ||
		    (s.p[i] == ' ' &&
			(i == 0 || i + 1 == s.n || s.p[i + 1] == ' ')))
			return false;
	}
	return true;
}

static void
compose_head_put_plain(struct compose_head *w, struct str s)
{
	struct str word;

	while (s.n > 0) {
		(void)str_cut(s, ' ', &word, &s);
		compose_head_token(w, word);
	}
}

void
compose_head_text(struct compose_head *w, struct str text)
{
	if (!compose_head_is_fit(text))
		w->bad = true;
	else if (compose_head_is_plain(text) && compose_head_is_foldable(text))
		compose_head_put_plain(w, text);
	else
		compose_head_put_words(w, text);
}

/* Atoms with single spaces need no quotes, RFC 5322 section 3.2.5. */
static bool
compose_head_is_atoms(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != ' ' && !address_spec_atext(s.p[i]))
			return false;
	return true;
}

void
compose_head_phrase(struct compose_head *w, struct str name)
{
	char quoted[2 * COMPOSE_HEAD_COLUMN];
	size_t n = 0;

	if (!compose_head_is_fit(name)) {
		w->bad = true;
	} else if (!compose_head_is_plain(name) ||
	    !compose_head_is_foldable(name) ||
	    name.n > COMPOSE_HEAD_COLUMN - 20) {
		compose_head_put_words(w, name);
	} else if (compose_head_is_atoms(name)) {
		compose_head_put_plain(w, name);
	} else {
		quoted[n++] = '"';
		for (size_t i = 0; i < name.n; i++) {
			if (name.p[i] == '"' || name.p[i] == '\\')
				quoted[n++] = '\\';
			quoted[n++] = name.p[i];
		}
		quoted[n++] = '"';
		compose_head_token(w, (struct str){ quoted, n });
	}
}

/* attribute-char of RFC 2231 section 7, without some of them. */
static bool
is_param_safe(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

static void
compose_head_put_quoted_param(struct compose_head *w, const char *name,
    struct str value)
{
	struct buf b;

	buf_init(&b, w->b->a, 3 * value.n + strlen(name) + 8);
	buf_fmt(&b, "%s=\"", name);
	for (size_t i = 0; i < value.n; i++) {
		if (value.p[i] == '"' || value.p[i] == '\\')
			buf_char(&b, '\\');
		buf_char(&b, value.p[i]);
	}
	buf_char(&b, '"');
	compose_head_token(w, buf_view(&b));
}

/* For readers without RFC 2231: only ASCII; keeps the extension. */
static struct str
compose_head_ascii_name(struct arena *a, struct str value)
{
	struct str end = { 0 };
	struct buf b;
	const char *dot = memrchr(value.p, '.', value.n);

	if (dot != NULL && value.p + value.n - dot <= 8)
		end = str_from(value, (size_t)(dot - value.p));
	buf_init(&b, a, PARAM_CHUNK);
	for (size_t i = 0; i < value.n - end.n && b.n + 8 < PARAM_CHUNK;) {
		bool ok = true;
		uint32_t c = utf8_next(value, &i, &ok);

		if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == '%')
			c = '_';
		buf_char(&b, (char)c);
	}
	for (size_t i = 0; i < end.n; i++)
		buf_char(&b, (char)(is_param_safe(end.p[i]) ? end.p[i] : '_'));
	return buf_view(&b);
}

/* name*0*=utf-8''...; name*1*=...: RFC 2231 sections 3 and 4. */
static void
compose_head_put_extended(struct compose_head *w, const char *name,
    struct str value)
{
	struct buf b;
	size_t i = 0;
	size_t size = 0;
	bool one;

	for (size_t k = 0; k < value.n; k++)
		size += is_param_safe(value.p[k]) ? 1 : 3;
	one = size <= PARAM_CHUNK;

	for (int section = 0; i < value.n; section++) {
		size_t room = PARAM_CHUNK;

		buf_init(&b, w->b->a, 4UL * COMPOSE_HEAD_COLUMN);
		if (one)
			buf_fmt(&b, "%s*=utf-8''", name);
		else
			buf_fmt(&b, "%s*%d*=%s", name, section,
			    section == 0 ? "utf-8''" : "");
		for (; i < value.n && (one || room >= 3); i++) {
			char hex[3];

			if (is_param_safe(value.p[i])) {
				buf_char(&b, value.p[i]);
				room--;
			} else {
				str_hex_escape(hex, '%', value.p[i]);
				buf_add(&b, hex, 3);
				room -= 3;
			}
		}
		if (i < value.n)
			buf_char(&b, ';');
		compose_head_token(w, buf_view(&b));
	}
}

void
compose_head_param(struct compose_head *w, const char *name, struct str value)
{
	compose_head_put(w, S(";"));
	if (!compose_head_is_fit(value)) {
		w->bad = true;
	} else if (compose_head_is_plain(value) && value.n <= PARAM_CHUNK) {
		compose_head_put_quoted_param(w, name, value);
	} else {
		compose_head_put_extended(w, name, value);
	}
}

void
compose_head_param_ascii(struct compose_head *w, const char *name,
    struct str value)
{
	compose_head_put(w, S(";"));
	if (!compose_head_is_fit(value))
		w->bad = true;
	else if (compose_head_is_plain(value) && value.n <= PARAM_CHUNK)
		compose_head_put_quoted_param(w, name, value);
	else
		compose_head_put_quoted_param(w, name,
		    compose_head_ascii_name(w->b->a, value));
}
