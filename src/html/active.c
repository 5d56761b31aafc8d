/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of active formatting elements, HTML 13.2.4.3: formatting that
 * continues after its parent has ended.  A cell and similar elements add a
 * marker (NULL), and entries before the last marker wait until that cell has
 * ended.
 */
#include "html/build.h"

#define ALIKE_MAX 3      /* with the same name and attributes */
#define COMPARED_MAX 256 /* bytes of attributes whose order may differ */

/* Does y have each attribute of x, with the same value? */
static bool
active_has_all(struct str x, struct str y, size_t *n)
{
	struct str name, value, other;
	size_t i = 0;

	*n = 0;
	while (html_token_attr_next(x, &i, &name, &value)) {
		if (!html_token_attr(y, name, &other) || !str_eq(value, other))
			return false;
		(*n)++;
	}
	return true;
}

static bool
active_is_alike(const struct html_dom *x, const struct html_dom *y)
{
	size_t nx, ny;

	if (x->kind != y->kind)
		return false;
	if (str_eq(x->s, y->s))
		return true;
	if (x->s.n > COMPARED_MAX || y->s.n > COMPARED_MAX || x->s.n == 0 ||
	    y->s.n == 0)
		return false;
	return active_has_all(x->s, y->s, &nx) &&
	    active_has_all(y->s, x->s, &ny) && nx == ny;
}

void
html_active_put(struct html_build *b, size_t i, struct html_dom *n)
{
	if (b->actives == HTML_ACTIVE_MAX) {
		b->lost = true;
		return;
	}
	html_build_pay(b, b->actives - i);
	for (size_t k = b->actives; k > i; k--)
		b->active[k] = b->active[k - 1];
	b->active[i] = n;
	b->actives++;
}

void
html_active_take(struct html_build *b, size_t i)
{
	html_build_pay(b, b->actives - i);
	b->actives--;
	for (; i < b->actives; i++)
		b->active[i] = b->active[i + 1];
}

void
html_active_push(struct html_build *b, struct html_dom *n)
{
	size_t alike = 0, oldest = 0;

	/* "Noah's Ark": of four equal ones the oldest is removed. */
	for (size_t i = b->actives; i-- > 0 && b->active[i] != NULL;) {
		html_build_pay(b, 4 + b->active[i]->s.n / 16);
		if (active_is_alike(b->active[i], n)) {
			alike++;
			oldest = i;
		}
	}
	if (alike >= ALIKE_MAX)
		html_active_take(b, oldest);
	html_active_put(b, b->actives, n);
}

void
html_active_mark(struct html_build *b)
{
	html_active_put(b, b->actives, NULL);
}

void
html_active_unmark(struct html_build *b)
{
	while (b->actives > 0)
		if (b->active[--b->actives] == NULL)
			return;
}

size_t
html_active_named(struct html_build *b, const struct html_element *e)
{
	for (size_t i = b->actives; i-- > 0 && b->active[i] != NULL;) {
		html_build_pay(b, 1);
		if (b->active[i]->kind == e)
			return i;
	}
	return HTML_NOWHERE;
}

size_t
html_active_find(struct html_build *b, const struct html_dom *n)
{
	size_t i = b->actives;

	while (i-- > 0) {
		html_build_pay(b, 1);
		if (b->active[i] == n)
			break;
	}
	return i;
}

/* Opens again all elements after the last one that is open. */
void
html_active_again(struct html_build *b)
{
	size_t i = b->actives;

	while (i > 0 && b->active[i - 1] != NULL &&
	    html_stack_find(b, b->active[i - 1]) == HTML_NOWHERE)
		i--;
	for (; i < b->actives && !b->lost; i++) {
		struct html_dom *n = html_dom_copy(b, b->active[i]);

		html_build_put(b, html_build_top(b), n);
		html_stack_push(b, n);
		b->active[i] = n;
	}
}
