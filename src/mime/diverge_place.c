/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hosts and addresses of two texts.  A newsletter's HTML may send every
 * link through a different host than its plain text; a single difference among
 * equal hosts and addresses is suspicious.
 */
#include <stdlib.h>
#include <string.h>

#include "mime/diverge.h"

static int
place_by_id(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

void
diverge_place_find(struct arena *a, struct diverge_text *t,
    const struct diverge_text *other, struct diverge_side *out)
{
	uint32_t *set = arena_array(a, other->places + 1, sizeof(*set));

	if (other->places > 0)
		memcpy(set, other->place, other->places * sizeof(*set));
	qsort(set, other->places, sizeof(*set), place_by_id);
	for (size_t i = 0; i < t->places; i++) {
		if (bsearch(&t->place[i], set, other->places, sizeof(*set),
			place_by_id) != NULL)
			continue;
		t->alone[i] = true;
		out->addresses += t->what[i] == DIVERGE_ADDRESS;
		out->hosts += t->what[i] == DIVERGE_HOST;
		out->links += t->what[i] == DIVERGE_LINK;
	}
}

/* The start of the label before place i. */
static size_t
place_label(struct str host, size_t i)
{
	while (i > 0 && host.p[i - 1] != '.')
		i--;
	return i;
}

/* The registered part of a host's name: "shop.co.uk". */
static struct str
place_domain(struct str host)
{
	size_t top = place_label(host, host.n), second, third;

	if (top < 2)
		return host;
	second = place_label(host, top - 1);
	if (second < 2 || host.n - top > 2 || top - second > 4)
		return str_from(host, second);
	third = place_label(host, second - 1);
	return str_from(host, third);
}

/* The first place of t that has at least `near` words before it. */
static size_t
place_after(const struct diverge_text *t, size_t near)
{
	size_t low = 0, high = t->places;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->near[mid] < near)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The HTML's index for place k of the plain text, or NOWHERE. */
static size_t
place_in(const struct diverge_text *p, size_t k)
{
	size_t i = p->near[k];

	if (i > 0 && p->to[i - 1] != DIVERGE_NOWHERE)
		return p->to[i - 1] + 1;
	return i < p->n ? p->to[i] : DIVERGE_NOWHERE;
}

static bool
place_is_same(const struct diverge_text *p, size_t i,
    const struct diverge_text *h, size_t k)
{
	return p->place[i] == h->place[k] ||
	    (p->what[i] == DIVERGE_HOST &&
		str_eq(place_domain(p->spelt[i]), place_domain(h->spelt[k])));
}

/* Do both texts name the same places after the same words? */
void
diverge_place_compare(const struct diverge_text *p,
    const struct diverge_text *h, struct diverge *out)
{
	for (size_t i = 0; i < p->places; i++) {
		size_t in = place_in(p, i), k;
		bool same = false, other = false;

		if (p->what[i] == DIVERGE_LINK || in == DIVERGE_NOWHERE)
			continue;
		for (k = place_after(h, in);
		     k < h->places && h->near[k] == in && !same; k++) {
			if (h->what[k] != p->what[i])
				continue;
			same = place_is_same(p, i, h, k);
			other |= p->alone[i] || h->alone[k];
		}
		out->kept += same;
		out->moved += other && !same;
	}
}
