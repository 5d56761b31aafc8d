/* SPDX-License-Identifier: Apache-2.0 */
#include "base/said.h"

#include <string.h>

#include "base/secret.h"
#include "base/utf8.h"

/* A decoded form of the words, on the stack: it may contain a secret. */
struct view {
	char p[SAID_LOOK];
	size_t n;
};

/* That many hexadecimal digits as a number, or -1. */
static int
said_hex_number(struct str s, size_t digits)
{
	int n = 0;

	if (s.n < digits)
		return -1;
	for (size_t i = 0; i < digits; i++) {
		if (str_hex(s.p[i]) < 0)
			return -1;
		n = n * 16 + str_hex(s.p[i]);
	}
	return n;
}

/* One character; its UTF-8 is never longer than its encoded form. */
static void
said_put_char(struct view *v, int c)
{
	v->n += utf8_put(v->p + v->n, (uint32_t)c);
}

/* Each decodes the start of s, puts it, and returns its length. */

static size_t
said_view_percent(struct view *v, struct str s)
{
	int byte = s.p[0] == '%' ? said_hex_number(str_from(s, 1), 2) : -1;

	v->p[v->n++] = (char)(byte >= 0 ? byte : s.p[0] == '+' ? ' ' : s.p[0]);
	return byte >= 0 ? 3 : 1;
}

static size_t
said_view_backslash(struct view *v, struct str s)
{
	int c = s.p[0] == '\\' && s.n > 1 && s.p[1] == 'u'
	    ? said_hex_number(str_from(s, 2), 4)
	    : -1;

	if (c >= 0) {
		said_put_char(v, c);
		return 6;
	}
	if (s.p[0] == '\\' && s.n > 1) {
		v->p[v->n++] = s.p[1];
		return 2;
	}
	v->p[v->n++] = s.p[0];
	return 1;
}

/* "&#38;" and "&#x26;": the length, 0 if it is not one. */
static size_t
said_html_number(struct str s, int *out)
{
	bool hex = s.n > 3 && (s.p[2] == 'x' || s.p[2] == 'X');
	size_t i = hex ? 3 : 2;

	for (*out = 0; i < s.n && *out < 0x10000; i++) {
		int digit = str_hex(s.p[i]);

		if (s.p[i] == ';')
			return i + 1;
		if (digit < 0 || (!hex && digit > 9))
			return 0;
		*out = *out * (hex ? 16 : 10) + digit;
	}
	return 0;
}

static size_t
said_view_html(struct view *v, struct str s)
{
	static const struct {
		struct str name;
		char c;
	} names[] = { { SI("&amp;"), '&' }, { SI("&lt;"), '<' },
		{ SI("&gt;"), '>' }, { SI("&quot;"), '"' },
		{ SI("&apos;"), '\'' } };
	size_t n;
	int c;

	if (str_starts(s, S("&#")) && (n = said_html_number(s, &c)) > 0) {
		said_put_char(v, c);
		return n;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_starts_case(s, names[i].name)) {
			v->p[v->n++] = names[i].c;
			return names[i].name.n;
		}
	v->p[v->n++] = s.p[0];
	return 1;
}

static size_t
view_plain(struct view *v, struct str s)
{
	v->p[v->n++] = s.p[0];
	return 1;
}

/* Servers fold lines, and emcli joins them: blanks are ignored. */
static void
said_squeeze(struct view *v)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		if ((unsigned char)v->p[i] > ' ' && v->p[i] != 0x7f)
			v->p[n++] = v->p[i];
	v->n = n;
}

static int
said_base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

/* Decodes the start of s as base64, ignoring where groups are cut. */
static size_t
said_view_base64(struct view *v, struct str s)
{
	unsigned bits = 0, have = 0;
	size_t i = 0;

	for (v->n = 0; i < s.n && said_base64_value(s.p[i]) >= 0; i++) {
		bits =
		    (bits << 6 | (unsigned)said_base64_value(s.p[i])) & 0xffff;
		have += 6;
		if (have >= 8) {
			have -= 8;
			v->p[v->n++] = (char)(bits >> have & 0xff);
		}
	}
	return i;
}

/* Checks every run of base64 in it, from each offset in a group of four. */
static bool
said_holds_base64(struct str s)
{
	struct view v = { .n = 0 };
	bool found = false;

	while (s.n > 0 && !found) {
		size_t run = 1;

		for (size_t at = 0; at < 4 && at < s.n && !found; at++) {
			size_t n = said_view_base64(&v, str_from(s, at));

			if (at == 0)
				run = n > 0 ? n : 1;
			if (at >= run)
				break;
			said_squeeze(&v);
			found = secret_repeated((struct str){ v.p, v.n });
		}
		s = str_from(s, run);
	}
	secret_wipe(&v, sizeof(v));
	return found;
}

bool
said_secret(struct str words)
{
	static size_t (*const readings[])(struct view *, struct str) = {
		view_plain,
		said_view_percent,
		said_view_backslash,
		said_view_html,
	};
	struct str all = str_first(words, SAID_LOOK);
	struct view v = { .n = 0 };
	bool found = false;

	for (size_t i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		struct str rest = all, seen;

		v.n = 0;
		while (rest.n > 0)
			rest = str_from(rest, readings[i](&v, rest));
		said_squeeze(&v);
		seen = (struct str){ v.p, v.n };
		found =
		    found || secret_repeated(seen) || said_holds_base64(seen);
	}
	secret_wipe(&v, sizeof(v));
	return found;
}

/* The length of the word at the start of s. */
static size_t
said_word_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] > ' ' && s.p[n] < 0x7f)
		n++;
	return n;
}

/* Runs of blanks become one, a long word "*", and non-ASCII "?". */
static void
said_put_printable(char *out, size_t room, struct str s)
{
	size_t n = 0, k;

	for (; s.n > 0 && n + 1 < room; s = str_from(s, k)) {
		k = said_word_length(s);
		if (k > SAID_LONG_WORD) {
			out[n++] = '*';
		} else if (k > 0) {
			size_t fits = k < room - 1 - n ? k : room - 1 - n;

			memcpy(out + n, s.p, fits);
			n += fits;
		} else {
			k = 1;
			if (s.p[0] != ' ' && s.p[0] != '\t')
				out[n++] = '?';
			else if (n > 0 && out[n - 1] != ' ')
				out[n++] = ' ';
		}
	}
	while (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

void
said_clean(char *out, size_t room, struct str words)
{
	struct str s = str_first(words, SAID_LOOK);

	if (s.n > 0 && (secret_short_in_use() || said_secret(s)))
		s = S(SAID_HIDDEN);
	said_put_printable(out, room, s);
}

struct str
said_text(struct arena *a, struct str words, size_t max)
{
	char *out = arena_alloc(a, max + 1);

	said_clean(out, max + 1, words);
	return str_of(out);
}
