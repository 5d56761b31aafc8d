/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Information that the walk does not have yet at an element: what comes after
 * it.  If rules need that, all elements of the page are first listed in the
 * form for selectors.  Also finds the option that a menu shows.
 */
#include <string.h>

#include "base/limits.h"
#include "html/tree.h"

#define OPEN_MAX (2UL * LIMIT_HTML_DEPTH)

/* The next node in document order, within top; NULL after the last. */
static const struct html_dom *
ahead_next(const struct html_dom *d, const struct html_dom *top)
{
	if (d->first != NULL)
		return d->first;
	while (d != top && d->next == NULL)
		d = d->up;
	return d == top ? NULL : d->next;
}

/* In lower case; known elements already have their name. */
static const char *
ahead_name(struct html *h, const struct html_dom *d)
{
	if (d->kind != NULL)
		return d->kind->name;
	return str_c(h->a, str_lower(h->a, html_dom_name(d)));
}

/* Adds it after its older siblings; `last` is the parent's last child. */
static void
ahead_put(struct css_element *e, struct css_element *up,
    struct css_element *prev)
{
	e->whole = e;
	e->nth = 1;
	e->up = up;
	e->prev = prev;
	if (up == NULL)
		return;
	e->nth = ++up->children;
	e->depth = up->depth + 1;
	if (prev != NULL)
		prev->next = e;
	else
		up->first = e;
}

/* The i-th element. */
static void
ahead_read(struct html *h, const struct html_dom *d, struct css_element *e)
{
	struct html_tag t = { 0 };

	html_dom_tag(d, &t);
	e->tag = ahead_name(h, d);
	e->raw = t.raw;
	e->id = html_element_value(h->a, t.attr[HTML_A_ID]);
	e->class = html_element_value(h->a, t.attr[HTML_A_CLASS]);
}

static size_t
ahead_count(const struct html_dom *root)
{
	size_t n = 0;

	for (const struct html_dom *d = root; d != NULL;
	     d = ahead_next(d, root))
		n += !d->text;
	return n < LIMIT_CSS_TREE ? n : LIMIT_CSS_TREE;
}

/* The open element, and its last child. */
struct ahead_open {
	struct css_element *e, *last;
};

void
html_ahead(struct html *h, const struct html_dom *root)
{
	size_t n = ahead_count(root), depth = 0;
	struct ahead_open open[OPEN_MAX] = { { NULL, NULL } }, *up;
	const struct html_dom *d = root;

	h->ahead = arena_array(h->a, n, sizeof(*h->ahead));
	while (d != NULL) {
		up = depth > 0 ? &open[depth - 1] : NULL;
		if (d->text && up != NULL && up->e != NULL)
			up->e->text |= d->s.n > 0;
		if (!d->text) {
			struct css_element *e = &h->ahead[h->ahead_n];

			/* The others are then unknown. */
			if (h->ahead_n == n || depth == OPEN_MAX)
				return;
			h->ahead_n++;
			ahead_read(h, d, e);
			ahead_put(e, up != NULL ? up->e : NULL,
			    up != NULL ? up->last : NULL);
			if (up != NULL)
				up->last = e;
			if (d->first != NULL)
				open[depth++] = (struct ahead_open){ e, NULL };
		}
		if (d->first != NULL) {
			d = d->first;
			continue;
		}
		for (; d != root && d->next == NULL; d = d->up)
			depth--;
		d = d == root ? NULL : d->next;
	}
}

static bool
ahead_has(const struct html_dom *d, struct str name, struct str *value)
{
	*value = S("");
	return html_token_attr(d->s, name, value);
}

/* HTML 4.10.7: a list box shows all options. */
bool
html_ahead_is_menu(const struct html_dom *select)
{
	struct str size;
	uint32_t n = 0;

	if (ahead_has(select, S("multiple"), &size))
		return false;
	return !ahead_has(select, S("size"), &size) ||
	    !str_to_u32(str_trim(size), 1000000, &n) || n <= 1;
}

/* The last selected one, or else the first that is not disabled. */
const struct html_dom *
html_ahead_chosen(const struct html_dom *select)
{
	const struct html_dom *first = NULL, *chosen = NULL;
	struct str v;

	for (const struct html_dom *d = select; d != NULL;
	     d = ahead_next(d, select)) {
		if (d->text || !html_is(d->kind, HTML_N_OPTION))
			continue;
		if (ahead_has(d, S("selected"), &v))
			chosen = d;
		if (first == NULL && !ahead_has(d, S("disabled"), &v) &&
		    !(html_is(d->up->kind, HTML_N_OPTGROUP) &&
			ahead_has(d->up, S("disabled"), &v)))
			first = d;
	}
	return chosen != NULL ? chosen : first;
}
