/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HTML to text: builds the tree of the page as a browser does, and writes the
 * visible part of the tree.  Sheets may come after the elements that they
 * style, and elements move: neither is known before the whole page has been
 * read.
 */
#include <string.h>

#include "html/tree.h"

#define WORK_MAX (64UL << 20) /* steps of matching, for the largest page */
#define WORK_MIN (1UL << 20)  /* for the smallest page */

/* Has nothing been written or counted as hidden? */
static bool
html_says_nothing(const struct html *h)
{
	if (h->out.n > 0 || h->out.over)
		return false;
	for (size_t i = 0; i < HTML_HIDDENS; i++)
		if (h->found->hidden[i] > 0)
			return false;
	return true;
}

/* Clears only the counters: the buffers are large, and mostly unused. */
static void
html_init(struct html *h)
{
	memset(h, 0, offsetof(struct html, node));
	memset(&h->set, 0, offsetof(struct css_set, d));
	memset(&h->block, 0, offsetof(struct css_block, d));
}

/* Reads the whole page once. */
static void
html_read(struct html *h, struct arena *a, struct str page, size_t max,
    struct html_found *found)
{
	const struct html_dom *root;
	struct str rest;

	html_init(h);
	memset(found, 0, sizeof(*found));
	h->a = h->sheet.a = a;
	h->found = found;
	h->quirks = true;
	h->work = page.n < WORK_MAX / 8 ? 8 * page.n + WORK_MIN : WORK_MAX;
	h->link_colour = 0x0000EEFF;
	buf_init(&h->out, a, max);
	root = html_build(h, page, &rest);
	if (h->sheet.whole)
		html_ahead(h, root);
	html_walk(h, root);
	if (rest.n > 0) {
		h->lost = true;
		html_walk_text(h, rest);
	}
	html_walk_end(h);
	html_link_close(h);
	html_unseen_alts(h);
	/* Without a reason an empty text would look like an empty mail. */
	if (html_says_nothing(h) && html_walk_has_words(root))
		found->hidden[HTML_HIDDEN_UNKNOWN]++;
	found->over |= h->out.over || h->sheet.over;
	found->link = h->links;
	found->links = h->links_n;
}

struct str
html_here(struct arena *a, struct str html, size_t max,
    struct html_found *found)
{
	struct html_found none;
	struct html h;
	struct str out;

	html_read(&h, a, html, max, found != NULL ? found : &none);
	h.out.over = false;
	out = buf_view(&h.out);
	while (out.n > 0 && out.p[out.n - 1] == '\n')
		out.n--;
	if (out.n > 0 && out.n < max) {
		h.out.n = out.n;
		buf_char(&h.out, '\n');
		out = buf_view(&h.out);
	}
	return out;
}

static html_reader *elsewhere;

void
html_elsewhere(html_reader *reader)
{
	elsewhere = reader;
}

struct str
html_text(struct arena *a, struct str html, size_t max,
    struct html_found *found)
{
	return (elsewhere != NULL ? elsewhere : html_here)(a, html, max, found);
}
