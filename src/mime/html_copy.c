/* SPDX-License-Identifier: Apache-2.0 */
/* The same text once more, as HTML. */
#include "mime/html_copy.h"

#include "base/buf.h"
#include "base/clean.h"
#include "base/limits.h"
#include "mime/internal.h"
#include "mime/quote.h"

/* The page on its way out. */
struct html_copy {
	struct arena *a;
	struct buf b;
	size_t depth; /* open blockquotes */
	bool open;    /* a paragraph is */
};

/* A space that a browser would join with the one before it stays. */
static void
html_copy_put_text(struct html_copy *h, struct str s, bool first)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool space = c == ' ' &&
		    (i > 0 ? str_has_char(S(" \t"), s.p[i - 1]) : first);

		if (space)
			buf_text(&h->b, "&#160;");
		else if (c == '\t')
			buf_text(&h->b, "&#160;&#160;&#160; ");
		else if (c == '&')
			buf_text(&h->b, "&amp;");
		else if (c == '<')
			buf_text(&h->b, "&lt;");
		else if (c == '>')
			buf_text(&h->b, "&gt;");
		else if (c == '"')
			buf_text(&h->b, "&quot;");
		else if (c == '\'')
			buf_text(&h->b, "&#39;");
		else
			buf_char(&h->b, c);
	}
}

/* The bytes of its scheme, with the colon; 0: it becomes no link. */
static size_t
html_copy_scheme(struct str s)
{
	static const struct str schemes[] = { SI("https://"), SI("http://"),
		SI("mailto:") };

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (str_starts_case(s, schemes[i]))
			return schemes[i].n;
	return 0;
}

/* Up to white space, a quotation mark or an angle bracket. */
static size_t
html_copy_link_length(struct str s)
{
	size_t n = 0, opened = 0, closed = 0;

	while (n < s.n && (unsigned char)s.p[n] > ' ' && s.p[n] != 0x7f &&
	    !str_has_char(S("<>\""), s.p[n])) {
		opened += s.p[n] == '(';
		closed += s.p[n] == ')';
		n++;
	}
	/* The end of a sentence, or of what is in parentheses. */
	for (; n > 0; n--) {
		bool last = s.p[n - 1] == ')';

		if (last ? closed <= opened
			 : !str_has_char(S(".,;:!?'"), s.p[n - 1]))
			break;
		closed -= last;
	}
	return n;
}

/* One with a character that nobody sees is no link. */
static bool
html_copy_is_link(struct html_copy *h, struct str s)
{
	size_t scheme = html_copy_scheme(s), unseen = 0;

	(void)clean_text(h->a, s, &unseen);
	return unseen == 0 && scheme > 0 && s.n > scheme;
}

static void
html_copy_put_link(struct html_copy *h, struct str s)
{
	buf_text(&h->b, "<a href=\"");
	html_copy_put_text(h, s, false);
	buf_text(&h->b, "\">");
	html_copy_put_text(h, s, false);
	buf_text(&h->b, "</a>");
}

static bool
html_copy_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

static void
html_copy_put_words(struct html_copy *h, struct str s)
{
	size_t from = 0, i = 0;

	while (i < s.n && !h->b.over) {
		struct str rest = str_from(s, i);
		size_t n = 0;

		if (i == 0 || !html_copy_is_word(s.p[i - 1]))
			n = html_copy_scheme(rest);
		if (n > 0)
			n = html_copy_link_length(rest);
		if (n == 0) {
			i++;
			continue;
		}
		if (html_copy_is_link(h, str_first(rest, n))) {
			html_copy_put_text(h,
			    str_first(str_from(s, from), i - from), from == 0);
			html_copy_put_link(h, str_first(rest, n));
			from = i + n;
		}
		i += n;
	}
	html_copy_put_text(h, str_from(s, from), from == 0);
}

static void
html_copy_end_paragraph(struct html_copy *h)
{
	if (h->open)
		buf_text(&h->b, "</p>\n");
	h->open = false;
}

static void
html_copy_set_depth(struct html_copy *h, size_t depth)
{
	if (depth != h->depth)
		html_copy_end_paragraph(h);
	for (; h->depth > depth; h->depth--)
		buf_text(&h->b, "</blockquote>\n");
	for (; h->depth < depth; h->depth++)
		buf_text(&h->b, "<blockquote type=\"cite\">\n");
}

static void
html_copy_put_line(struct html_copy *h, struct str line)
{
	html_copy_set_depth(h, quote_take_marks(&line));
	if (str_trim(line).n == 0) {
		html_copy_end_paragraph(h);
		return;
	}
	buf_text(&h->b, h->open ? "<br>\n" : "<p>");
	h->open = true;
	html_copy_put_words(h, line);
}

struct str
html_copy(struct arena *a, struct str text, bool flowed)
{
	struct html_copy h = { .a = a };

	buf_init(&h.b, a, LIMIT_OUTGOING);
	buf_text(&h.b,
	    "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head>"
	    "<body>\n");
	if (flowed)
		text = flowed_join(a, text, false);
	while (text.n > 0 && !h.b.over)
		html_copy_put_line(&h, compose_body_next_line(&text));
	html_copy_set_depth(&h, 0);
	html_copy_end_paragraph(&h);
	buf_text(&h.b, "</body></html>\n");
	return h.b.over ? (struct str){ NULL, 0 } : buf_view(&h.b);
}
