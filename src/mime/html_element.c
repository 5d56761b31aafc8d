/*
 * What each HTML element means for text: one row an element, one function for
 * each kind of doing.  An element that is not here only passes its content on.
 */
#include <string.h>

#include "base/utf8.h"
#include "mime/internal.h"

/* Depths only count up to here: nesting may be as deep as the mail is long. */
#define DEPTH_MAX 1000000

static void
up(int *depth)
{
	if (*depth < DEPTH_MAX)
		(*depth)++;
}

static void
down(int *depth)
{
	if (*depth > 0)
		(*depth)--;
}

static void
open_br(struct html *h, const struct html_tag *t)
{
	(void)t;
	html_out_break(h);
}

static void
open_list(struct html *h, const struct html_tag *t)
{
	(void)t;
	/* A list within a list continues it. */
	html_out_lines(h, h->lists > 0 ? 1 : 2);
	up(&h->lists);
}

static void
close_list(struct html *h)
{
	down(&h->lists);
	h->bullet = false;
	html_out_lines(h, h->lists > 0 ? 1 : 2);
}

static void
open_li(struct html *h, const struct html_tag *t)
{
	(void)t;
	h->bullet = false;
	html_out_lines(h, 1);
	h->bullet = true;
}

static void
close_li(struct html *h)
{
	h->bullet = false;
	html_out_lines(h, 1);
}

static void
open_quote(struct html *h, const struct html_tag *t)
{
	(void)t;
	up(&h->quotes);
}

static void
close_quote(struct html *h)
{
	down(&h->quotes);
}

static void
open_pre(struct html *h, const struct html_tag *t)
{
	(void)t;
	up(&h->pre);
	h->pre_new = true;
}

static void
close_pre(struct html *h)
{
	down(&h->pre);
}

/* Cells of a row stand in one line, unless one holds a block. */
static void
open_cell(struct html *h, const struct html_tag *t)
{
	(void)t;
	if (h->lines == 0 && !h->fresh && h->out.n > 0)
		h->cell = true;
}

/* An attribute's value as text: references decoded, controls left out. */
static struct str
value_of(struct html *h, const struct html_tag *t, enum html_attr which)
{
	struct str s = t->attr[which];
	struct buf b;
	size_t i = 0;

	/* The shortest reference, "&lt", is no shorter than what it means. */
	buf_init(&b, h->a, s.n + 4);
	while (i < s.n) {
		uint32_t cp = (unsigned char)s.p[i];
		size_t n = 0;

		if (s.p[i] == '&')
			n = html_entity_read(s, i, true, &cp);
		if (n > 0 && cp >= 0x20)
			buf_utf8(&b, cp);
		else if (n == 0 && (cp >= 0x20 || cp == '\n' || cp == '\t'))
			buf_char(&b, s.p[i]);
		i += n > 0 ? n : 1;
	}
	return buf_view(&b);
}

static bool
is_scheme_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* Is it a target worth showing?  No script, no data, nothing within. */
static bool
is_shown(struct str url)
{
	static const struct str shown[] = { SI("http:"), SI("https:"),
		SI("mailto:"), SI("tel:"), SI("ftp:") };
	size_t i = 0;

	if (url.n == 0 || url.p[0] == '#')
		return false;
	while (i < url.n && is_scheme_char(url.p[i]))
		i++;
	if (i == url.n || url.p[i] != ':')
		return true; /* relative */
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (str_starts_case(url, shown[i]) && url.n > shown[i].n)
			return true;
	return false;
}

/*
 * The target as a browser takes it: tabs and line ends out, spaces escaped
 * (WHATWG URL 4.4); "<" and ">" escaped so that it ends where we end it.
 */
static struct str
target_of(struct html *h, const struct html_tag *t)
{
	struct str s = str_trim(value_of(h, t, HTML_HREF));
	struct buf b;

	buf_init(&b, h->a, 3 * s.n + 1);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == ' ')
			buf_text(&b, "%20");
		else if (s.p[i] == '<')
			buf_text(&b, "%3C");
		else if (s.p[i] == '>')
			buf_text(&b, "%3E");
		else if ((unsigned char)s.p[i] > ' ' && s.p[i] != 0x7F)
			buf_char(&b, s.p[i]);
	return is_shown(buf_view(&b)) ? buf_view(&b) : S("");
}

/* Does the link's text say its target already? */
static bool
says_target(struct str text, struct str url)
{
	static const struct str left_out[] = { SI(""), SI("http://"),
		SI("https://"), SI("mailto:"), SI("tel:") };

	if (str_ends(url, S("/")) && !str_ends(text, S("/")))
		url.n--;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++) {
		struct str p = left_out[i];

		if (str_starts_case(url, p) && str_eq(text, str_from(url, p.n)))
			return true;
	}
	return false;
}

void
html_element_end_link(struct html *h)
{
	struct str url = h->url, text;

	h->url = S("");
	if (url.n == 0)
		return;
	if (h->url_new) {
		/* Nothing to see: only an image makes it a link. */
		h->url_new = false;
		if (!h->url_image)
			return;
		html_out_word(h, S("<"));
	} else {
		text = str_from(buf_view(&h->out), h->url_at);
		if (says_target(str_trim(text), url))
			return;
		html_out_behind(h, S(" <"));
	}
	html_out_behind(h, url);
	html_out_behind(h, S(">"));
}

static void
open_a(struct html *h, const struct html_tag *t)
{
	html_element_end_link(h);
	if (t->attr[HTML_HREF].n == 0)
		return;
	h->url = target_of(h, t);
	h->url_new = h->url.n > 0;
	h->url_image = false;
}

static void
open_img(struct html *h, const struct html_tag *t)
{
	struct str alt, word;

	h->url_image = true;
	if (t->attr[HTML_ALT].n == 0)
		return;
	alt = str_trim(value_of(h, t, HTML_ALT));
	if (alt.n == 0)
		return;
	html_out_word(h, S("["));
	while (alt.n > 0) {
		size_t n = 0;

		while (n < alt.n && (unsigned char)alt.p[n] > ' ')
			n++;
		word = str_first(alt, n);
		alt = str_trim(str_from(alt, n));
		html_out_behind(h, word);
		if (alt.n > 0)
			html_out_behind(h, S(" "));
	}
	html_out_behind(h, S("]"));
}

/* In the order of strcmp(3). */
static const struct html_element elements[] = {
	{ .name = "a", .open = open_a, .close = html_element_end_link },
	{ .name = "address", .lines = 1 },
	{ .name = "article", .lines = 1 },
	{ .name = "aside", .lines = 1 },
	{ .name = "blockquote",
	    .lines = 2,
	    .open = open_quote,
	    .close = close_quote },
	{ .name = "body", .lines = 1 },
	{ .name = "br", .open = open_br },
	{ .name = "caption", .lines = 1 },
	{ .name = "center", .lines = 1 },
	{ .name = "dd", .lines = 1 },
	{ .name = "dir", .open = open_list, .close = close_list },
	{ .name = "div", .lines = 1 },
	{ .name = "dl", .lines = 2 },
	{ .name = "dt", .lines = 1 },
	{ .name = "fieldset", .lines = 1 },
	{ .name = "figcaption", .lines = 1 },
	{ .name = "figure", .lines = 1 },
	{ .name = "footer", .lines = 1 },
	{ .name = "form", .lines = 1 },
	{ .name = "h1", .lines = 2 },
	{ .name = "h2", .lines = 2 },
	{ .name = "h3", .lines = 2 },
	{ .name = "h4", .lines = 2 },
	{ .name = "h5", .lines = 2 },
	{ .name = "h6", .lines = 2 },
	{ .name = "header", .lines = 1 },
	{ .name = "hr", .lines = 2 },
	{ .name = "iframe", .raw = true },
	{ .name = "img", .open = open_img },
	{ .name = "li", .open = open_li, .close = close_li },
	{ .name = "main", .lines = 1 },
	{ .name = "menu", .open = open_list, .close = close_list },
	{ .name = "nav", .lines = 1 },
	{ .name = "noembed", .raw = true },
	{ .name = "noframes", .raw = true },
	{ .name = "noscript", .drop = true },
	{ .name = "ol", .open = open_list, .close = close_list },
	{ .name = "option", .lines = 1 },
	{ .name = "p", .lines = 2 },
	{ .name = "pre", .lines = 2, .open = open_pre, .close = close_pre },
	{ .name = "script", .raw = true },
	{ .name = "section", .lines = 1 },
	{ .name = "style", .raw = true },
	{ .name = "table", .lines = 1 },
	{ .name = "tbody", .lines = 1 },
	{ .name = "td", .open = open_cell },
	{ .name = "template", .drop = true },
	{ .name = "tfoot", .lines = 1 },
	{ .name = "th", .open = open_cell },
	{ .name = "thead", .lines = 1 },
	{ .name = "title", .raw = true },
	{ .name = "tr", .lines = 1 },
	{ .name = "ul", .open = open_list, .close = close_list },
};

const struct html_element *
html_element_find(const char *name)
{
	size_t lo = 0, hi = sizeof(elements) / sizeof(elements[0]);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = strcmp(name, elements[mid].name);

		if (c == 0)
			return &elements[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}
