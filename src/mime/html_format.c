/*
 * Formatting that was open when what it stood in ended, and goes on with the
 * next words: the list of active formatting elements, HTML 13.2.4.3, but for
 * those that are open still.  A cell and its like put a mark (NULL) into it:
 * what waits before the mark waits until the cell has ended.
 */
#include <string.h>

#include "mime/html_tree.h"

#define ALIKE_MAX 3 /* of one name and attributes */

struct html_node *
html_format_take(struct html *h)
{
	if (h->spares > 0)
		return h->spare[--h->spares];
	return arena_new(h->a, struct html_node);
}

void
html_format_spare(struct html *h, struct html_node *n)
{
	if (h->spares < LIMIT_HTML_DEPTH)
		h->spare[h->spares++] = n;
}

/* Where what waits behind the last mark begins. */
static size_t
begin(const struct html *h)
{
	size_t i = h->waits;

	while (i > 0 && h->wait[i - 1] != NULL)
		i--;
	return i;
}

static void
drop(struct html *h, size_t i)
{
	struct html_node *n = h->wait[i];

	h->waits--;
	for (; i < h->waits; i++)
		h->wait[i] = h->wait[i + 1];
	if (n == NULL)
		return;
	if (n->kind->close != NULL)
		n->kind->close(h);
	html_format_spare(h, n);
}

static bool
is_alike(const struct html_node *x, const struct html_node *y)
{
	return memcmp(x->name, y->name, sizeof(x->name)) == 0 &&
	    str_eq(x->e.raw, y->e.raw);
}

void
html_format_keep(struct html *h, struct html_node *n)
{
	size_t first = begin(h), alike = 0;

	html_tree_pay(h, h->waits - first + 1);
	/* "Noah's Ark": of four that are alike the oldest goes. */
	for (size_t i = h->waits; i-- > first;)
		alike += is_alike(h->wait[i], n);
	if (alike >= ALIKE_MAX) {
		if (n->kind->close != NULL)
			n->kind->close(h);
		html_format_spare(h, n);
		return;
	}
	if (h->waits - first >= HTML_WAITS || h->waits == HTML_WAITS_ALL) {
		h->lost = true;
		return;
	}
	/* It was opened before all that wait. */
	for (size_t i = h->waits; i > first; i--)
		h->wait[i] = h->wait[i - 1];
	h->wait[first] = n;
	h->waits++;
}

void
html_format_mark(struct html *h)
{
	if (h->waits == HTML_WAITS_ALL)
		h->lost = true;
	else
		h->wait[h->waits++] = NULL;
}

void
html_format_unmark(struct html *h)
{
	while (h->waits > 0 && h->wait[h->waits - 1] != NULL)
		drop(h, h->waits - 1);
	if (h->waits > 0)
		drop(h, h->waits - 1);
}

bool
html_format_end(struct html *h, const char *name)
{
	size_t first = begin(h);

	for (size_t i = h->waits; i-- > first;)
		if (strcmp(h->wait[i]->name, name) == 0) {
			drop(h, i);
			return true;
		}
	return false;
}

void
html_format_again(struct html *h)
{
	size_t first = begin(h);

	for (size_t i = first; i < h->waits; i++)
		html_tree_again(h, h->wait[i]);
	h->waits = first;
}
