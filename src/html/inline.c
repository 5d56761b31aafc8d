/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Style attributes as declarations.  Mail repeats the same styles many times:
 * the last one read of each hash value is kept.
 */
#include <string.h>

#include "html/tree.h"

#define DECLS_MAX 16 /* declarations of a kept style */

static size_t
html_inline_slot(struct str s)
{
	uint64_t hash = s.n, w;
	size_t i = 0;

	for (; s.n - i >= sizeof(w); i += sizeof(w)) {
		memcpy(&w, s.p + i, sizeof(w));
		hash = (hash ^ w) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	for (; i < s.n; i++)
		hash = (hash ^ (unsigned char)s.p[i]) *
		    UINT64_C(0x9E3779B97F4A7C15);
	return (size_t)(hash >> 32) % HTML_INLINES;
}

/* Reads it; a style over the block's limit sets `over`. */
static void
html_inline_read_style(struct html *h, struct str s)
{
	h->block.n = 0;
	h->block.over = false;
	if (memchr(s.p, '&', s.n) != NULL)
		s = html_element_value(h->a, s);
	css_decl_read_all(&h->block, css_text_plain(h->a, s));
}

void
html_inline_put(struct html *h, struct str style)
{
	struct html_inline *k;

	if (style.n == 0)
		return;
	k = &h->inline_style[html_inline_slot(style)];
	if (!str_eq(k->text, style)) {
		html_inline_read_style(h, style);
		if (h->block.n > DECLS_MAX || h->block.over) {
			css_set_put_all(&h->set, h->block.d, h->block.n,
			    CSS_RANK_INLINE);
			h->set.unknown |= h->block.over;
			return;
		}
		if (k->d == NULL)
			k->d = arena_array(h->a, DECLS_MAX, sizeof(*k->d));
		k->text = style;
		k->n = h->block.n;
		memcpy(k->d, h->block.d, k->n * sizeof(*k->d));
	}
	css_set_put_all(&h->set, k->d, k->n, CSS_RANK_INLINE);
}
