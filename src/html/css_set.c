/* SPDX-License-Identifier: Apache-2.0 */
/* The cascade: the one declaration that counts for each property. */
#include "html/css.h"

#define LIST_SMALL 16
#define LAYERS_ALL (1023ULL << CSS_RANK_LAYER)

static void
css_set_put_maybe(struct css_set *set, const struct css_decl *d, uint64_t rank)
{
	if (set->maybes == CSS_SET_MAYBES) {
		set->unknown = true;
		return;
	}
	set->maybe[set->maybes] = *d;
	set->maybe_rank[set->maybes++] = rank;
}

/* "--name" of "--name: value". */
static struct str
css_set_custom_name(const struct css_decl *d)
{
	struct str name, value;

	(void)str_cut(d->text, ':', &name, &value);
	return css_text_trim(name);
}

/* A maybe that would win makes the other one uncertain. */
static void
css_set_put_custom(struct css_set *set, const struct css_decl *d, uint64_t rank)
{
	struct str name = css_set_custom_name(d);
	size_t i = 0;

	if (set->custom == NULL) {
		set->custom =
		    arena_array(set->a, CSS_SET_CUSTOMS, sizeof(*set->custom));
		set->custom_rank = arena_array(set->a, CSS_SET_CUSTOMS,
		    sizeof(*set->custom_rank));
	}
	while (i < set->customs &&
	    !str_eq(css_set_custom_name(&set->custom[i]), name))
		i++;
	if (i == CSS_SET_CUSTOMS) {
		set->unknown = true;
		return;
	}
	if (i < set->customs && rank < set->custom_rank[i])
		return;
	set->customs += i == set->customs;
	set->custom[i] = *d;
	set->custom_rank[i] = rank;
}

void
css_set_put(struct css_set *set, const struct css_decl *d, uint64_t rank)
{
	/* Among important declarations the first layer is the strongest. */
	if (d->important)
		rank = (rank ^ LAYERS_ALL) + CSS_RANK_IMPORTANT;
	set->later |= d->kind == CSS_LATER;
	if (d->prop == CSS_CUSTOM) {
		css_set_put_custom(set, d, rank);
	} else if (d->maybe) {
		css_set_put_maybe(set, d, rank);
	} else if (!(set->has >> d->prop & 1) || rank >= set->rank[d->prop]) {
		set->has |= 1ULL << d->prop;
		set->d[d->prop] = *d;
		set->rank[d->prop] = rank;
		set->reverts |= d->kind == CSS_REVERT;
	}
}

void
css_set_put_all(struct css_set *set, const struct css_decl *d, size_t n,
    uint64_t rank)
{
	for (size_t i = 0; i < n; i++)
		css_set_put(set, &d[i], rank);
}

bool
css_set_revert(struct css_set *set)
{
	bool reverts = set->reverts;

	for (uint64_t left = set->has; reverts && left != 0; left &= left - 1) {
		size_t p = (size_t)__builtin_ctzll(left);

		if (set->d[p].kind == CSS_REVERT)
			set->has &= ~(1ULL << p);
	}
	set->reverts = false;
	return reverts;
}

void
css_set_list(struct arena *a, struct css_set *set, struct css_list *out)
{
	size_t most = set->maybes;

	out->n = out->states = 0;
	out->sure = out->turns = false;
	out->unknown = set->unknown;
	if (set->has == 0 && set->maybes == 0)
		return;
	for (uint64_t left = set->has; left != 0; left &= left - 1)
		most++;
	/* Most sets are small: a small list is discarded at most once. */
	if (out->room < most) {
		out->room =
		    most > LIST_SMALL ? CSS_PROPS + CSS_SET_MAYBES : LIST_SMALL;
		out->d = arena_array(a, out->room, sizeof(*out->d));
	}
	for (uint64_t left = set->has; left != 0; left &= left - 1)
		out->d[out->n++] = set->d[__builtin_ctzll(left)];
	/* A maybe that a certain declaration overrides is dropped. */
	for (size_t i = 0; i < set->maybes; i++) {
		size_t p = set->maybe[i].prop;

		if (!(set->has >> p & 1) || set->maybe_rank[i] >= set->rank[p])
			out->d[out->n++] = set->maybe[i];
	}
}
