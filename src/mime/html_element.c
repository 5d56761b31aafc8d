/*
 * What each HTML element means for text: one row an element, one function for
 * each kind of doing.  An element that is not here only passes its content on.
 */
#include <string.h>

#include "base/utf8.h"
#include "mime/html_tree.h"
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
	h->pre_new = true;
}

static struct html_node *
top(struct html *h)
{
	return h->node[h->depth - 1];
}

static void
open_row(struct html *h, const struct html_tag *t)
{
	(void)t;
	top(h)->row_line = h->cells > 0 ? h->line : h->line + 1;
}

static void
close_row(struct html *h)
{
	h->cells = 0;
	/* A line with several cells has its like behind it. */
	if (top(h)->data && h->line == top(h)->row_line && h->lines > 1)
		h->lines = 1;
}

/* The innermost open element of that name that a cell stands in. */
static struct html_node *
around(struct html *h, const char *name)
{
	for (size_t i = h->depth - 1; i-- > 0;)
		if (strcmp(h->node[i]->name, name) == 0)
			return h->node[i];
		else if (strcmp(h->node[i]->name, "table") == 0)
			break;
	return NULL;
}

static void
open_cell(struct html *h, const struct html_tag *t)
{
	struct html_node *row = around(h, "tr"), *table = around(h, "table");

	if (table != NULL && strcmp(t->name, "th") == 0)
		table->data = true;
	if (row != NULL && top(h)->e.nth > 1)
		html_out_cell(h, row->row_line, table != NULL && table->data);
	if (row != NULL && h->cells > 0)
		row->data = true;
}

/* The shortest reference, "&lt", is no shorter than what it means. */
struct str
html_element_value(struct arena *a, struct str s)
{
	struct buf b;
	size_t i = 0;

	buf_init(&b, a, s.n + 4);
	while (i < s.n) {
		uint32_t cp = (unsigned char)s.p[i];
		size_t n = 0;

		if (s.p[i] == '&')
			n = html_entity_read(s, i, true, &cp);
		if (n > 0 && cp >= 0x20)
			buf_utf8(&b, cp);
		else if (n > 0 && cp >= '\t' && cp <= '\r')
			buf_char(&b, '\n');
		else if (n == 0 && (cp >= 0x20 || cp == '\n' || cp == '\t'))
			buf_char(&b, s.p[i]);
		i += n > 0 ? n : 1;
	}
	return buf_view(&b);
}

/* In the order of strcmp(3). */
static const struct html_element elements[] = {
	{ .name = "a",
	    .is = HTML_FORMAT | HTML_LOOKS,
	    .group = HTML_LINK,
	    .open = html_link_open,
	    .close = html_link_close },
	{ .name = "address", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "applet", .is = HTML_SCOPE | HTML_MARK },
	{ .name = "area", .is = HTML_VOID },
	{ .name = "article", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "aside", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "audio", .is = HTML_DROP },
	{ .name = "b", .is = HTML_FORMAT },
	{ .name = "base", .is = HTML_VOID | HTML_ODD },
	{ .name = "bdo", .is = HTML_LOOKS },
	{ .name = "big", .is = HTML_FORMAT | HTML_LOOKS },
	{ .name = "blockquote",
	    .is = HTML_BLOCK,
	    .lines = 2,
	    .open = open_quote,
	    .close = close_quote },
	{ .name = "body", .is = HTML_SCOPE | HTML_ODD, .lines = 1 },
	{ .name = "br", .is = HTML_VOID, .open = open_br },
	{ .name = "button",
	    .is = HTML_CONTROL | HTML_LOOKS,
	    .group = HTML_BUTTON },
	{ .name = "canvas", .is = HTML_DROP },
	{ .name = "caption",
	    .is = HTML_SCOPE | HTML_MARK,
	    .group = HTML_ROWS,
	    .lines = 1 },
	{ .name = "center", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "code", .is = HTML_FORMAT | HTML_LOOKS },
	{ .name = "col", .is = HTML_VOID },
	{ .name = "colgroup", .is = HTML_TABLE, .group = HTML_ROWS },
	{ .name = "datalist", .is = HTML_DROP },
	{ .name = "dd", .is = HTML_BLOCK, .group = HTML_TERM, .lines = 1 },
	{ .name = "details", .is = HTML_BLOCK | HTML_ODD, .lines = 1 },
	{ .name = "dialog", .is = HTML_BLOCK | HTML_LOOKS, .lines = 1 },
	{ .name = "dir",
	    .is = HTML_BLOCK,
	    .open = open_list,
	    .close = close_list },
	{ .name = "div", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "dl", .is = HTML_BLOCK, .lines = 2 },
	{ .name = "dt", .is = HTML_BLOCK, .group = HTML_TERM, .lines = 1 },
	{ .name = "em", .is = HTML_FORMAT },
	{ .name = "embed", .is = HTML_VOID },
	{ .name = "fieldset", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "figcaption", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "figure", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "font", .is = HTML_FORMAT },
	{ .name = "footer", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "form", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "frame", .is = HTML_ODD },
	{ .name = "frameset", .is = HTML_ODD },
	{ .name = "h1",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .group = HTML_HEADING,
	    .lines = 2 },
	{ .name = "h2",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .group = HTML_HEADING,
	    .lines = 2 },
	{ .name = "h3",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .group = HTML_HEADING,
	    .lines = 2 },
	{ .name = "h4", .is = HTML_BLOCK, .group = HTML_HEADING, .lines = 2 },
	{ .name = "h5",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .group = HTML_HEADING,
	    .lines = 2 },
	{ .name = "h6",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .group = HTML_HEADING,
	    .lines = 2 },
	{ .name = "head", .is = HTML_ODD },
	{ .name = "header", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "hgroup", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "hr", .is = HTML_BLOCK | HTML_VOID, .lines = 2 },
	{ .name = "html", .is = HTML_SCOPE | HTML_ODD },
	{ .name = "i", .is = HTML_FORMAT },
	{ .name = "iframe", .is = HTML_RAW },
	{ .name = "img", .is = HTML_VOID, .open = html_image },
	{ .name = "input", .is = HTML_VOID },
	{ .name = "legend", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "li",
	    .is = HTML_BLOCK,
	    .group = HTML_ITEM,
	    .open = open_li,
	    .close = close_li },
	{ .name = "link", .is = HTML_VOID },
	{ .name = "listing",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2,
	    .open = open_pre },
	{ .name = "main", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "mark", .is = HTML_LOOKS },
	{ .name = "marquee", .is = HTML_SCOPE | HTML_MARK },
	{ .name = "math", .is = HTML_FOREIGN },
	{ .name = "menu",
	    .is = HTML_BLOCK,
	    .open = open_list,
	    .close = close_list },
	{ .name = "meta", .is = HTML_VOID },
	{ .name = "nav", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "nobr", .is = HTML_FORMAT, .group = HTML_LINK },
	{ .name = "noembed", .is = HTML_RAW },
	{ .name = "noframes", .is = HTML_RAW },
	{ .name = "object", .is = HTML_SCOPE | HTML_MARK },
	{ .name = "ol",
	    .is = HTML_BLOCK | HTML_LIST,
	    .open = open_list,
	    .close = close_list },
	{ .name = "optgroup", .lines = 1 },
	{ .name = "option", .group = HTML_OPTION, .lines = 1 },
	{ .name = "p", .is = HTML_BLOCK, .lines = 2 },
	{ .name = "param", .is = HTML_VOID },
	{ .name = "plaintext",
	    .is = HTML_RAW | HTML_SHOWN | HTML_BLOCK,
	    .lines = 1 },
	{ .name = "pre",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2,
	    .open = open_pre },
	{ .name = "rp", .is = HTML_DROP },
	{ .name = "s", .is = HTML_FORMAT },
	{ .name = "script", .is = HTML_RAW },
	{ .name = "search", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "section", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "select", .is = HTML_CONTROL },
	{ .name = "small", .is = HTML_FORMAT | HTML_LOOKS },
	{ .name = "source", .is = HTML_VOID },
	{ .name = "strike", .is = HTML_FORMAT },
	{ .name = "strong", .is = HTML_FORMAT },
	{ .name = "style", .is = HTML_RAW },
	{ .name = "sub", .is = HTML_LOOKS },
	{ .name = "summary", .is = HTML_BLOCK, .lines = 1 },
	{ .name = "sup", .is = HTML_LOOKS },
	{ .name = "svg", .is = HTML_FOREIGN },
	{ .name = "table",
	    .is = HTML_SCOPE | HTML_TABLE | HTML_LOOKS,
	    .lines = 1 },
	{ .name = "tbody", .is = HTML_TABLE, .group = HTML_ROWS, .lines = 1 },
	{ .name = "td",
	    .is = HTML_SCOPE | HTML_MARK,
	    .group = HTML_CELL,
	    .open = open_cell },
	{ .name = "template", .is = HTML_DROP | HTML_SCOPE | HTML_MARK },
	{ .name = "textarea",
	    .is = HTML_RAW | HTML_SHOWN | HTML_LOOKS,
	    .open = open_pre },
	{ .name = "tfoot", .is = HTML_TABLE, .group = HTML_ROWS, .lines = 1 },
	{ .name = "th",
	    .is = HTML_SCOPE | HTML_MARK,
	    .group = HTML_CELL,
	    .open = open_cell },
	{ .name = "thead", .is = HTML_TABLE, .group = HTML_ROWS, .lines = 1 },
	{ .name = "title", .is = HTML_RAW },
	{ .name = "tr",
	    .is = HTML_TABLE,
	    .group = HTML_ROW,
	    .lines = 1,
	    .open = open_row,
	    .close = close_row },
	{ .name = "track", .is = HTML_VOID },
	{ .name = "tt", .is = HTML_FORMAT },
	{ .name = "u", .is = HTML_FORMAT },
	{ .name = "ul",
	    .is = HTML_BLOCK | HTML_LIST,
	    .open = open_list,
	    .close = close_list },
	{ .name = "video", .is = HTML_DROP },
	{ .name = "wbr", .is = HTML_VOID },
	{ .name = "xmp",
	    .is = HTML_RAW | HTML_SHOWN | HTML_BLOCK | HTML_LOOKS,
	    .lines = 2,
	    .open = open_pre },
};

/* name is padded with NUL, as the table's are. */
const struct html_element *
html_element_find(const char name[16])
{
	size_t lo = 0, hi = sizeof(elements) / sizeof(elements[0]);

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = name[0] - elements[mid].name[0];

		if (c == 0)
			c = memcmp(name, elements[mid].name,
			    sizeof(elements[mid].name));

		if (c == 0)
			return &elements[mid];
		if (c < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}
