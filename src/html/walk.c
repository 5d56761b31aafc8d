/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks the tree of a page as a person reads it: each element looks as its
 * style says, and text is written if it is visible.  Open elements are on a
 * stack, because a style depends only on the elements around it.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "html/tree.h"

#define TITLE_MAX 100 /* bytes */

static bool
walk_is(const struct html_node *n, unsigned bits)
{
	return n->kind != NULL && (n->kind->is & bits) != 0;
}

static struct html_node *
walk_top(struct html *h)
{
	return h->node[h->depth - 1];
}

void
html_walk_text(struct html *h, struct str s)
{
	struct html_node *n;

	if (h->lost) {
		if (html_unseen_words(s))
			h->found->hidden[HTML_HIDDEN_UNKNOWN]++;
		return;
	}
	n = walk_top(h);
	if (n->closed_details && !n->style.hidden) {
		if (html_unseen_words(s) && !n->counted)
			h->found->hidden[HTML_HIDDEN_DISPLAY]++;
		n->counted |= html_unseen_words(s);
		return;
	}
	if (n->style.hidden) {
		if ((n->root == NULL || !n->root->counted) &&
		    html_unseen_words(s))
			html_unseen_count(h, n);
		return;
	}
	if (h->fall.on && !html_fall_text(h, s))
		return;
	if (n->style.doubtful || h->sheet.doubtful)
		html_unseen_doubt(h, s);
	h->pre = n->style.pre;
	html_out_text(h, s);
}

/* Line ends around an element, by its style or its kind. */
static void
walk_lines(struct html *h, const struct html_node *n)
{
	int around = n->kind != NULL ? n->kind->lines : 0;

	if (n->style.gone)
		return;
	if (n->style.display == CSS_INLINE || n->style.display == CSS_CONTENTS)
		around = 0;
	else if (n->style.display == CSS_BLOCK && around == 0)
		around = 1;
	if (around > 0)
		html_out_lines(h, around);
}

/* Remembers the element for its younger siblings. */
static void
walk_remember(struct html_node *up, const char name[16],
    const struct css_element *e)
{
	memcpy(up->last_name, name, sizeof(up->last_name));
	up->last = *e;
	up->last.tag = up->last_name;
	up->last.up = NULL;
	up->last.prev = NULL;
}

/* Nothing is kept of a long unknown name. */
static void
walk_name(const struct html_dom *d, char name[16])
{
	struct str from = html_dom_name(d);

	memset(name, 0, 16);
	if (d->kind != NULL)
		memcpy(name, d->kind->name, 16);
	else
		for (size_t i = 0; from.n < 16 && i < from.n; i++)
			name[i] = ascii_lower(from.p[i]);
}

/* Room for one more element, with its index among its siblings. */
static struct html_node *
walk_slot(struct html *h, struct html_node *up, const struct html_dom *d)
{
	struct html_node *n;

	if (h->depth == h->made)
		h->node[h->made++] = arena_new(h->a, struct html_node);
	n = h->node[h->depth];
	arena_clear(n, offsetof(struct html_node, style));
	n->list.n = 0;
	walk_name(d, n->name);
	n->e.tag = n->name;
	n->e.raw = d->s;
	n->e.up = up != NULL ? &up->e : NULL;
	n->e.depth = (unsigned)h->depth;
	n->e.nth = 1;
	if (h->ahead_at <= h->ahead_n)
		n->e.whole = &h->ahead[h->ahead_at - 1];
	if (up == NULL)
		return n;
	n->e.nth = ++up->children;
	if (up->children > 1 && h->sheet.siblings) {
		memcpy(n->prev_name, up->last_name, sizeof(n->prev_name));
		n->prev = up->last;
		n->prev.tag = n->prev_name;
		n->prev.up = &up->e;
		n->e.prev = &n->prev;
	}
	return n;
}

/* An empty element counts among its siblings. */
static void
walk_count(struct html *h, struct html_node *up, const struct html_dom *d,
    const struct html_tag *t)
{
	struct css_element e = { .raw = d->s };
	char name[16];

	e.nth = ++up->children;
	if (!h->sheet.siblings)
		return;
	walk_name(d, name);
	e.id = html_element_value(h->a, t->attr[HTML_A_ID]);
	e.class = html_element_value(h->a, t->attr[HTML_A_CLASS]);
	walk_remember(up, name, &e);
}

/* Hides text that the top element moves off the screen with it. */
static void
walk_pull(struct html *h, const struct html_node *n)
{
	bool block = n->style.display == CSS_BLOCK ||
	    (n->style.display == CSS_NONE &&
		walk_is(n, HTML_BLOCK | HTML_TABLE));

	if (n->style.pulls_page)
		h->lost = true;
	if (block)
		return;
	/* The rest of the line: to be safe, of the whole block. */
	for (size_t i = h->depth - 1; i-- > 0;) {
		css_style_gone(&h->node[i]->style, HTML_HIDDEN_POSITION);
		if (walk_is(h->node[i], HTML_BLOCK | HTML_TABLE))
			break;
	}
}

/* A menu shows one option: its label, if it has one. */
static void
walk_choose(struct html *h, struct html_node *n, const struct html_dom *d)
{
	struct str label;

	if (html_is(d->kind, HTML_N_SELECT)) {
		h->menu = html_ahead_is_menu(d);
		h->chosen = h->menu ? html_ahead_chosen(d) : NULL;
	} else if (html_is(d->kind, HTML_N_OPTION)) {
		if (h->menu && d != h->chosen)
			css_style_gone(&n->style, HTML_HIDDEN_DISPLAY);
		if (!n->style.hidden &&
		    html_token_attr(d->s, S("label"), &label) && label.n > 0) {
			html_walk_text(h, label);
			css_style_gone(&n->style, HTML_HIDDEN_DISPLAY);
		}
	}
}

static void
walk_push(struct html *h, const struct html_dom *d, const struct html_tag *t)
{
	struct html_node *up = h->depth > 0 ? walk_top(h) : NULL;
	const struct html_element *e = t->kind;
	struct html_node *n = walk_slot(h, up, d);

	n->kind = e;
	html_style_of(h, n, up, t);
	walk_choose(h, n, d);
	if (up != NULL) {
		if (h->sheet.siblings)
			walk_remember(up, n->name, &n->e);
		n->root =
		    n->style.hidden ? up->style.hidden ? up->root : n : NULL;
	}
	n->written = h->out.n;
	if (h->fall.on || n->least > 0)
		html_fall_open(h, n, up);
	h->depth++;
	if (n->style.pulls_line || n->style.pulls_page)
		walk_pull(h, n);
	n->lines = h->lines;
	n->space = h->space;
	walk_lines(h, n);
	if (n->style.display == CSS_CELL && !n->style.gone &&
	    !html_is(e, HTML_N_TD) && !html_is(e, HTML_N_TH))
		html_out_cell(h, h->line, false);
	if (e != NULL && e->open != NULL && !n->style.gone &&
	    !html_fall_is_far(h))
		e->open(h, t);
}

static void
walk_pop(struct html *h)
{
	struct html_node *n;

	if (h->beyond > 0) {
		h->beyond--;
		return;
	}
	n = walk_top(h);
	if (n->kind != NULL && n->kind->close != NULL)
		n->kind->close(h);
	h->menu = h->menu && !html_is(n->kind, HTML_N_SELECT);
	h->depth--;
	if (h->fall.on)
		html_fall_close(h, n, h->depth > 0 ? walk_top(h) : NULL);
	walk_lines(h, n);
	/*
	 * An element that shows nothing and takes no room does not end a word:
	 * "w<span hidden somewhere else>...</span>ord".
	 */
	if (n->apart && h->out.n == n->written) {
		h->lines = n->lines;
		h->space = n->space;
	}
}

static void
walk_void(struct html *h, const struct html_tag *t)
{
	const struct html_node *up = walk_top(h);

	if (up->style.gone || h->lost || up->closed_details)
		return;
	if (html_is(t->kind, HTML_N_BR))
		html_fall_break(h);
	if (t->kind->lines > 0)
		html_out_lines(h, t->kind->lines);
	if (t->kind->open != NULL)
		t->kind->open(h, t);
}

/*
 * Nobody sees the content of an <iframe>, which is for old browsers; scripts,
 * sheets and titles are not words.
 */
static void
walk_raw(struct html *h, const struct html_dom *d)
{
	const struct html_element *e = d->kind;

	if ((html_is(e, HTML_N_IFRAME) || html_is(e, HTML_N_NOEMBED) ||
		html_is(e, HTML_N_NOFRAMES)) &&
	    d->first != NULL && html_unseen_words(d->first->s))
		h->found->hidden[HTML_HIDDEN_DISPLAY]++;
}

/* Is it a script or style sheet of SVG? */
static bool
walk_is_program(const struct html_dom *d)
{
	return html_is(d->kind, HTML_N_SCRIPT) ||
	    html_is(d->kind, HTML_N_STYLE);
}

/* The start of an element; false if its content is skipped. */
static bool
walk_open(struct html *h, const struct html_dom *d, struct html_tag *t)
{
	const struct html_element *e = d->kind;
	bool html = d->ns == HTML_NS_HTML;
	bool empty = html && e != NULL &&
	    ((e->is & HTML_VOID) ||
		((e->is & HTML_RAW) && !(e->is & HTML_SHOWN)));

	h->ahead_at++;
	if (!html && walk_is_program(d))
		return false;
	if (!empty && (h->lost || h->depth == LIMIT_HTML_DEPTH)) {
		h->lost = true;
		h->beyond++;
		return true;
	}
	html_dom_tag(d, t);
	/* Nothing else matters in SVG and MathML: it is not shown. */
	t->kind = html || (e != NULL && (e->is & HTML_FOREIGN)) ? e : NULL;
	if (!empty) {
		walk_push(h, d, t);
		return true;
	}
	if (e->is & HTML_VOID)
		walk_void(h, t);
	else
		walk_raw(h, d);
	if (!h->lost)
		walk_count(h, walk_top(h), d, t);
	return false;
}

static bool
walk_is_title(const struct html_dom *d, enum html_ns ns)
{
	return d->ns == ns && html_is(d->kind, HTML_N_TITLE);
}

static void
walk_words(struct html *h, const struct html_dom *d)
{
	/* An icon's short title is invisible by design: nothing was hidden. */
	if (walk_is_title(d->up, HTML_NS_SVG) && d->s.n <= TITLE_MAX)
		return;
	h->literal = d->literal;
	html_walk_text(h, d->s);
	h->literal = false;
}

void
html_walk_end(struct html *h)
{
	while (h->depth > 0)
		walk_pop(h);
}

void
html_walk(struct html *h, const struct html_dom *root)
{
	struct html_tag t = { 0 };
	const struct html_dom *d = root;

	while (!h->out.over) {
		if (d->text) {
			walk_words(h, d);
		} else if (walk_open(h, d, &t)) {
			if (d->first != NULL) {
				d = d->first;
				continue;
			}
			walk_pop(h);
		}
		while (d->next == NULL) {
			d = d->up;
			if (d == NULL)
				return;
			walk_pop(h);
		}
		d = d->next;
	}
}

bool
html_walk_has_words(const struct html_dom *root)
{
	const struct html_dom *d = root;

	for (;;) {
		if (d->text && !walk_is_title(d->up, HTML_NS_HTML) &&
		    !walk_is_program(d->up) && html_unseen_words(d->s))
			return true;
		if (d->first != NULL) {
			d = d->first;
			continue;
		}
		while (d->next == NULL) {
			d = d->up;
			if (d == NULL)
				return false;
		}
		d = d->next;
	}
}
