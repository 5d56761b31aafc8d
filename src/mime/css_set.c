/* The cascade: of all declarations for an element, the one that counts. */
#include "mime/css.h"

#define LIST_SMALL 16

static void
put_maybe(struct css_set *set, const struct css_decl *d, uint64_t rank)
{
	if (set->maybes == CSS_SET_MAYBES) {
		set->unknown = true;
		return;
	}
	set->maybe[set->maybes] = *d;
	set->maybe_rank[set->maybes++] = rank;
}

void
css_set_put(struct css_set *set, const struct css_decl *d, uint64_t rank)
{
	if (d->important)
		rank += CSS_RANK_IMPORTANT;
	if (d->maybe) {
		put_maybe(set, d, rank);
	} else if (!(set->has >> d->prop & 1) || rank >= set->rank[d->prop]) {
		set->has |= 1ULL << d->prop;
		set->d[d->prop] = *d;
		set->rank[d->prop] = rank;
	}
}

void
css_set_put_all(struct css_set *set, const struct css_decl *d, size_t n,
    uint64_t rank)
{
	for (size_t i = 0; i < n; i++)
		css_set_put(set, &d[i], rank);
}

void
css_set_list(struct arena *a, const struct css_set *set, struct css_list *out)
{
	size_t most = set->maybes;

	out->n = 0;
	out->unknown = set->unknown;
	if (set->has == 0 && set->maybes == 0)
		return;
	for (uint64_t left = set->has; left != 0; left &= left - 1)
		most++;
	/* Few say much: a small list is thrown away once at most. */
	if (out->room < most) {
		out->room =
		    most > LIST_SMALL ? CSS_PROPS + CSS_SET_MAYBES : LIST_SMALL;
		out->d = arena_array(a, out->room, sizeof(*out->d));
	}
	for (uint64_t left = set->has; left != 0; left &= left - 1)
		out->d[out->n++] = set->d[__builtin_ctzll(left)];
	/* A maybe that something sure overrides cannot be. */
	for (size_t i = 0; i < set->maybes; i++) {
		size_t p = set->maybe[i].prop;

		if (!(set->has >> p & 1) || set->maybe_rank[i] >= set->rank[p])
			out->d[out->n++] = set->maybe[i];
	}
}
