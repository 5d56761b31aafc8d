/*
 * The elements that are open, as a browser's parser would have them (HTML
 * 13.2.6), without a tree: which end is implied, which formatting lives on
 * when what it stands in ends, what stands in a table but outside its cells.
 * Each step costs what it closes, or is paid from h->work; when that is used
 * up nobody knows any more what is seen, and nothing more is shown.
 */
#include <string.h>

#include "base/limits.h"
#include "mime/html_tree.h"

static const char name_p[16] = "p", name_table[16] = "table";

static bool
is(const struct html_node *n, unsigned bits)
{
	return n->kind != NULL && (n->kind->is & bits) != 0;
}

void
html_tree_pay(struct html *h, size_t n)
{
	if (h->work > n) {
		h->work -= n;
	} else {
		h->work = 0;
		h->lost = true;
	}
}

struct html_node *
html_tree_here(struct html *h)
{
	size_t i = h->depth - 1;

	/* Text between cells moves before the table. */
	while (i > 1 && is(h->node[i], HTML_TABLE))
		i--;
	return h->node[i];
}

/* Line ends around an element, by its style or by nature. */
static void
lines(struct html *h, const struct html_node *n)
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

/* Takes the top element off; whatever becomes of it. */
static struct html_node *
detach(struct html *h)
{
	struct html_node *n = h->node[--h->depth];

	(*n->count)--;
	h->node[h->depth] = NULL;
	lines(h, n);
	return n;
}

/* The way out of the top element. */
static void
pop(struct html *h)
{
	struct html_node *n = h->node[h->depth - 1];

	if (n->kind != NULL && n->kind->close != NULL)
		n->kind->close(h);
	html_format_spare(h, detach(h));
}

/* Links a node to what it stands in. */
static void
link_up(struct html *h, size_t i, struct html_node *up)
{
	struct html_node *n = h->node[i];

	n->e.up = &up->e;
	n->e.depth = (unsigned)i;
	html_style_again(n, up);
	n->root = n->style.hidden ? up->style.hidden ? up->root : n : NULL;
}

/* Takes the node at i out and leaves those above. */
static void
take_out(struct html *h, size_t i)
{
	struct html_node *n = h->node[i];

	html_tree_pay(h, (h->depth - i) * 16);
	if (n->kind != NULL && n->kind->close != NULL)
		n->kind->close(h);
	(*n->count)--;
	h->depth--;
	for (size_t k = i; k < h->depth; k++)
		h->node[k] = h->node[k + 1];
	h->node[h->depth] = NULL;
	html_format_spare(h, n);
	for (; i < h->depth && h->work > 0; i++)
		link_up(h, i, h->node[i - 1]);
}

/*
 * Closes all above the node at i.  Formatting that did not end waits for the
 * next words, unless a cell or its like ends around it.
 */
static void
close_above(struct html *h, size_t i)
{
	while (h->depth > i + 1) {
		struct html_node *n = h->node[h->depth - 1];

		if (is(n, HTML_FORMAT)) {
			html_format_keep(h, detach(h));
			continue;
		}
		if (is(n, HTML_MARK))
			html_format_unmark(h);
		pop(h);
	}
}

/* Closes the node at i with all above. */
static void
close_at(struct html *h, size_t i)
{
	close_above(h, i);
	if (is(h->node[i], HTML_MARK))
		html_format_unmark(h);
	pop(h);
}

void
html_tree_again(struct html *h, struct html_node *n)
{
	struct html_node *up = html_tree_here(h);

	if (h->depth == LIMIT_HTML_DEPTH) {
		h->lost = true;
		return;
	}
	html_tree_pay(h, 16);
	if (h->node[h->depth] != NULL)
		html_format_spare(h, h->node[h->depth]);
	h->node[h->depth] = n;
	link_up(h, h->depth, up);
	(*n->count)++;
	h->depth++;
}

/*
 * Formatting that ends out of order: 13.2.6.4.7, the adoption agency.  Blocks
 * in it stay, and what was neither block nor formatting around them is gone.
 */
static void
adopt(struct html *h, size_t i)
{
	size_t last = 0, blocks = 0;

	for (size_t k = i + 1; k < h->depth && blocks < 8; k++)
		if (is(h->node[k], HTML_SPECIAL)) {
			last = k;
			blocks++;
		}
	if (last == 0) {
		close_at(h, i);
		return;
	}
	h->misnested |= h->node[i]->list.n > 0 || h->sheet.structural;
	for (size_t k = last; k-- > i + 1;)
		if (!is(h->node[k], HTML_SPECIAL | HTML_FORMAT)) {
			h->misnested |= h->node[k]->list.n > 0;
			take_out(h, k);
		}
	take_out(h, i);
}

static bool
is_part(const struct html_element *e)
{
	return e->group >= HTML_CELL && e->group <= HTML_ROWS;
}

static void
close_found(struct html *h, size_t i)
{
	if (i > 0)
		close_at(h, i);
}

/* What the start of e ends; false when it is no start at all. */
static bool
imply(struct html *h, const struct html_element *e)
{
	size_t i;

	if (is_part(e)) {
		/* "Clear the stack back to a table context", 13.2.6.4.9. */
		i = html_scope_table(h, e->group);
		if (i == 0)
			return false;
		close_above(h, i);
		return true;
	}
	if (e->is & HTML_BLOCK)
		close_found(h,
		    html_scope_find(h, name_p, HTML_SCOPE | HTML_CONTROL));
	if (e->group == HTML_HEADING && h->node[h->depth - 1]->kind != NULL &&
	    h->node[h->depth - 1]->kind->group == HTML_HEADING)
		close_at(h, h->depth - 1);
	if (e->group == HTML_ITEM || e->group == HTML_TERM)
		close_found(h, html_scope_item(h, e->group));
	if (e->group == HTML_OPTION || e->group == HTML_BUTTON)
		close_found(h, html_scope_find(h, e->name, HTML_SCOPE));
	if (e->group == HTML_LINK && !html_format_end(h, e->name)) {
		i = html_scope_find(h, e->name, HTML_SCOPE);
		if (i > 0)
			adopt(h, i);
	}
	/* A table in a table, but in no cell, ends the first. */
	if (is(h->node[h->depth - 1], HTML_TABLE) && html_is(e, HTML_N_TABLE))
		close_found(h, html_scope_find(h, name_table, HTML_DROP));
	if (!(e->is & (HTML_BLOCK | HTML_TABLE)))
		html_format_again(h);
	return true;
}

/* A slot for one more element, with its place among its siblings. */
static struct html_node *
new_node(struct html *h, struct html_node *up, const struct html_tag *t)
{
	struct html_node *n = h->node[h->depth];

	if (n == NULL)
		n = h->node[h->depth] = html_format_take(h);
	memset(n, 0, offsetof(struct html_node, style));
	n->list.n = 0;
	memcpy(n->name, t->name, sizeof(n->name));
	n->count = html_scope_count(h, n->name);
	n->e.tag = n->name;
	n->e.raw = t->raw;
	n->e.up = up != NULL ? &up->e : NULL;
	n->e.depth = (unsigned)h->depth;
	n->e.nth = 1;
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

/* Remembers the element for its younger siblings. */
static void
remember(struct html_node *up, const struct html_node *n)
{
	memcpy(up->last_name, n->name, sizeof(up->last_name));
	up->last = n->e;
	up->last.tag = up->last_name;
	up->last.up = NULL;
	up->last.prev = NULL;
}

static void
push(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;
	struct html_node *up = h->depth > 0 ? h->node[h->depth - 1] : NULL;
	struct html_node *n;

	/* In a table, but no part of one: it stands before the table. */
	if (up != NULL && is(up, HTML_TABLE) && (e == NULL || !is_part(e)))
		up = html_tree_here(h);
	n = new_node(h, up, t);
	n->kind = e;
	html_style_of(h, n, up, t);
	if (up != NULL) {
		if (h->sheet.siblings)
			remember(up, n);
		n->root =
		    n->style.hidden ? up->style.hidden ? up->root : n : NULL;
	}
	(*n->count)++;
	h->depth++;
	if (is(n, HTML_MARK))
		html_format_mark(h);
	n->doubtful = h->careful && !n->style.hidden && html_style_doubtful(h);
}

void
html_tree_init(struct html *h)
{
	struct html_tag t = { .name = "html" };

	t.kind = html_element_find(t.name);
	push(h, &t);
	/* A head there is always, and nothing of it to see. */
	h->node[0]->children = 1;
	memcpy(h->node[0]->last_name, "head", sizeof("head"));
	h->node[0]->last.nth = 1;
	memcpy(t.name, "body", sizeof("body"));
	t.kind = html_element_find(t.name);
	push(h, &t);
}

/* <html> and <body>: they are open already, and now say how they look. */
static bool
is_outermost(struct html *h, const struct html_tag *t)
{
	size_t which = html_is(t->kind, HTML_N_BODY);
	struct html_node *n = h->node[which];

	if (which == 0 && !html_is(t->kind, HTML_N_HTML))
		return false;
	if (n->e.raw.p != NULL)
		return true; /* the first one counts */
	n->e.raw = t->raw;
	html_style_of(h, n, which > 0 ? h->node[0] : NULL, t);
	html_tree_pay(h, h->depth * 16);
	h->node[0]->root = h->node[0]->style.hidden ? h->node[0] : NULL;
	for (size_t i = 1; i < h->depth; i++)
		link_up(h, i, h->node[i - 1]);
	return true;
}

/* What the top element draws off the screen with it. */
static void
pull(struct html *h, const struct html_node *n)
{
	bool block = n->style.display == CSS_BLOCK ||
	    (n->style.display == CSS_NONE && is(n, HTML_SPECIAL) &&
		!is(n, HTML_CONTROL));

	if (n->style.pulls_page)
		h->lost = true;
	if (block)
		return;
	/* The rest of the line: of the block it stands in, to be sure. */
	for (size_t i = h->depth - 1; i-- > 0;) {
		css_style_gone(&h->node[i]->style, HTML_HIDDEN_POSITION);
		if (is(h->node[i], HTML_SPECIAL))
			break;
	}
}

void
html_tree_imply(struct html *h, const struct html_element *e)
{
	(void)imply(h, e);
}

void
html_tree_open(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;
	struct html_node *n;

	if (e != NULL && (e->is & HTML_ODD) && is_outermost(h, t))
		return;
	if (e == NULL)
		html_format_again(h);
	else if (!imply(h, e))
		return;
	if (h->depth == LIMIT_HTML_DEPTH) {
		/* Browsers differ on what stands in what down here. */
		h->lost = true;
		return;
	}
	push(h, t);
	n = h->node[h->depth - 1];
	if (n->style.pulls_line || n->style.pulls_page)
		pull(h, n);
	lines(h, n);
	if (n->style.display == CSS_CELL && !n->style.gone &&
	    (e == NULL || e->group != HTML_CELL))
		html_out_cell(h, h->line, false);
	if (e != NULL && e->open != NULL && !n->style.gone)
		e->open(h, t);
}

/* </td>, </tr>, </table>: never out of the innermost table. */
static void
close_table(struct html *h, const char name[16])
{
	size_t i;

	if (*html_scope_count(h, name) == 0)
		return;
	for (i = h->depth; i-- > 2;) {
		if (html_scope_same(h->node[i]->name, name)) {
			close_at(h, i);
			return;
		}
		if (is(h->node[i], HTML_DROP) ||
		    html_is(h->node[i]->kind, HTML_N_TABLE))
			break;
	}
	html_tree_pay(h, h->depth - i);
}

static void
close_format(struct html *h, const char name[16])
{
	size_t i;

	if (html_format_end(h, name))
		return;
	i = html_scope_find(h, name, HTML_SCOPE);
	if (i > 0)
		adopt(h, i);
}

void
html_tree_close(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;

	if (e != NULL && (e->is & HTML_FORMAT))
		close_format(h, t->name);
	else if (e != NULL && (is_part(e) || html_is(e, HTML_N_TABLE)))
		close_table(h, t->name);
	else if (e != NULL && e->group == HTML_HEADING)
		close_found(h, html_scope_heading(h));
	else if (e != NULL && e->group == HTML_ITEM)
		close_found(h,
		    html_scope_find(h, t->name, HTML_SCOPE | HTML_LIST));
	else
		close_found(h,
		    html_scope_find(h, t->name,
			e != NULL && (e->is & HTML_SPECIAL) ? HTML_SCOPE
							    : HTML_SPECIAL));
}

void
html_tree_end(struct html *h)
{
	while (h->depth > 0)
		pop(h);
}
