/*
 * HTML to text in two passes of one tokenizer: the first finds style sheets,
 * which may stand behind what they speak of, the second shows what is seen.
 */
#include <string.h>

#include "mime/html_tree.h"

#define WORK_MAX (64UL << 20) /* steps of matching, for any page */
#define WORK_MIN (1UL << 20)  /* for the smallest */

/* The first "<" from i on, or the end. */
static size_t
find(struct str s, size_t i)
{
	const char *p = i < s.n ? memchr(s.p + i, '<', s.n - i) : NULL;

	return p != NULL ? (size_t)(p - s.p) : s.n;
}

static bool
is_sheet(struct str tag)
{
	char c;

	if (tag.n == 0)
		return false;
	c = tag.p[0];
	return ((c == 's' || c == 'S') && str_starts_case(tag, S("style"))) ||
	    ((c == 'l' || c == 'L') && str_starts_case(tag, S("link")));
}

/* Behind the last "<" that may be a sheet's, wherever it stands; or 0. */
static size_t
sheets_end(struct str s)
{
	size_t i = 0, end = 0;

	for (;; i++) {
		i = find(s, i);
		if (i == s.n)
			return end;
		if (is_sheet(str_from(s, i + 1)))
			end = i + 1;
	}
}

/* The first pass: style sheets, which may stand behind what they speak of. */
static void
collect(struct html *h, struct str s)
{
	size_t i = 0, next, inert = 0, end = sheets_end(s);
	struct html_tag t = { 0 };
	struct str inside;
	bool is_tag;

	for (;;) {
		i = find(s, i);
		if (i >= end)
			return;
		next = html_token(s, i, &t, &is_tag, &inside);
		i = next > i ? next : i + 1;
		if (!is_tag)
			continue;
		if (html_is(t.kind, HTML_N_TEMPLATE))
			inert = !t.closing ? inert + 1
			    : inert > 0    ? inert - 1
					   : 0;
		else if (inert == 0 && !t.closing &&
		    (html_is(t.kind, HTML_N_STYLE) ||
			html_is(t.kind, HTML_N_LINK)))
			html_style_sheet(h, &t, inside);
	}
}

static bool
is_in_table(const struct html *h)
{
	const struct html_element *top = h->node[h->depth - 1]->kind;

	return top != NULL && (top->is & HTML_TABLE);
}

/* Text at this place: shown, or counted where it is hidden. */
static void
text(struct html *h, struct str s)
{
	struct html_node *n;

	if (h->lost) {
		if (html_unseen_words(s))
			h->found->hidden[HTML_HIDDEN_UNKNOWN]++;
		/* One run for all of it. */
		return;
	}
	/* White space between cells is none. */
	if (h->waits > 0 && (!is_in_table(h) || css_text_trim(s).n > 0))
		html_format_again(h);
	n = html_tree_here(h);
	if (n->closed_details && !n->style.hidden) {
		if (html_unseen_words(s) && !n->counted)
			h->found->hidden[HTML_HIDDEN_DISPLAY]++;
		n->counted |= html_unseen_words(s);
		return;
	}
	if (n->doubtful) {
		if (!n->counted && html_unseen_words(s)) {
			h->found->hidden[HTML_HIDDEN_UNKNOWN]++;
			n->counted = true;
		}
		return;
	}
	if (n->style.hidden) {
		if ((n->root == NULL || !n->root->counted) &&
		    html_unseen_words(s))
			html_unseen_count(h, n);
		return;
	}
	h->pre = n->style.pre;
	html_out_text(h, s);
}

/* HTML 13.2.6.4.1, as much of it as mail shows. */
static bool
is_standard(struct str doctype)
{
	if (str_find_case(doctype, S("public")) < 0)
		return str_starts_case(doctype, S("<!doctype html"));
	return str_find_case(doctype, S("DTD XHTML 1")) >= 0 ||
	    str_find_case(doctype, S("HTML 4.01//")) >= 0 ||
	    (str_find_case(doctype, S("HTML 4.01 ")) >= 0 &&
		str_find_case(doctype, S("http:")) >= 0);
}

static void
comment(struct html *h, struct str s)
{
	if (!h->began && str_starts_case(s, S("<!doctype"))) {
		h->began = true;
		h->quirks = !is_standard(s);
	}
	/* "<!doctype", "<?xml" and "<![if" are for programs. */
	if (str_starts_case(s, S("<!doctype")) ||
	    str_starts_case(s, S("<?xml")) || str_starts_case(s, S("<![if")) ||
	    str_starts_case(s, S("<![endif")))
		return;
	if (str_starts(s, S("<!--"))) {
		s = str_from(s, 4);
		s.n -= s.n >= 3 && str_ends(s, S("-->")) ? 3 : 0;
	} else {
		s = str_from(s, 2);
		s.n -= str_ends(s, S(">"));
	}
	html_unseen_comment(h, s);
}

/* What stands in a raw element. */
static void
raw(struct html *h, const struct html_element *e, struct str s)
{
	if (e->is & HTML_SHOWN) {
		text(h, s);
		return;
	}
	/* Nobody sees what an <iframe> holds for old browsers. */
	if ((html_is(e, HTML_N_IFRAME) || html_is(e, HTML_N_NOEMBED) ||
		html_is(e, HTML_N_NOFRAMES)) &&
	    html_unseen_words(s))
		h->found->hidden[HTML_HIDDEN_DISPLAY]++;
}

static bool
is_foreign(const struct html *h)
{
	for (size_t i = h->depth; i-- > 0;)
		if (h->node[i]->kind != NULL &&
		    (h->node[i]->kind->is & HTML_FOREIGN))
			return true;
	return false;
}

/* Elements of no look of their own; true when that is all. */
static bool
is_odd(struct html *h, const struct html_tag *t)
{
	struct str base;

	if (html_is(t->kind, HTML_N_FRAMESET))
		h->lost = true;
	if (html_is(t->kind, HTML_N_BASE) && h->base.n == 0) {
		base = html_element_value(h->a, t->attr[HTML_A_HREF]);
		h->base = base.n <= 256 ? base : S("");
	}
	return html_is(t->kind, HTML_N_HEAD) || html_is(t->kind, HTML_N_FRAME);
}

static void
start(struct html *h, const struct html_tag *t, struct str inside)
{
	const struct html_element *e = t->kind;

	/* Within SVG other rules hold for these, and for all that follows. */
	if (e != NULL && (e->is & HTML_RAW) && is_foreign(h))
		h->lost = true;
	if (e != NULL && (e->is & HTML_ODD) && is_odd(h, t))
		return;
	if (e != NULL && (e->is & HTML_VOID)) {
		html_tree_imply(h, e);
		struct html_node *n = html_tree_here(h);

		if (n->style.gone || h->lost || n->closed_details)
			return;
		if (e->lines > 0)
			html_out_lines(h, e->lines);
		if (e->open != NULL)
			e->open(h, t);
		return;
	}
	if (e != NULL && (e->is & HTML_RAW) && !(e->is & HTML_SHOWN)) {
		raw(h, e, inside);
		return;
	}
	html_tree_open(h, t);
	if (e != NULL && (e->is & HTML_RAW)) {
		raw(h, e, inside);
		html_tree_close(h, t);
	}
}

static void
end(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;

	if (e == NULL || !(e->is & (HTML_VOID | HTML_RAW | HTML_ODD))) {
		html_tree_close(h, t);
		return;
	}
	if (html_is(e, HTML_N_BR))
		html_out_break(h); /* as browsers do */
	if (html_is(e, HTML_N_DETAILS))
		html_tree_close(h, t);
}

static void
walk(struct html *h, struct str s)
{
	struct html_tag t = { 0 };
	struct str inside;
	bool is_tag;
	size_t i = 0, next;

	while (i < s.n && !h->out.over) {
		if (s.p[i] != '<') {
			next = find(s, i);
			h->began = h->began ||
			    css_text_trim((struct str){ s.p + i, next - i }).n >
				0;
			text(h, (struct str){ s.p + i, next - i });
			i = next;
			continue;
		}
		next = html_token(s, i, &t, &is_tag, &inside);
		h->began |= is_tag || next == i;
		if (next == i) {
			text(h, S("<"));
			next++;
		} else if (!is_tag) {
			comment(h, inside);
		} else if (t.closing) {
			end(h, &t);
		} else {
			start(h, &t, inside);
		}
		i = next;
	}
}

/* All of it, once.  The scratch is as large as a page's own. */
static struct html *
read_all(struct arena *a, struct str html, size_t max, bool careful,
    struct html_found *found)
{
	struct html *h = arena_new(a, struct html);

	memset(found, 0, sizeof(*found));
	h->a = h->sheet.a = a;
	h->found = found;
	h->careful = careful;
	h->quirks = true;
	h->work = html.n < WORK_MAX / 8 ? 8 * html.n + WORK_MIN : WORK_MAX;
	h->link_colour = 0x0000EEFF;
	buf_init(&h->out, a, max);
	collect(h, html);
	html_tree_init(h);
	walk(h, html);
	html_tree_end(h);
	html_link_close(h);
	html_unseen_alts(h);
	found->over |= h->out.over || h->sheet.over;
	found->link = h->links;
	found->links = h->links_n;
	return h;
}

struct str
html_text(struct arena *a, struct str html, size_t max,
    struct html_found *found)
{
	struct html_found none;
	struct html *h;
	struct str out;

	if (found == NULL)
		found = &none;
	h = read_all(a, html, max, false, found);
	/* Formatting that ended before what it held changed it after it was
	 * read: the adoption agency, HTML 13.2.6.4.7. */
	if (h->misnested)
		h = read_all(a, html, max, true, found);
	h->out.over = false;
	out = buf_view(&h->out);
	while (out.n > 0 && out.p[out.n - 1] == '\n')
		out.n--;
	if (out.n > 0 && out.n < max) {
		h->out.n = out.n;
		buf_char(&h->out, '\n');
		out = buf_view(&h->out);
	}
	return out;
}
