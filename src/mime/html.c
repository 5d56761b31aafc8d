/*
 * Reads HTML as a browser's tokenizer does (HTML 13.2.5), one pass, no tree:
 * a tag's meaning is a row of html_element.c.  Every byte is looked at once,
 * or twice where the end of a tag or comment is searched first.
 */
#include <string.h>

#include "mime/html.h"
#include "mime/internal.h"

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
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

static void
keep_attr(struct html_tag *t, struct str name, struct str value)
{
	static const struct str names[HTML_ATTRS] = {
		[HTML_HREF] = SI("href"),
		[HTML_ALT] = SI("alt"),
		[HTML_STYLE] = SI("style"),
		[HTML_HIDDEN] = SI("hidden"),
	};

	for (size_t i = 0; i < HTML_ATTRS; i++)
		if (name.n == names[i].n && str_eq_case(name, names[i]) &&
		    t->attr[i].p == NULL)
			t->attr[i] = value; /* the first one counts */
}

/* The value behind a "=" at i; returns what follows it. */
static size_t
read_value(struct str s, size_t i, struct str *value)
{
	size_t first;

	while (i < s.n && is_space(s.p[i]))
		i++;
	if (i < s.n && (s.p[i] == '"' || s.p[i] == '\'')) {
		size_t end = find(s, i + 1, s.p[i]);

		*value = (struct str){ s.p + i + 1, end - i - 1 };
		return past(s, end);
	}
	first = i;
	while (i < s.n && !is_space(s.p[i]) && s.p[i] != '>')
		i++;
	*value = (struct str){ s.p + first, i - first };
	return i;
}

/*
 * The tag whose name begins at i.  Returns what follows its ">"; the end when
 * there is none, and then it is no tag (*whole stays false).
 */
static size_t
read_tag(struct str s, size_t i, struct html_tag *t, bool *whole)
{
	size_t n = 0;

	for (; i < s.n && !is_space(s.p[i]) && s.p[i] != '>' && s.p[i] != '/';
	     i++, n++)
		if (n < sizeof(t->name) - 1)
			t->name[n] = lower(s.p[i]);
	if (n > sizeof(t->name) - 1)
		t->name[0] = '\0';
	for (;;) {
		struct str name, value = S("");
		size_t first;

		while (i < s.n && (is_space(s.p[i]) || s.p[i] == '/'))
			i++;
		if (i == s.n)
			return i;
		if (s.p[i] == '>') {
			*whole = true;
			return i + 1;
		}
		first = i++; /* even a "=" begins a name */
		while (i < s.n && !is_space(s.p[i]) && s.p[i] != '/' &&
		    s.p[i] != '>' && s.p[i] != '=')
			i++;
		name = (struct str){ s.p + first, i - first };
		while (i < s.n && is_space(s.p[i]))
			i++;
		if (i < s.n && s.p[i] == '=')
			i = read_value(s, i + 1, &value);
		keep_attr(t, name, value);
	}
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
		    (is_space(s.p[end]) || s.p[end] == '>' || s.p[end] == '/'))
			return i;
	}
}

static void
open_tag(struct html *h, const struct html_element *e, const struct html_tag *t)
{
	if (h->drop != NULL) {
		h->drops += h->drop == e;
		return;
	}
	if (e->drop) {
		h->drop = e;
		h->drops = 1;
		return;
	}
	if (e->lines > 0)
		html_out_lines(h, e->lines);
	if (e->open != NULL)
		e->open(h, t);
}

static void
close_tag(struct html *h, const struct html_element *e)
{
	if (h->drop != NULL) {
		if (h->drop == e && --h->drops == 0)
			h->drop = NULL;
		return;
	}
	if (e->lines > 0)
		html_out_lines(h, e->lines);
	if (e->close != NULL)
		e->close(h);
}

/* What begins with the "<" at i; returns what follows it. */
static size_t
markup(struct html *h, struct str s, size_t i)
{
	const struct html_element *e;
	struct html_tag t = { 0 };
	bool whole = false;
	char next = at(s, i + 1);

	if (next == '!' || next == '?')
		return skip_markup(s, i);
	t.closing = next == '/';
	if (t.closing)
		next = at(s, i + 2);
	if (!is_alpha(next)) {
		if (t.closing && next != '\0')
			return past(s, find(s, i, '>')); /* "</ >" is nothing */
		if (h->drop == NULL && h->hides == 0)
			html_out_word(h, S("<"));
		return i + 1;
	}
	i = read_tag(s, i + (t.closing ? 2 : 1), &t, &whole);
	e = whole ? html_element_find(t.name) : NULL;
	if (whole && html_hide_tag(h, &t, e))
		return e != NULL && e->raw && !t.closing
		    ? skip_raw(s, i, e->name)
		    : i;
	if (e == NULL)
		return i;
	if (t.closing)
		close_tag(h, e);
	else
		open_tag(h, e, &t);
	return e->raw && !t.closing ? skip_raw(s, i, e->name) : i;
}

struct str
html_text(struct arena *a, struct str html, size_t max,
    struct html_found *found)
{
	struct html h = { .a = a };
	size_t i = 0;
	struct str out;

	buf_init(&h.out, a, max);
	while (i < html.n && !h.out.over) {
		size_t end;

		if (html.p[i] == '<') {
			i = markup(&h, html, i);
			continue;
		}
		end = find(html, i, '<');
		if (h.drop == NULL && h.hides == 0)
			html_out_text(&h, (struct str){ html.p + i, end - i });
		i = end;
	}
	html_element_end_link(&h);
	if (found != NULL)
		*found = (struct html_found){ .over = h.out.over };
	h.out.over = false;
	out = buf_view(&h.out);
	while (out.n > 0 && out.p[out.n - 1] == '\n')
		out.n--;
	if (out.n > 0 && out.n < max) {
		h.out.n = out.n;
		buf_char(&h.out, '\n');
		out = buf_view(&h.out);
	}
	return out;
}
