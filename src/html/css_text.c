/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CSS as text, before it becomes tokens: CSS Syntax 3.  Comments become a
 * space, because they separate tokens; escapes of letters are decoded, and
 * other escapes become a sign that no known name contains.
 */
#include <string.h>

#include "html/css.h"

#define NEST_MAX 64

/* Names: letters, digits, "-", "_", non-ASCII characters, and CSS_SIGN. */
const unsigned char css_text_class[256] = {
	[1] = CSS_CLASS_NAME,
	['-'] = CSS_CLASS_NAME,
	['_'] = CSS_CLASS_NAME,
	['0'] = CSS_CLASS_NAME,
	['1'] = CSS_CLASS_NAME,
	['2'] = CSS_CLASS_NAME,
	['3'] = CSS_CLASS_NAME,
	['4'] = CSS_CLASS_NAME,
	['5'] = CSS_CLASS_NAME,
	['6'] = CSS_CLASS_NAME,
	['7'] = CSS_CLASS_NAME,
	['8'] = CSS_CLASS_NAME,
	['9'] = CSS_CLASS_NAME,
	['a'] = CSS_CLASS_NAME,
	['b'] = CSS_CLASS_NAME,
	['c'] = CSS_CLASS_NAME,
	['d'] = CSS_CLASS_NAME,
	['e'] = CSS_CLASS_NAME,
	['f'] = CSS_CLASS_NAME,
	['g'] = CSS_CLASS_NAME,
	['h'] = CSS_CLASS_NAME,
	['i'] = CSS_CLASS_NAME,
	['j'] = CSS_CLASS_NAME,
	['k'] = CSS_CLASS_NAME,
	['l'] = CSS_CLASS_NAME,
	['m'] = CSS_CLASS_NAME,
	['n'] = CSS_CLASS_NAME,
	['o'] = CSS_CLASS_NAME,
	['p'] = CSS_CLASS_NAME,
	['q'] = CSS_CLASS_NAME,
	['r'] = CSS_CLASS_NAME,
	['s'] = CSS_CLASS_NAME,
	['t'] = CSS_CLASS_NAME,
	['u'] = CSS_CLASS_NAME,
	['v'] = CSS_CLASS_NAME,
	['w'] = CSS_CLASS_NAME,
	['x'] = CSS_CLASS_NAME,
	['y'] = CSS_CLASS_NAME,
	['z'] = CSS_CLASS_NAME,
	['A'] = CSS_CLASS_NAME,
	['B'] = CSS_CLASS_NAME,
	['C'] = CSS_CLASS_NAME,
	['D'] = CSS_CLASS_NAME,
	['E'] = CSS_CLASS_NAME,
	['F'] = CSS_CLASS_NAME,
	['G'] = CSS_CLASS_NAME,
	['H'] = CSS_CLASS_NAME,
	['I'] = CSS_CLASS_NAME,
	['J'] = CSS_CLASS_NAME,
	['K'] = CSS_CLASS_NAME,
	['L'] = CSS_CLASS_NAME,
	['M'] = CSS_CLASS_NAME,
	['N'] = CSS_CLASS_NAME,
	['O'] = CSS_CLASS_NAME,
	['P'] = CSS_CLASS_NAME,
	['Q'] = CSS_CLASS_NAME,
	['R'] = CSS_CLASS_NAME,
	['S'] = CSS_CLASS_NAME,
	['T'] = CSS_CLASS_NAME,
	['U'] = CSS_CLASS_NAME,
	['V'] = CSS_CLASS_NAME,
	['W'] = CSS_CLASS_NAME,
	['X'] = CSS_CLASS_NAME,
	['Y'] = CSS_CLASS_NAME,
	['Z'] = CSS_CLASS_NAME,
	[' '] = CSS_CLASS_SPACE,
	['\t'] = CSS_CLASS_SPACE,
	['\n'] = CSS_CLASS_SPACE,
	['\r'] = CSS_CLASS_SPACE,
	['\f'] = CSS_CLASS_SPACE,
	[';'] = CSS_CLASS_STOP,
	[','] = CSS_CLASS_STOP,
	['('] = CSS_CLASS_STOP,
	[')'] = CSS_CLASS_STOP,
	['['] = CSS_CLASS_STOP,
	[']'] = CSS_CLASS_STOP,
	['{'] = CSS_CLASS_STOP,
	['}'] = CSS_CLASS_STOP,
	['"'] = CSS_CLASS_STOP,
	['\''] = CSS_CLASS_STOP,
};

struct str
css_text_trim(struct str s)
{
	while (s.n > 0 && css_text_is_space(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && css_text_is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

/*
 * An escaped character: a letter of a name, or the sign for one that cannot be
 * in a name or begin one.
 */
static void
css_text_put(struct buf *b, char c)
{
	bool first = b->n == 0 || !css_text_is_name(b->p[b->n - 1]);

	if (!css_text_is_name(c) || (first && c >= '0' && c <= '9'))
		c = CSS_SIGN;
	buf_char(b, c);
}

static void
css_text_put_quoted(struct buf *b, char c)
{
	if (c == '\\')
		c = CSS_SIGN;
	buf_char(b, c);
}

/* The escape at s.p[i], a "\"; returns the index after it (4.3.7). */
static size_t
css_text_escape(struct buf *b, struct str s, size_t i)
{
	uint32_t cp = 0;
	size_t n = 0;

	i++;
	if (i == s.n)
		return i;
	while (n < 6 && i < s.n && str_hex(s.p[i]) >= 0) {
		cp = cp * 16 + (uint32_t)str_hex(s.p[i++]);
		n++;
	}
	if (n == 0) {
		if (s.p[i] == '\n' || s.p[i] == '\r' || s.p[i] == '\f')
			buf_char(b, '\n'); /* only for a string */
		else
			css_text_put(b, s.p[i]);
		return i + 1;
	}
	if (i + 1 < s.n && s.p[i] == '\r' && s.p[i + 1] == '\n')
		i += 2;
	else if (i < s.n && css_text_is_space(s.p[i]))
		i++;
	if (cp >= 0x80)
		buf_utf8(b, cp);
	else
		css_text_put(b, (char)cp);
	return i;
}

/*
 * The index after a comment, a string or an unquoted url(); copies all but
 * comments.
 */
static size_t
css_text_opaque(struct buf *b, struct str s, size_t i)
{
	size_t end = i + 1;
	char quote = s.p[i];
	ptrdiff_t at;

	if (quote == '/') {
		at = str_find(str_from(s, i + 2), S("*/"));
		buf_char(b, ' ');
		return at < 0 ? s.n : i + 2 + (size_t)at + 2;
	}
	if (quote == '(')
		quote = ')';
	while (end < s.n && s.p[end] != quote &&
	    (quote == ')' || (s.p[end] != '\n' && s.p[end] != '\f')))
		end += s.p[end] == '\\' ? 2 : 1;
	if (end >= s.n)
		end = s.n;
	else
		end++;
	for (; i < end; i++)
		css_text_put_quoted(b, s.p[i]);
	return end;
}

/* Is the parenthesis at i part of a url() without quotes? */
static bool
css_text_is_url(struct str s, size_t i)
{
	size_t k = i + 1;

	if (i < 3 || !str_eq_case((struct str){ s.p + i - 3, 3 }, S("url")))
		return false;
	while (k < s.n && css_text_is_space(s.p[k]))
		k++;
	return k < s.n && s.p[k] != '"' && s.p[k] != '\'';
}

/* Can something other than plain text begin with it? */
static bool
css_text_is_odd(char c)
{
	return c == '"' || c == '\'' || c == '/' || c == '(' || c == '\\';
}

struct str
css_text_plain(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;

	if (!str_has_char(s, '\\') &&
	    (!str_has_char(s, '*') || str_find(s, S("/*")) < 0))
		return s;
	/* "\0" is three bytes of U+FFFD. */
	buf_init(&b, a, 2 * s.n + 4);
	while (i < s.n) {
		size_t from = i;
		char c = s.p[i];

		if (c == '"' || c == '\'' ||
		    (c == '/' && i + 1 < s.n && s.p[i + 1] == '*') ||
		    (c == '(' && css_text_is_url(s, i))) {
			i = css_text_opaque(&b, s, i);
		} else if (c == '\\') {
			i = css_text_escape(&b, s, i);
		} else {
			do
				i++;
			while (i < s.n && !css_text_is_odd(s.p[i]));
			buf_add(&b, s.p + from, i - from);
		}
	}
	return buf_view(&b);
}

/* The index after the string that begins at i. */
static size_t
css_text_skip_string(struct str s, size_t i)
{
	char quote = s.p[i++];

	while (i < s.n && s.p[i] != quote && s.p[i] != '\n')
		i++;
	return i < s.n ? i + 1 : i;
}

/* The bracket that closes c, or NUL. */
static char
css_text_closer(char c)
{
	switch (c) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	default:
		return '\0';
	}
}

/*
 * The first character from i on that may end or open something; tests four at a
 * time, because most do not.
 */
static size_t
css_text_skip_rest(struct str s, size_t i)
{
	const unsigned char *p = (const unsigned char *)s.p;
	const unsigned char *is = css_text_class;

	while (i + 4 <= s.n &&
	    !((is[p[i]] | is[p[i + 1]] | is[p[i + 2]] | is[p[i + 3]]) &
		CSS_CLASS_STOP))
		i += 4;
	while (i < s.n && !(is[p[i]] & CSS_CLASS_STOP))
		i++;
	return i;
}

static size_t
text_span(struct str s, size_t i, const char *stop, bool *deep)
{
	char wait[NEST_MAX];
	size_t depth = 0;

	while ((i = css_text_skip_rest(s, i)) < s.n) {
		char c = s.p[i];

		if (depth == 0 && strchr(stop, c) != NULL)
			return i;
		if (c == '"' || c == '\'') {
			i = css_text_skip_string(s, i);
			continue;
		}
		if (depth > 0 && c == wait[depth - 1]) {
			depth--;
		} else if (css_text_closer(c) != '\0') {
			if (depth == NEST_MAX) {
				*deep = true;
				return s.n;
			}
			wait[depth++] = css_text_closer(c);
			while (c == '(' && css_text_is_url(s, i) &&
			    i + 1 < s.n && s.p[i + 1] != ')')
				i++;
		}
		i++;
	}
	return i;
}

size_t
css_text_span(struct str s, size_t i, const char *stop)
{
	bool deep;

	return text_span(s, i, stop, &deep);
}

/* Are more brackets open than allowed?  Usually not. */
static bool
css_text_has_brackets(struct str s)
{
	size_t n = 0;

	for (const char *open = "({["; *open != '\0'; open++) {
		const char *p = s.p, *end = s.p + s.n;

		while (n <= NEST_MAX && p < end &&
		    (p = memchr(p, *open, (size_t)(end - p))) != NULL) {
			n++;
			p++;
		}
	}
	return n > NEST_MAX;
}

bool
css_text_is_deep(struct str s)
{
	bool deep = false;

	if (s.n > NEST_MAX && css_text_has_brackets(s))
		(void)text_span(s, 0, "", &deep);
	return deep;
}
