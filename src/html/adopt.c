/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formatting that ends before its content: the adoption agency, HTML
 * 13.2.6.4.7.  The element is opened again within the block that outlives it,
 * and the elements between them are copied.
 */
#include "html/build.h"

#define OUTER_MAX 8
#define INNER_MAX 3

/* The topmost block within the element at f; HTML_NOWHERE: none. */
static size_t
adopt_furthest(struct html_build *b, size_t f)
{
	size_t i = f + 1;

	while (i < b->depth && !(b->open[i]->is & HTML_B_SPECIAL))
		i++;
	html_build_pay(b, i - f);
	return i < b->depth ? i : HTML_NOWHERE;
}

/*
 * Copies the open elements between f and the block, one into the other; the
 * block moves into the innermost.  Elements that are not formatting end.
 * *mark: the element's new place in the list.  Returns the outermost.
 */
static struct html_dom *
adopt_chain(struct html_build *b, size_t f, size_t block, size_t *mark)
{
	struct html_dom *furthest = b->open[block], *last = furthest;
	size_t i = block;

	for (int k = 1; --i > f; k++) {
		size_t at = html_active_find(b, b->open[i]);
		struct html_dom *copy;

		if (at != HTML_NOWHERE && k > INNER_MAX) {
			html_active_take(b, at);
			*mark -= at < *mark;
			at = HTML_NOWHERE;
		}
		if (at == HTML_NOWHERE) {
			html_stack_take(b, i);
			continue;
		}
		copy = html_dom_copy(b, b->open[i]);
		b->active[at] = b->open[i] = copy;
		if (last == furthest)
			*mark = at + 1;
		html_dom_take(last);
		html_dom_put(copy, NULL, last);
		last = copy;
	}
	return last;
}

/* One iteration; false if there is nothing left to do. */
static bool
adopt_turn(struct html_build *b, struct html_token *t)
{
	size_t at = html_active_named(b, t->kind), f, block, mark = at;
	struct html_dom *n, *last, *furthest, *copy;

	if (at == HTML_NOWHERE) {
		(void)html_close_other(b, t);
		return false;
	}
	n = b->active[at];
	f = html_stack_find(b, n);
	if (f == HTML_NOWHERE) {
		html_active_take(b, at);
		return false;
	}
	if (!html_stack_in_scope(b, n))
		return false;
	block = adopt_furthest(b, f);
	if (block == HTML_NOWHERE) {
		html_stack_pop_to(b, n);
		html_active_take(b, at);
		return false;
	}
	furthest = b->open[block];
	last = adopt_chain(b, f, block, &mark);
	html_dom_take(last);
	html_build_put(b, b->open[f - 1], last);
	copy = html_dom_copy(b, n);
	html_dom_move_all(b, furthest, copy);
	html_dom_put(furthest, NULL, copy);
	at = html_active_find(b, n);
	mark -= at < mark;
	html_active_take(b, at);
	html_active_put(b, mark, copy);
	html_stack_take(b, f);
	html_stack_put(b, html_stack_find(b, furthest) + 1, copy);
	return !b->lost;
}

void
html_adopt(struct html_build *b, struct html_token *t)
{
	const struct html_dom *top = html_build_top(b);

	if (top->ns == HTML_NS_HTML && top->kind == t->kind &&
	    html_active_find(b, top) == HTML_NOWHERE) {
		html_stack_pop(b);
		return;
	}
	for (int k = 0; k < OUTER_MAX; k++)
		if (!adopt_turn(b, t))
			return;
}
