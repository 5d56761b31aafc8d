/*
 * Reads HTML as a browser's tokenizer does (HTML 13.2.5).  Every byte is looked
 * at once, or twice where the end of a tag or comment is searched first.
 */
#include <string.h>

#include "mime/html_tree.h"

/* What a byte is within a tag; bits. */
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
is(char c, unsigned bits)
{
	return (class[(unsigned char)c] & bits) != 0;
}

/* Behind the bytes from i on that are of these, or are not. */
static size_t
skip(struct str s, size_t i, unsigned bits)
{
	while (i < s.n && is(s.p[i], bits))
		i++;
	return i;
}

static size_t
skip_to(struct str s, size_t i, unsigned bits)
{
	while (i < s.n && !is(s.p[i], bits))
		i++;
	return i;
}

static bool
is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char
lower(char c)
{
	if (c >= 'A' && c <= 'Z')
		c = (char)(c + ('a' - 'A'));
	return c;
}

/* The character at i; a NUL behind the end. */
static char
at(struct str s, size_t i)
{
	if (i < s.n)
		return s.p[i];
	return '\0';
}

/* The first c from i on, or the end. */
static size_t
find(struct str s, size_t i, char c)
{
	const char *p;

	if (i >= s.n)
		return s.n;
	p = memchr(s.p + i, c, s.n - i);
	return p != NULL ? (size_t)(p - s.p) : s.n;
}

static size_t
past(struct str s, size_t i)
{
	return i < s.n ? i + 1 : s.n;
}

static bool
is_at(struct str s, size_t i, const char *text)
{
	return str_starts_case(str_from(s, i), str_of(text));
}

/* want is in lower case, and as long. */
static bool
is_name(const char *name, struct str want)
{
	for (size_t i = 0; i < want.n; i++)
		if (lower(name[i]) != want.p[i])
			return false;
	return true;
}

static void
keep_attr(struct html_tag *t, struct str name, struct str value)
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
		[HTML_A_BACKGROUND] = SI("background"),
	};
	/* Where the names of a length begin. */
	static const unsigned char begin[] = { 0, 0, HTML_A_ID, HTML_A_SRC,
		HTML_A_HREF, HTML_A_STYLE, HTML_A_HIDDEN, HTML_A_BGCOLOR,
		HTML_A_BACKGROUND, HTML_A_BACKGROUND, HTML_A_BACKGROUND,
		HTML_ATTRS };

	if (name.n + 1 >= sizeof(begin))
		return;
	for (size_t i = begin[name.n]; i < begin[name.n + 1]; i++)
		if (is_name(name.p, names[i])) {
			if (t->has >> i & 1)
				return; /* the first one counts */
			t->has |= 1U << i;
			t->attr[i] = value;
			return;
		}
}

/* The value behind a "=" at i; returns what follows it. */
static size_t
read_value(struct str s, size_t i, struct str *value)
{
	size_t first = skip(s, i, SPACE);

	if (first < s.n && (s.p[first] == '"' || s.p[first] == '\'')) {
		size_t end = find(s, first + 1, s.p[first]);

		*value = (struct str){ s.p + first + 1, end - first - 1 };
		return past(s, end);
	}
	i = skip_to(s, first, SPACE | END);
	*value = (struct str){ s.p + first, i - first };
	return i;
}

/*
 * The attribute from i on.  Returns what follows it; *name is empty when there
 * is none: at the end or at a ">".
 */
static size_t
read_attr(struct str s, size_t i, struct str *name, struct str *value)
{
	size_t first;

	*name = *value = S("");
	i = skip(s, i, SPACE | SLASH);
	if (i == s.n || s.p[i] == '>')
		return i;
	first = i++; /* even a "=" begins a name */
	i = skip_to(s, i, SPACE | SLASH | END | EQUALS);
	*name = (struct str){ s.p + first, i - first };
	i = skip(s, i, SPACE);
	return i < s.n && s.p[i] == '=' ? read_value(s, i + 1, value) : i;
}

bool
html_token_attr(struct str raw, struct str name, struct str *value)
{
	struct str one;
	size_t i = 0;

	do {
		i = read_attr(raw, i, &one, value);
		if (one.n == name.n && one.n > 0 && str_eq_case(one, name))
			return true;
	} while (one.n > 0);
	return false;
}

/*
 * The tag whose name begins at i.  Returns what follows its ">"; the end when
 * there is none, and then it is no tag (*whole stays false).
 */
static size_t
read_tag(struct str s, size_t i, struct html_tag *t, bool *whole)
{
	struct str name, value;
	size_t first = skip_to(s, i, SPACE | SLASH | END);

	size_t most = sizeof(t->name) - 1,
	       n = first - i < most ? first - i : most;

	for (size_t k = 0; k < n; k++)
		t->name[k] = lower(s.p[i + k]);
	if (first - i > most)
		t->name[0] = '\0';
	i = first;
	while (i < s.n && s.p[i] != '>') {
		i = read_attr(s, i, &name, &value);
		if (name.n == 0)
			break;
		keep_attr(t, name, value);
	}
	t->raw = (struct str){ s.p + first, i - first };
	*whole = i < s.n;
	return *whole ? i + 1 : i;
}

/* "<!" and "<?" at i: a comment, a doctype, what is taken for one. */
static size_t
skip_markup(struct str s, size_t i)
{
	const char *p;

	if (!is_at(s, i, "<!--"))
		return past(s, find(s, i, '>'));
	i += 4;
	if (is_at(s, i, ">"))
		return i + 1;
	if (is_at(s, i, "->"))
		return i + 2;
	for (;;) {
		i = find(s, i, '-');
		if (i == s.n)
			return i;
		p = s.p + i;
		if (s.n - i >= 3 && p[1] == '-' && p[2] == '>')
			return i + 3;
		if (s.n - i >= 4 && memcmp(p, "--!>", 4) == 0)
			return i + 4;
		i++;
	}
}

/* Where the end tag of a raw element stands; the end when there is none. */
static size_t
skip_raw(struct str s, size_t i, const char *name)
{
	for (;; i++) {
		size_t end;

		i = find(s, i, '<');
		if (i == s.n)
			return i;
		end = i + 2 + strlen(name);
		if (end < s.n && s.p[i + 1] == '/' && is_at(s, i + 2, name) &&
		    is(s.p[end], SPACE | SLASH | END))
			return i;
	}
}

/* A tag is large, and most of it was not used. */
static void
clear(struct html_tag *t)
{
	for (uint32_t left = t->has; left != 0; left &= left - 1)
		t->attr[__builtin_ctz(left)] = (struct str){ 0 };
	t->has = 0;
	memset(t->name, 0, sizeof(t->name));
	t->kind = NULL;
	t->raw = (struct str){ 0 };
}

size_t
html_token(struct str s, size_t i, struct html_tag *t, bool *is_tag,
    struct str *inside)
{
	size_t from = i, end;
	char next = at(s, i + 1);
	const struct html_element *e;

	clear(t);
	*is_tag = false;
	*inside = S("");
	if (next == '!' || next == '?') {
		i = skip_markup(s, from);
		*inside = (struct str){ s.p + from, i - from };
		return i;
	}
	t->closing = next == '/';
	if (t->closing)
		next = at(s, i + 2);
	if (!is_alpha(next)) {
		if (!t->closing || next == '\0')
			return i;
		i = past(s, find(s, i, '>')); /* "</ >": a comment */
		*inside = (struct str){ s.p + from, i - from };
		return i;
	}
	i = read_tag(s, i + (t->closing ? 2 : 1), t, is_tag);
	e = t->kind = html_element_find(t->name);
	if (!*is_tag || t->closing)
		return i;
	if (e == NULL || !(e->is & HTML_RAW))
		return i;
	end = html_is(e, HTML_N_PLAINTEXT) ? s.n : skip_raw(s, i, e->name);
	*inside = (struct str){ s.p + i, end - i };
	return end;
}
