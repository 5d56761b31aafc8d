/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The open elements, and which of them a tag refers to: the scopes of HTML
 * 13.2.4.2.  Counts show at once if none with a name is open.
 */
#include "html/build.h"

static unsigned *
stack_count(struct html_build *b, const struct html_dom *n)
{
	if (n->ns != HTML_NS_HTML || n->kind == NULL)
		return NULL;
	return &b->count[n->kind - html_element_table];
}

void
html_stack_push(struct html_build *b, struct html_dom *n)
{
	html_stack_put(b, b->depth, n);
}

void
html_stack_put(struct html_build *b, size_t i, struct html_dom *n)
{
	unsigned *count = stack_count(b, n);

	/* There is room for one over the limit. */
	if (b->depth >= LIMIT_HTML_DEPTH) {
		b->lost = true;
		if (b->depth > LIMIT_HTML_DEPTH)
			return;
	}
	html_build_pay(b, b->depth - i);
	for (size_t k = b->depth; k > i; k--)
		b->open[k] = b->open[k - 1];
	b->open[i] = n;
	b->depth++;
	if (count != NULL)
		(*count)++;
}

void
html_stack_take(struct html_build *b, size_t i)
{
	unsigned *count = stack_count(b, b->open[i]);

	html_build_pay(b, b->depth - i);
	if (count != NULL)
		(*count)--;
	b->depth--;
	for (; i < b->depth; i++)
		b->open[i] = b->open[i + 1];
}

/* The root stays open. */
void
html_stack_pop(struct html_build *b)
{
	if (b->depth < 2)
		return;
	if (b->open[b->depth - 1]->ns == HTML_NS_SVG)
		html_build_sheet(b, b->open[b->depth - 1]);
	html_stack_take(b, b->depth - 1);
}

void
html_stack_pop_to(struct html_build *b, const struct html_dom *n)
{
	while (b->depth > 1 && html_build_top(b) != n)
		html_stack_pop(b);
	html_stack_pop(b);
}

bool
html_stack_holds(const struct html_build *b, enum html_name name)
{
	return b->count[name] > 0;
}

size_t
html_stack_find(struct html_build *b, const struct html_dom *n)
{
	size_t i = b->depth;

	while (i-- > 0)
		if (b->open[i] == n)
			break;
	html_build_pay(b, i == HTML_NOWHERE ? b->depth : b->depth - i);
	return i;
}

/* The nearest match, by name or by bits, with no barrier above it. */
static struct html_dom *
stack_nearest(struct html_build *b, const struct html_element *e, unsigned bits,
    unsigned barrier)
{
	struct html_dom *n = NULL;
	size_t i = b->depth;

	while (i-- > 0) {
		n = b->open[i];
		if (n->ns == HTML_NS_HTML &&
		    (e != NULL ? n->kind == e : (n->is & bits) != 0))
			break;
		n = NULL;
		if (b->open[i]->is & barrier)
			break;
	}
	html_build_pay(b, i == HTML_NOWHERE ? b->depth : b->depth - i);
	return n;
}

struct html_dom *
html_stack_scope(struct html_build *b, enum html_name name, unsigned barrier)
{
	if (b->count[name] == 0)
		return NULL;
	return stack_nearest(b, &html_element_table[name], 0, barrier);
}

struct html_dom *
html_stack_scope_any(struct html_build *b, unsigned bits, unsigned barrier)
{
	return stack_nearest(b, NULL, bits, barrier);
}

bool
html_stack_in_scope(struct html_build *b, const struct html_dom *n)
{
	size_t i = b->depth;

	while (i-- > 0) {
		if (b->open[i] == n)
			break;
		if (b->open[i]->is & HTML_B_SCOPE) {
			html_build_pay(b, b->depth - i);
			return false;
		}
	}
	return i != HTML_NOWHERE;
}

void
html_stack_implied(struct html_build *b, const struct html_element *but_for)
{
	while ((html_build_top(b)->is & HTML_B_IMPLIED) &&
	    (but_for == NULL || html_build_top(b)->kind != but_for))
		html_stack_pop(b);
}

bool
html_stack_close(struct html_build *b, const struct html_dom *n)
{
	if (n == NULL)
		return false;
	html_stack_implied(b, NULL);
	html_stack_pop_to(b, n);
	return true;
}

void
html_stack_close_p(struct html_build *b)
{
	struct html_dom *p =
	    html_stack_scope(b, HTML_N_P, HTML_B_SCOPE | HTML_B_BUTTON);

	if (p != NULL)
		html_stack_pop_to(b, p);
}

/* A <template> and the root always stop it. */
void
html_stack_clear_to(struct html_build *b, unsigned bits)
{
	while (b->depth > 1) {
		const struct html_dom *n = html_build_top(b);

		if (n->ns == HTML_NS_HTML &&
		    ((n->is & bits) || html_dom_is(n, HTML_N_TEMPLATE)))
			return;
		html_stack_pop(b);
	}
}
