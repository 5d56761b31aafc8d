/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meaning of each HTML element for text: one row an element, one function
 * for each kind of behaviour.  An element without a row only passes its content
 * on.
 */
#include <string.h>

#include "html/tree.h"

/* Counters stop here: nesting may be as deep as the mail is long. */
#define DEPTH_MAX 1000000

static void
html_element_up(int *depth)
{
	if (*depth < DEPTH_MAX)
		(*depth)++;
}

static void
html_element_down(int *depth)
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
html_element_open_list(struct html *h, const struct html_tag *t)
{
	(void)t;
	/* A list within a list continues it. */
	html_out_lines(h, h->lists > 0 ? 1 : 2);
	html_element_up(&h->lists);
}

static void
close_list(struct html *h)
{
	html_element_down(&h->lists);
	h->bullet = false;
	html_out_lines(h, h->lists > 0 ? 1 : 2);
}

static void
html_element_open_li(struct html *h, const struct html_tag *t)
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
	html_element_up(&h->quotes);
}

static void
close_quote(struct html *h)
{
	html_element_down(&h->quotes);
}

static void
open_pre(struct html *h, const struct html_tag *t)
{
	(void)t;
	h->pre_new = true;
}

static struct html_node *
html_element_top(struct html *h)
{
	return h->node[h->depth - 1];
}

static void
open_row(struct html *h, const struct html_tag *t)
{
	(void)t;
	html_element_top(h)->row_line = h->cells > 0 ? h->line : h->line + 1;
}

static void
html_element_close_row(struct html *h)
{
	h->cells = 0;
	/*
	 * After a row with several cells, the next row needs only one line end.
	 */
	if (html_element_top(h)->data &&
	    h->line == html_element_top(h)->row_line && h->lines > 1)
		h->lines = 1;
}

/* The innermost open element with that name around a cell. */
static struct html_node *
html_element_around(struct html *h, enum html_name name)
{
	for (size_t i = h->depth - 1; i-- > 0;)
		if (html_is(h->node[i]->kind, name))
			return h->node[i];
		else if (html_is(h->node[i]->kind, HTML_N_TABLE))
			break;
	return NULL;
}

static void
html_element_open_cell(struct html *h, const struct html_tag *t)
{
	struct html_node *row = html_element_around(h, HTML_N_TR);
	struct html_node *table = html_element_around(h, HTML_N_TABLE);

	if (table != NULL && html_is(t->kind, HTML_N_TH))
		table->data = true;
	if (row != NULL && html_element_top(h)->e.nth > 1)
		html_out_cell(h, row->row_line, table != NULL && table->data);
	if (row != NULL && h->cells > 0)
		row->data = true;
}

/* The end of the plain text from i on: no "&", and no control except two. */
static size_t
html_element_skip_plain(struct str s, size_t i)
{
	while (i < s.n &&
	    (((unsigned char)s.p[i] >= ' ' && s.p[i] != '&') ||
		s.p[i] == '\n' || s.p[i] == '\t'))
		i++;
	return i;
}

/* "&nGt;", of two characters, is one byte shorter than its meaning. */
struct str
html_element_value(struct arena *a, struct str s)
{
	size_t i = html_element_skip_plain(s, 0), from = 0;
	struct buf b;

	if (i == s.n)
		return s;
	buf_init(&b, a, 2 * s.n + 4);
	(void)buf_reserve(&b, s.n);
	while (i < s.n) {
		uint32_t cp[2] = { (unsigned char)s.p[i], 0 };
		size_t n = 0;

		buf_add(&b, s.p + from, i - from);
		if (s.p[i] == '&')
			n = html_entity_read(s, i, true, cp);
		if (n > 0 && cp[0] >= 0x20)
			buf_utf8(&b, cp[0]);
		else if (n > 0 && cp[0] >= '\t' && cp[0] <= '\r')
			buf_char(&b, '\n');
		else if (n == 0 && s.p[i] == '&')
			buf_char(&b, '&');
		if (cp[1] != 0)
			buf_utf8(&b, cp[1]);
		from = i + (n > 0 ? n : 1);
		i = html_element_skip_plain(s, from);
	}
	buf_add(&b, s.p + from, i - from);
	return buf_view(&b);
}

const struct html_element html_element_table[HTML_NAMES] = {
	[HTML_N_A] = { .name = "a",
	    .is = HTML_LOOKS,
	    .open = html_link_open,
	    .close = html_link_close },
	[HTML_N_ADDRESS] = { .name = "address", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_ANNOTATION_XML] = { .name = "annotation-xml" },
	[HTML_N_APPLET] = { .name = "applet" },
	[HTML_N_AREA] = { .name = "area", .is = HTML_VOID },
	[HTML_N_ARTICLE] = { .name = "article", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_ASIDE] = { .name = "aside", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_AUDIO] = { .name = "audio", .is = HTML_DROP },
	[HTML_N_B] = { .name = "b" },
	[HTML_N_BASE] = { .name = "base", .is = HTML_VOID },
	[HTML_N_BASEFONT] = { .name = "basefont", .is = HTML_VOID },
	[HTML_N_BDO] = { .name = "bdo", .is = HTML_LOOKS },
	[HTML_N_BGSOUND] = { .name = "bgsound", .is = HTML_VOID },
	[HTML_N_BIG] = { .name = "big", .is = HTML_LOOKS },
	[HTML_N_BLOCKQUOTE] = { .name = "blockquote",
	    .is = HTML_BLOCK,
	    .lines = 2,
	    .open = open_quote,
	    .close = close_quote },
	[HTML_N_BODY] = { .name = "body", .lines = 1 },
	[HTML_N_BR] = { .name = "br", .is = HTML_VOID, .open = open_br },
	[HTML_N_BUTTON] = { .name = "button", .is = HTML_LOOKS },
	[HTML_N_CANVAS] = { .name = "canvas", .is = HTML_DROP },
	[HTML_N_CAPTION] = { .name = "caption", .lines = 1 },
	[HTML_N_CENTER] = { .name = "center", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_CODE] = { .name = "code", .is = HTML_LOOKS },
	[HTML_N_COL] = { .name = "col", .is = HTML_VOID },
	[HTML_N_COLGROUP] = { .name = "colgroup", .is = HTML_TABLE },
	[HTML_N_DATALIST] = { .name = "datalist", .is = HTML_DROP },
	[HTML_N_DD] = { .name = "dd", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_DESC] = { .name = "desc" },
	[HTML_N_DETAILS] = { .name = "details", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_DIALOG] = { .name = "dialog",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 1 },
	[HTML_N_DIR] = { .name = "dir",
	    .is = HTML_BLOCK,
	    .open = html_element_open_list,
	    .close = close_list },
	[HTML_N_DIV] = { .name = "div", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_DL] = { .name = "dl", .is = HTML_BLOCK, .lines = 2 },
	[HTML_N_DT] = { .name = "dt", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_EM] = { .name = "em" },
	[HTML_N_EMBED] = { .name = "embed", .is = HTML_VOID },
	[HTML_N_FIELDSET] = { .name = "fieldset",
	    .is = HTML_BLOCK,
	    .lines = 1 },
	[HTML_N_FIGCAPTION] = { .name = "figcaption",
	    .is = HTML_BLOCK,
	    .lines = 1 },
	[HTML_N_FIGURE] = { .name = "figure", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_FONT] = { .name = "font" },
	[HTML_N_FOOTER] = { .name = "footer", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_FOREIGNOBJECT] = { .name = "foreignobject" },
	[HTML_N_FORM] = { .name = "form", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_FRAME] = { .name = "frame" },
	[HTML_N_FRAMESET] = { .name = "frameset" },
	[HTML_N_H1] = { .name = "h1",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2 },
	[HTML_N_H2] = { .name = "h2",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2 },
	[HTML_N_H3] = { .name = "h3",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2 },
	[HTML_N_H4] = { .name = "h4", .is = HTML_BLOCK, .lines = 2 },
	[HTML_N_H5] = { .name = "h5",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2 },
	[HTML_N_H6] = { .name = "h6",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2 },
	[HTML_N_HEAD] = { .name = "head" },
	[HTML_N_HEADER] = { .name = "header", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_HGROUP] = { .name = "hgroup", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_HR] = { .name = "hr",
	    .is = HTML_BLOCK | HTML_VOID,
	    .lines = 2 },
	[HTML_N_HTML] = { .name = "html" },
	[HTML_N_I] = { .name = "i" },
	[HTML_N_IFRAME] = { .name = "iframe", .is = HTML_RAW },
	[HTML_N_IMAGE] = { .name = "image", .is = HTML_VOID },
	[HTML_N_IMG] = { .name = "img", .is = HTML_VOID, .open = html_image },
	[HTML_N_INPUT] = { .name = "input", .is = HTML_VOID },
	[HTML_N_KEYGEN] = { .name = "keygen", .is = HTML_VOID },
	[HTML_N_LEGEND] = { .name = "legend", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_LI] = { .name = "li",
	    .is = HTML_BLOCK,
	    .open = html_element_open_li,
	    .close = close_li },
	[HTML_N_LINK] = { .name = "link", .is = HTML_VOID },
	[HTML_N_LISTING] = { .name = "listing",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2,
	    .open = open_pre },
	[HTML_N_MAIN] = { .name = "main", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_MALIGNMARK] = { .name = "malignmark" },
	[HTML_N_MARK] = { .name = "mark", .is = HTML_LOOKS },
	[HTML_N_MARQUEE] = { .name = "marquee" },
	[HTML_N_MATH] = { .name = "math", .is = HTML_FOREIGN },
	[HTML_N_MENU] = { .name = "menu",
	    .is = HTML_BLOCK,
	    .open = html_element_open_list,
	    .close = close_list },
	[HTML_N_META] = { .name = "meta", .is = HTML_VOID },
	[HTML_N_METER] = { .name = "meter", .is = HTML_DROP },
	[HTML_N_MGLYPH] = { .name = "mglyph" },
	[HTML_N_MI] = { .name = "mi" },
	[HTML_N_MN] = { .name = "mn" },
	[HTML_N_MO] = { .name = "mo" },
	[HTML_N_MS] = { .name = "ms" },
	[HTML_N_MTEXT] = { .name = "mtext" },
	[HTML_N_NAV] = { .name = "nav", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_NOBR] = { .name = "nobr" },
	[HTML_N_NOEMBED] = { .name = "noembed", .is = HTML_RAW },
	[HTML_N_NOFRAMES] = { .name = "noframes", .is = HTML_RAW },
	[HTML_N_NOSCRIPT] = { .name = "noscript" },
	[HTML_N_OBJECT] = { .name = "object" },
	[HTML_N_OL] = { .name = "ol",
	    .is = HTML_BLOCK,
	    .open = html_element_open_list,
	    .close = close_list },
	[HTML_N_OPTGROUP] = { .name = "optgroup", .lines = 1 },
	[HTML_N_OPTION] = { .name = "option", .lines = 1 },
	[HTML_N_P] = { .name = "p", .is = HTML_BLOCK, .lines = 2 },
	[HTML_N_PARAM] = { .name = "param", .is = HTML_VOID },
	[HTML_N_PLAINTEXT] = { .name = "plaintext",
	    .is = HTML_RAW | HTML_SHOWN | HTML_BLOCK,
	    .lines = 1 },
	[HTML_N_PRE] = { .name = "pre",
	    .is = HTML_BLOCK | HTML_LOOKS,
	    .lines = 2,
	    .open = open_pre },
	[HTML_N_PROGRESS] = { .name = "progress", .is = HTML_DROP },
	[HTML_N_RB] = { .name = "rb" },
	[HTML_N_RP] = { .name = "rp", .is = HTML_DROP },
	[HTML_N_RT] = { .name = "rt" },
	[HTML_N_RTC] = { .name = "rtc" },
	[HTML_N_RUBY] = { .name = "ruby" },
	[HTML_N_S] = { .name = "s" },
	[HTML_N_SCRIPT] = { .name = "script", .is = HTML_RAW },
	[HTML_N_SEARCH] = { .name = "search", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_SECTION] = { .name = "section", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_SELECT] = { .name = "select" },
	[HTML_N_SMALL] = { .name = "small", .is = HTML_LOOKS },
	[HTML_N_SOURCE] = { .name = "source", .is = HTML_VOID },
	[HTML_N_SPAN] = { .name = "span" },
	[HTML_N_STRIKE] = { .name = "strike" },
	[HTML_N_STRONG] = { .name = "strong" },
	[HTML_N_STYLE] = { .name = "style", .is = HTML_RAW },
	[HTML_N_SUB] = { .name = "sub", .is = HTML_LOOKS },
	[HTML_N_SUMMARY] = { .name = "summary", .is = HTML_BLOCK, .lines = 1 },
	[HTML_N_SUP] = { .name = "sup", .is = HTML_LOOKS },
	[HTML_N_SVG] = { .name = "svg", .is = HTML_FOREIGN },
	[HTML_N_TABLE] = { .name = "table",
	    .is = HTML_TABLE | HTML_LOOKS,
	    .lines = 1 },
	[HTML_N_TBODY] = { .name = "tbody", .is = HTML_TABLE, .lines = 1 },
	[HTML_N_TD] = { .name = "td", .open = html_element_open_cell },
	[HTML_N_TEMPLATE] = { .name = "template", .is = HTML_DROP },
	[HTML_N_TEXTAREA] = { .name = "textarea",
	    .is = HTML_RAW | HTML_SHOWN | HTML_LOOKS,
	    .open = open_pre },
	[HTML_N_TFOOT] = { .name = "tfoot", .is = HTML_TABLE, .lines = 1 },
	[HTML_N_TH] = { .name = "th", .open = html_element_open_cell },
	[HTML_N_THEAD] = { .name = "thead", .is = HTML_TABLE, .lines = 1 },
	[HTML_N_TITLE] = { .name = "title", .is = HTML_RAW },
	[HTML_N_TR] = { .name = "tr",
	    .is = HTML_TABLE,
	    .lines = 1,
	    .open = open_row,
	    .close = html_element_close_row },
	[HTML_N_TRACK] = { .name = "track", .is = HTML_VOID },
	[HTML_N_TT] = { .name = "tt" },
	[HTML_N_U] = { .name = "u" },
	[HTML_N_UL] = { .name = "ul",
	    .is = HTML_BLOCK,
	    .open = html_element_open_list,
	    .close = close_list },
	[HTML_N_VAR] = { .name = "var" },
	[HTML_N_VIDEO] = { .name = "video", .is = HTML_DROP },
	[HTML_N_WBR] = { .name = "wbr", .is = HTML_VOID },
	[HTML_N_XMP] = { .name = "xmp",
	    .is = HTML_RAW | HTML_SHOWN | HTML_BLOCK | HTML_LOOKS,
	    .lines = 2,
	    .open = open_pre },
};

/* The most common tags, by two letters.  A collision does not compile. */
#define LIKELY(x, y) ((5 * (unsigned)(x) + (unsigned)(y)) & 127)
static const unsigned char likely[128] = {
	[LIKELY('a', '\0')] = HTML_N_A,
	[LIKELY('b', '\0')] = HTML_N_B,
	[LIKELY('b', 'o')] = HTML_N_BODY,
	[LIKELY('b', 'r')] = HTML_N_BR,
	[LIKELY('c', 'e')] = HTML_N_CENTER,
	[LIKELY('d', 'i')] = HTML_N_DIV,
	[LIKELY('e', 'm')] = HTML_N_EM,
	[LIKELY('f', 'o')] = HTML_N_FONT,
	[LIKELY('h', '1')] = HTML_N_H1,
	[LIKELY('h', '2')] = HTML_N_H2,
	[LIKELY('i', '\0')] = HTML_N_I,
	[LIKELY('i', 'm')] = HTML_N_IMG,
	[LIKELY('l', 'i')] = HTML_N_LI,
	[LIKELY('m', 'e')] = HTML_N_META,
	[LIKELY('p', '\0')] = HTML_N_P,
	[LIKELY('s', 'p')] = HTML_N_SPAN,
	[LIKELY('s', 't')] = HTML_N_STRONG,
	[LIKELY('t', 'a')] = HTML_N_TABLE,
	[LIKELY('t', 'b')] = HTML_N_TBODY,
	[LIKELY('t', 'd')] = HTML_N_TD,
	[LIKELY('t', 'h')] = HTML_N_TH,
	[LIKELY('t', 'r')] = HTML_N_TR,
	[LIKELY('u', 'l')] = HTML_N_UL,
};

/* name is padded with NUL, as in the table. */
const struct html_element *
html_element_find(const char name[16])
{
	/* The index of the first name with each letter. */
	static const unsigned char begin[] = { HTML_N_A, HTML_N_B,
		HTML_N_CANVAS, HTML_N_DATALIST, HTML_N_EM, HTML_N_FIELDSET,
		HTML_N_H1, HTML_N_H1, HTML_N_I, HTML_N_KEYGEN, HTML_N_KEYGEN,
		HTML_N_LEGEND, HTML_N_MAIN, HTML_N_NAV, HTML_N_OBJECT, HTML_N_P,
		HTML_N_RB, HTML_N_RB, HTML_N_S, HTML_N_TABLE, HTML_N_U,
		HTML_N_VAR, HTML_N_WBR, HTML_N_XMP, HTML_NAMES, HTML_NAMES,
		HTML_NAMES };
	unsigned k = (unsigned)name[0] - 'a';
	size_t first;

	if (k > 'z' - 'a')
		return NULL;
	first = likely[LIKELY(name[0], name[1])];
	if (html_element_same(name, html_element_table[first].name))
		return &html_element_table[first];
	for (size_t i = begin[k]; i < begin[k + 1]; i++)
		if (html_element_same(name, html_element_table[i].name))
			return &html_element_table[i];
	return NULL;
}
