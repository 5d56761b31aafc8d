/* Which open elements a tag means: the scopes of HTML 13.2.4.2. */
#include <string.h>

#include "mime/html_tree.h"

static const char name_table[16] = "table";

static bool
is(const struct html_node *n, unsigned bits)
{
	return n->kind != NULL && (n->kind->is & bits) != 0;
}

unsigned *
html_scope_count(struct html *h, const char *name)
{
	unsigned k = 0;

	while (*name != '\0')
		k = k * 31 + (unsigned char)*name++;
	return &h->open[k % 64];
}

/* The nearest open element of that name with no barrier above it; or 0. */
size_t
html_scope_find(struct html *h, const char name[16], unsigned barrier)
{
	size_t i;

	if (*html_scope_count(h, name) == 0)
		return 0;
	for (i = h->depth; i-- > 2;) {
		if (html_scope_same(h->node[i]->name, name))
			return i;
		if (is(h->node[i], barrier))
			break;
	}
	html_tree_pay(h, h->depth - i);
	return 0;
}

/*
 * Where the parts of a table are put: the nearest row for a cell, the nearest
 * group of rows or else the table for a row; 0 outside of any table.
 */
size_t
html_scope_table(struct html *h, enum html_group part)
{
	size_t i;

	if (*html_scope_count(h, name_table) == 0)
		return 0;
	for (i = h->depth; i-- > 2;) {
		const struct html_element *k = h->node[i]->kind;

		if (k != NULL &&
		    ((k->group > part && k->group <= HTML_ROWS) ||
			html_is(k, HTML_N_TABLE)))
			break;
		if (is(h->node[i], HTML_DROP)) {
			i = 1;
			break;
		}
	}
	html_tree_pay(h, h->depth - i);
	return i < 2 ? 0 : i;
}

/* An item or term that this one ends; a list or another block stands before. */
size_t
html_scope_item(struct html *h, enum html_group g)
{
	size_t i;

	for (i = h->depth; i-- > 2;) {
		const struct html_element *k = h->node[i]->kind;

		if (k == NULL)
			continue;
		if (k->group == g)
			return i;
		if ((k->is & HTML_SPECIAL) && !html_is(k, HTML_N_DIV) &&
		    !html_is(k, HTML_N_P) && !html_is(k, HTML_N_ADDRESS))
			break;
	}
	html_tree_pay(h, h->depth - i);
	return 0;
}

/* The nearest heading in scope. */
size_t
html_scope_heading(struct html *h)
{
	size_t i;

	for (i = h->depth; i-- > 2;) {
		if (h->node[i]->kind != NULL &&
		    h->node[i]->kind->group == HTML_HEADING)
			return i;
		if (is(h->node[i], HTML_SCOPE))
			break;
	}
	html_tree_pay(h, h->depth - i);
	return 0;
}
