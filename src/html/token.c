/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads HTML as a browser's tokenizer does (HTML 13.2.5).  Every byte is read
 * once, and those of a tag a second time if its attributes are needed.
 */
#include <string.h>

#include "base/ascii.h"
#include "html/tree.h"

/* The class of a byte within a tag; bits. */
#define SPACE 1u
#define SLASH 2u
#define END 4u /* ">" */
#define EQUALS 8u

static const unsigned char class[256] = {
	['\t'] = SPACE,
	['\n'] = SPACE,
	['\f'] = SPACE,
	['\r'] = SPACE,
	[' '] = SPACE,
	['/'] = SLASH,
	['='] = EQUALS,
	['>'] = END,
};

static bool
is_one(char c, unsigned bits)
{
	return (class[(unsigned char)c] & bits) != 0;
}

/* The end of the bytes from i on that are in these classes, or are not. */
static size_t
html_token_skip(struct str s, size_t i, unsigned bits)
{
	while (i < s.n && is_one(s.p[i], bits))
		i++;
	return i;
}

static size_t
skip_to(struct str s, size_t i, unsigned bits)
{
	while (i < s.n && !is_one(s.p[i], bits))
		i++;
	return i;
}

/* The character at i; NUL after the end. */
static char
html_token_at(struct str s, size_t i)
{
	if (i < s.n)
		return s.p[i];
	return '\0';
}

/* The first c from i on, or the end. */
static size_t
html_token_find(struct str s, size_t i, char c)
{
	const char *p;

	if (i >= s.n)
		return s.n;
	p = memchr(s.p + i, c, s.n - i);
	return p != NULL ? (size_t)(p - s.p) : s.n;
}

static size_t
html_token_past(struct str s, size_t i)
{
	return i < s.n ? i + 1 : s.n;
}

static bool
html_token_is_at(struct str s, size_t i, const char *text)
{
	return str_starts_case(str_from(s, i), str_of(text));
}

/* want is in lower case and has the same length. */
static bool
html_token_is_name(const char *name, struct str want)
{
	for (size_t i = 0; i < want.n; i++)
		if (ascii_lower(name[i]) != want.p[i])
			return false;
	return true;
}

static void
html_token_keep_attr(struct html_tag *t, struct str name, struct str value)
{
	static const struct str names[HTML_ATTRS] = {
		[HTML_A_ID] = SI("id"),
		[HTML_A_SRC] = SI("src"),
		[HTML_A_ALT] = SI("alt"),
		[HTML_A_DIR] = SI("dir"),
		[HTML_A_REL] = SI("rel"),
		[HTML_A_HREF] = SI("href"),
		[HTML_A_TEXT] = SI("text"),
		[HTML_A_LINK] = SI("link"),
		[HTML_A_SIZE] = SI("size"),
		[HTML_A_OPEN] = SI("open"),
		[HTML_A_TYPE] = SI("type"),
		[HTML_A_STYLE] = SI("style"),
		[HTML_A_CLASS] = SI("class"),
		[HTML_A_COLOR] = SI("color"),
		[HTML_A_WIDTH] = SI("width"),
		[HTML_A_MEDIA] = SI("media"),
		[HTML_A_HIDDEN] = SI("hidden"),
		[HTML_A_HEIGHT] = SI("height"),
		[HTML_A_BGCOLOR] = SI("bgcolor"),
		[HTML_A_POPOVER] = SI("popover"),
		[HTML_A_BACKGROUND] = SI("background"),
	};
	/* The index of the first name with each length. */
	static const unsigned char begin[] = { 0, 0, HTML_A_ID, HTML_A_SRC,
		HTML_A_HREF, HTML_A_STYLE, HTML_A_HIDDEN, HTML_A_BGCOLOR,
		HTML_A_BACKGROUND, HTML_A_BACKGROUND, HTML_A_BACKGROUND,
		HTML_ATTRS };

	if (name.n + 1 >= sizeof(begin))
		return;
	for (size_t i = begin[name.n]; i < begin[name.n + 1]; i++)
		if (html_token_is_name(name.p, names[i])) {
			if (t->has >> i & 1)
				return; /* the first one counts */
			t->has |= 1U << i;
			t->attr[i] = value;
			return;
		}
}

/* The value after a "=" at i; returns the index after it. */
static size_t
html_token_read_value(struct str s, size_t i, struct str *value)
{
	size_t first = html_token_skip(s, i, SPACE);

	if (first < s.n && (s.p[first] == '"' || s.p[first] == '\'')) {
		size_t end = html_token_find(s, first + 1, s.p[first]);

		*value = (struct str){ s.p + first + 1, end - first - 1 };
		return html_token_past(s, end);
	}
	i = skip_to(s, first, SPACE | END);
	*value = (struct str){ s.p + first, i - first };
	return i;
}

/*
 * The attribute from i on.  Returns the index after it; *name is empty if there
 * is none: at the end or at a ">".
 */
static size_t
html_token_read_attr(struct str s, size_t i, struct str *name,
    struct str *value)
{
	size_t first;

	i = html_token_skip(s, i, SPACE | SLASH);
	if (i == s.n || s.p[i] == '>') {
		*name = *value = S("");
		return i;
	}
	first = i++; /* a "=" can also begin a name */
	i = skip_to(s, i, SPACE | SLASH | END | EQUALS);
	*name = (struct str){ s.p + first, i - first };
	i = html_token_skip(s, i, SPACE);
	if (i < s.n && s.p[i] == '=')
		return html_token_read_value(s, i + 1, value);
	*value = S("");
	return i;
}

bool
html_token_attr_next(struct str raw, size_t *i, struct str *name,
    struct str *value)
{
	*i = html_token_read_attr(raw, *i, name, value);
	return name->n > 0;
}

bool
html_token_attr(struct str raw, struct str name, struct str *value)
{
	struct str one;
	size_t i = 0;

	while (html_token_attr_next(raw, &i, &one, value))
		if (one.n == name.n && str_eq_case(one, name))
			return true;
	return false;
}

/* A tag is large, and usually most of it is unused. */
void
html_token_clear(struct html_tag *t)
{
	for (uint32_t left = t->has; left != 0; left &= left - 1)
		t->attr[__builtin_ctz(left)] = (struct str){ 0 };
	t->has = 0;
}

void
html_token_attrs(struct str raw, struct html_tag *t)
{
	struct str name, value;
	size_t i = 0;

	html_token_clear(t);
	while (html_token_attr_next(raw, &i, &name, &value))
		html_token_keep_attr(t, name, value);
}

/*
 * The tag whose name begins at i.  Returns the index after its ">"; the end if
 * there is none, and then it is not a tag.
 */
static size_t
html_token_read_tag(struct str s, size_t i, struct html_token *t,
    enum html_token_type is)
{
	size_t first = i, from, n;
	struct str name, value;

	while (i < s.n && !is_one(s.p[i], SPACE | SLASH | END))
		i++;
	t->name_n = i - first;
	n = t->name_n < sizeof(t->name) ? t->name_n : 0;
	for (size_t k = 0; k < n; k++)
		t->name[k] = ascii_lower(s.p[first + k]);
	memset(t->name + n, 0, sizeof(t->name) - n);
	t->kind = html_element_find(t->name);
	t->selfclosing = false;
	html_token_clear(t->tag);
	from = i;
	while (i < s.n && s.p[i] != '>') {
		size_t was = i;

		i = html_token_read_attr(s, i, &name, &value);
		if (name.n > 0)
			html_token_keep_attr(t->tag, name, value);
		else /* "/" directly before ">", and not part of a value */
			t->selfclosing =
			    i > was && i < s.n && s.p[i - 1] == '/';
	}
	t->s = (struct str){ s.p + from, i - from };
	t->type = i < s.n ? is : HTML_T_END_OF_PAGE;
	return html_token_past(s, i);
}

static size_t
html_token_comment_end(struct str s, size_t i)
{
	const char *p;

	i += 4;
	if (html_token_is_at(s, i, ">"))
		return i + 1;
	if (html_token_is_at(s, i, "->"))
		return i + 2;
	for (;; i++) {
		i = html_token_find(s, i, '-');
		if (i == s.n)
			return i;
		p = s.p + i;
		if (s.n - i >= 3 && p[1] == '-' && p[2] == '>')
			return i + 3;
		if (s.n - i >= 4 && memcmp(p, "--!>", 4) == 0)
			return i + 4;
	}
}

/* "<![CDATA[" at i: text without references. */
static size_t
html_token_read_cdata(struct str s, size_t i, struct html_token *t)
{
	ptrdiff_t n;

	i += 9;
	n = str_find(str_from(s, i), S("]]>"));
	t->type = HTML_T_TEXT;
	t->literal = true;
	t->s = n < 0 ? str_from(s, i) : (struct str){ s.p + i, (size_t)n };
	return n < 0 ? s.n : i + (size_t)n + 3;
}

/* "<!" and "<?" at i: a comment, a doctype, or one parsed as a comment. */
static size_t
html_token_read_markup(struct str s, size_t i, bool foreign,
    struct html_token *t)
{
	size_t end;

	if (foreign && str_starts(str_from(s, i), S("<![CDATA[")))
		return html_token_read_cdata(s, i, t);
	t->type = html_token_is_at(s, i, "<!doctype") ? HTML_T_DOCTYPE
						      : HTML_T_COMMENT;
	end = html_token_is_at(s, i, "<!--")
	    ? html_token_comment_end(s, i)
	    : html_token_past(s, html_token_find(s, i, '>'));
	t->s = (struct str){ s.p + i, end - i };
	return end;
}

/* Does the "<" at i begin something other than text? */
static bool
html_token_is_markup(struct str s, size_t i)
{
	char next = html_token_at(s, i + 1);

	return next == '!' || next == '?' || ascii_is_letter(next) ||
	    (next == '/' && i + 2 < s.n);
}

size_t
html_token_next(struct str s, size_t i, bool foreign, struct html_token *t)
{
	size_t from = i;

	t->literal = false;
	while (i < s.n && (s.p[i] != '<' || !html_token_is_markup(s, i)))
		i = html_token_find(s, i + 1, '<');
	if (i > from) {
		t->type = HTML_T_TEXT;
		t->s = (struct str){ s.p + from, i - from };
		return i;
	}
	t->type = HTML_T_END_OF_PAGE;
	if (i == s.n)
		return i;
	if (ascii_is_letter(s.p[i + 1]))
		return html_token_read_tag(s, i + 1, t, HTML_T_START);
	if (s.p[i + 1] == '/' && ascii_is_letter(s.p[i + 2]))
		return html_token_read_tag(s, i + 2, t, HTML_T_END);
	if (s.p[i + 1] != '/')
		return html_token_read_markup(s, i, foreign, t);
	t->type = HTML_T_COMMENT; /* "</ >"; and "</>" is an empty one */
	i = html_token_past(s, html_token_find(s, i, '>'));
	t->s = (struct str){ s.p + from, i - from };
	return i;
}
