/* SPDX-License-Identifier: Apache-2.0 */
/* Images: their alternative texts, and tracking pixels. */
#include "base/limits.h"
#include "html/tree.h"

#define TINY 2.0 /* px */

static struct str
html_image_value(struct html *h, const struct html_tag *t, enum html_attr which)
{
	return str_trim(html_element_value(h->a, t->attr[which]));
}

/* Is it fetched from a server, which then knows about the reading? */
static bool
html_image_is_remote(struct str src)
{
	return str_starts_case(src, S("http:")) ||
	    str_starts_case(src, S("https:")) || str_starts(src, S("//"));
}

static double
html_image_size(const struct css_list *l, enum css_prop p)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->d[i].prop == p && l->d[i].kind == CSS_PX)
			return l->d[i].n;
	return 1000;
}

void
html_image(struct html *h, const struct html_tag *t)
{
	struct html_node *up = h->node[h->depth - 1];
	struct html_node *n = &h->image;
	struct str alt = html_image_value(h, t, HTML_A_ALT);
	double wide, high;
	bool tiny;

	n->e.tag = "img";
	n->e.raw = t->raw;
	n->e.up = &up->e;
	html_style_of(h, n, up, t);
	wide = html_image_size(&n->list, CSS_WIDTH);
	high = html_image_size(&n->list, CSS_HEIGHT);
	tiny = (wide <= TINY && high <= TINY) || wide <= 0 || high <= 0;
	if ((tiny || n->style.gone || n->style.invisible) &&
	    html_image_is_remote(html_image_value(h, t, HTML_A_SRC)))
		h->found->tracking++;
	if (n->style.gone || tiny)
		return;
	html_fall_image(h, wide, high);
	if (html_fall_is_far(h))
		return;
	h->url_image = true;
	if (html_unseen_words(alt) && h->alts.n < LIMIT_MIME_LINKS)
		str_push(h->a, &h->alts, alt);
}
