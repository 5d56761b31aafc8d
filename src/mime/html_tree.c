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

#define KEPT_MAX 32 /* formatting that lives on */

static const char name_a[16] = "a", name_p[16] = "p";

static unsigned *
slot(struct html *h, const char *name)
{
	unsigned k = 0;

	while (*name != '\0')
		k = k * 31 + (unsigned char)*name++;
	return &h->open[k % 64];
}

/* Names are padded with NUL. */
static bool
same(const char x[16], const char y[16])
{
	uint64_t a[2], b[2];

	memcpy(a, x, sizeof(a));
	memcpy(b, y, sizeof(b));
	return a[0] == b[0] && a[1] == b[1];
}

static bool
is(const struct html_node *n, unsigned bits)
{
	return n->kind != NULL && (n->kind->is & bits) != 0;
}

static void
pay(struct html *h, size_t n)
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

/* The way out of the top element. */
static void
pop(struct html *h)
{
	struct html_node *n = h->node[h->depth - 1];

	if (n->kind != NULL && n->kind->close != NULL)
		n->kind->close(h);
	lines(h, n);
	(*slot(h, n->name))--;
	h->depth--;
}

/* Links a node to what it stands in. */
static void
link_up(struct html *h, size_t i)
{
	struct html_node *n = h->node[i], *up = h->node[i - 1];

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

	pay(h, (h->depth - i) * 16);
	if (n->kind != NULL && n->kind->close != NULL)
		n->kind->close(h);
	(*slot(h, n->name))--;
	h->depth--;
	for (size_t k = i; k < h->depth; k++)
		h->node[k] = h->node[k + 1];
	h->node[h->depth] = n;
	for (; i < h->depth && h->work > 0; i++)
		link_up(h, i);
}

/*
 * Closes the node at i with all above.  Formatting that was not closed lives
 * on behind it: "reconstruct the active formatting elements" (13.2.4.3).
 */
static void
close_at(struct html *h, size_t i)
{
	struct html_node *kept[KEPT_MAX];
	size_t n = 0, k;
	bool scope = is(h->node[i], HTML_SCOPE);

	for (k = h->depth; k > i + 1 && !scope; k--) {
		struct html_node *x = h->node[k - 1];

		if (!is(x, HTML_FORMAT))
			continue;
		if (n < KEPT_MAX)
			kept[n++] = x;
		else
			h->lost |= x->list.n > 0;
	}
	if (n == 0) {
		while (h->depth > i)
			pop(h);
		return;
	}
	pay(h, n * 16);
	/* Popped without its end: it goes on, and so do links. */
	while (h->depth > i) {
		struct html_node *x = h->node[h->depth - 1];
		bool stays = false;

		for (k = 0; k < n; k++)
			stays |= kept[k] == x;
		if (stays)
			h->depth--;
		else
			pop(h);
	}
	/* The slots above must hold each node once. */
	for (k = n; k-- > 0;) {
		size_t from = h->depth;

		while (h->node[from] != kept[k])
			from++;
		h->node[from] = h->node[h->depth];
		h->node[h->depth] = kept[k];
		h->depth++;
		link_up(h, h->depth - 1);
	}
}

/* The nearest open element of that name, not beyond a barrier; or 0. */
static size_t
find(struct html *h, const char name[16], bool through)
{
	if (*slot(h, name) == 0)
		return 0;
	for (size_t i = h->depth; i-- > 2;) {
		if (same(h->node[i]->name, name))
			return i;
		if (is(h->node[i], HTML_SCOPE) && !through) {
			pay(h, h->depth - i);
			return 0;
		}
	}
	pay(h, h->depth);
	return 0;
}

static size_t
find_group(struct html *h, enum html_group g)
{
	size_t i;

	for (i = h->depth; i-- > 2;) {
		const struct html_element *k = h->node[i]->kind;

		if (k != NULL && k->group == g)
			return i;
		/* A row is ended through its cells, an item not through a
		 * list. */
		if (k == NULL)
			continue;
		if (strcmp(k->name, "table") == 0 ||
		    ((k->is & HTML_SCOPE) && k->group == HTML_NO_GROUP) ||
		    (g == HTML_ITEM &&
			(strcmp(k->name, "ul") == 0 ||
			    strcmp(k->name, "ol") == 0)) ||
		    (g < HTML_CELL && (k->is & HTML_SCOPE)))
			break;
	}
	pay(h, h->depth - i);
	return 0;
}

/* What the start of e ends. */
static void
imply(struct html *h, const struct html_element *e)
{
	size_t i;

	if (e->is & HTML_BLOCK) {
		i = find(h, name_p, false);
		if (i > 0)
			close_at(h, i);
	}
	/* A row ends the cell in it, a group of rows the row. */
	for (enum html_group g = HTML_CELL; g <= HTML_ROWS; g++)
		if (e->group >= g && e->group <= HTML_ROWS) {
			i = find_group(h, g);
			if (i > 0)
				close_at(h, i);
		}
	if (e->group != HTML_NO_GROUP &&
	    (e->group < HTML_CELL || e->group > HTML_ROWS)) {
		i = e->group == HTML_LINK ? find(h, name_a, false)
					  : find_group(h, e->group);
		if (i > 0 && e->group == HTML_LINK)
			take_out(h, i);
		else if (i > 0)
			close_at(h, i);
	}
}

/* A slot for one more element, with its place among its siblings. */
static struct html_node *
new_node(struct html *h, struct html_node *up, const struct html_tag *t)
{
	struct html_node *n = h->node[h->depth];
	struct css_list list;

	if (n == NULL)
		n = h->node[h->depth] = arena_new(h->a, struct html_node);
	list = n->list;
	memset(n, 0, sizeof(*n));
	n->list = list;
	n->list.n = 0;
	memcpy(n->name, t->name, sizeof(n->name));
	n->e.tag = n->name;
	n->e.raw = t->raw;
	n->e.up = up != NULL ? &up->e : NULL;
	n->e.depth = (unsigned)h->depth;
	if (up == NULL)
		return n;
	n->e.nth = ++up->children;
	if (up->children > 1) {
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
	if (up != NULL && is(up, HTML_TABLE) &&
	    (e == NULL || (e->group < HTML_CELL || e->group > HTML_ROWS)) &&
	    strcmp(t->name, "caption") != 0)
		up = html_tree_here(h);
	n = new_node(h, up, t);
	n->kind = e;
	html_style_of(h, n, up, t);
	if (up != NULL) {
		remember(up, n);
		n->root =
		    n->style.hidden ? up->style.hidden ? up->root : n : NULL;
	}
	(*slot(h, n->name))++;
	h->depth++;
}

void
html_tree_init(struct html *h)
{
	struct html_tag t = { .name = "html" };

	t.kind = html_element_find(t.name);
	push(h, &t);
	memcpy(t.name, "body", sizeof("body"));
	t.kind = html_element_find(t.name);
	push(h, &t);
}

/* <html> and <body>: they are open already, and now say how they look. */
static bool
is_outermost(struct html *h, const struct html_tag *t)
{
	size_t which = strcmp(t->name, "body") == 0;
	struct html_node *n = h->node[which];

	if (which == 0 && strcmp(t->name, "html") != 0)
		return false;
	if (n->e.raw.p != NULL)
		return true; /* the first one counts */
	n->e.raw = t->raw;
	html_style_of(h, n, which > 0 ? h->node[0] : NULL, t);
	pay(h, h->depth * 16);
	if (which == 0)
		link_up(h, 1);
	h->node[0]->root = h->node[0]->style.hidden ? h->node[0] : NULL;
	for (size_t i = 1; i < h->depth; i++)
		link_up(h, i);
	return true;
}

void
html_tree_open(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;
	struct html_node *n;

	if (e != NULL && (e->is & HTML_ODD) && is_outermost(h, t))
		return;
	if (e != NULL && h->deep == 0)
		imply(h, e);
	if (h->deep > 0 || h->depth == LIMIT_HTML_DEPTH) {
		h->deep++;
		/* It could hide, and is not looked at. */
		h->deep_unknown |= t->attr[HTML_A_STYLE].p != NULL ||
		    t->attr[HTML_A_HIDDEN].p != NULL ||
		    t->attr[HTML_A_COLOR].p != NULL ||
		    t->attr[HTML_A_BGCOLOR].p != NULL || h->sheet.rules > 0 ||
		    (e != NULL && (e->is & (HTML_DROP | HTML_FOREIGN)));
		return;
	}
	push(h, t);
	n = h->node[h->depth - 1];
	lines(h, n);
	if (n->style.display == CSS_CELL && !n->style.gone &&
	    (e == NULL || e->group != HTML_CELL))
		html_out_cell(h, h->line, false);
	if (e != NULL && e->open != NULL && !n->style.gone)
		e->open(h, t);
}

/* Formatting that ends out of order: 13.2.6.4.7, the adoption agency. */
static void
close_format(struct html *h, size_t i)
{
	for (size_t k = i + 1; k < h->depth; k++)
		if (is(h->node[k], HTML_BLOCK)) {
			take_out(h, i);
			return;
		}
	close_at(h, i);
}

void
html_tree_close(struct html *h, const struct html_tag *t)
{
	const struct html_element *e = t->kind;
	const char *name = t->name;
	bool of_table = e != NULL &&
	    ((e->group >= HTML_CELL && e->group <= HTML_ROWS) ||
		strcmp(name, "table") == 0);
	size_t i;

	if (h->deep > 0) {
		h->deep--;
		h->deep_unknown &= h->deep > 0;
		return;
	}
	/* What has a scope of its own is looked for through inner ones, but
	 * never out of a table. */
	i = find(h, name, e != NULL && (e->is & HTML_SCOPE) && !of_table);
	if (i == 0 && of_table)
		for (i = h->depth; i-- > 2;) {
			if (same(h->node[i]->name, name))
				break;
			if (strcmp(h->node[i]->name, "table") == 0 ||
			    *slot(h, name) == 0) {
				pay(h, 16);
				return;
			}
		}
	if (i < 2)
		return;
	if (is(h->node[i], HTML_FORMAT))
		close_format(h, i);
	else
		close_at(h, i);
}

void
html_tree_end(struct html *h)
{
	while (h->depth > 0)
		pop(h);
}
