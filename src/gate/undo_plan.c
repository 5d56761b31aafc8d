/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of a change is to be put back: what it changed itself, where that is
 * still as it left it.  No I/O.
 */
#include "gate/undo_plan.h"

const char *
undo_plan_word(enum undo_fate fate)
{
	static const char *const words[UNDO_FATES] = {
		[UNDO_PART] = "changed",
		[UNDO_CHANGED] = "changed",
		[UNDO_MOVED] = "moved",
		[UNDO_COPIED] = "copied",
		[UNDO_GONE] = "gone",
		[UNDO_FOLDER_GONE] = "folder_gone",
		[UNDO_FAILED] = "failed",
		[UNDO_BEGUN] = "begun",
	};

	return words[fate];
}

/* Those of `all` that are in `in`, or not in it. */
static struct strs
undo_plan_among(struct arena *a, const struct strs *all, const struct strs *in,
    bool among)
{
	struct strs out = { 0 };

	for (size_t i = 0; i < all->n; i++)
		if (str_among_case(in, all->v[i]) == among)
			str_push(a, &out, all->v[i]);
	return out;
}

static size_t
undo_plan_parts(const struct flag_change *c)
{
	return (size_t)__builtin_popcount(c->set | c->clear) + c->add.n +
	    c->drop.n;
}

void
undo_plan_wanted(struct arena *a, const struct store_journal *row,
    const struct store_journal_message *v, struct flag_change *out)
{
	out->set = row->set & ~v->kept;
	out->clear = row->clear & ~v->kept;
	out->add = undo_plan_among(a, &row->add, &v->kept_labels, false);
	out->drop = undo_plan_among(a, &row->drop, &v->kept_labels, false);
}

enum undo_fate
undo_plan_mark(struct arena *a, const struct store_journal *of,
    const struct store_journal_message *v, unsigned flags,
    const struct strs *labels, struct flag_change *out)
{
	struct flag_change did;

	undo_plan_wanted(a, of, v, &did);
	did.set &= ~v->flags;
	did.clear &= v->flags;
	did.add = undo_plan_among(a, &did.add, &v->labels, false);
	did.drop = undo_plan_among(a, &did.drop, &v->labels, true);
	*out = (struct flag_change){
		.set = did.clear & ~flags,
		.clear = did.set & flags,
		.add = undo_plan_among(a, &did.drop, labels, false),
		.drop = undo_plan_among(a, &did.add, labels, true),
	};
	if (undo_plan_parts(&did) == 0)
		return UNDO_NOTHING;
	if (undo_plan_parts(out) == 0)
		return UNDO_CHANGED;
	return undo_plan_parts(out) < undo_plan_parts(&did) ? UNDO_PART
							    : UNDO_BACK;
}

void
undo_plan_row(const struct store_journal *of, struct store_journal *out)
{
	*out = (struct store_journal){
		.undoes = of->id,
		.move = of->move,
		.folder = of->move ? of->target : of->folder,
		.target = of->move ? of->folder : S(""),
		.set = of->clear,
		.clear = of->set,
		.add = of->drop,
		.drop = of->add,
	};
}

void
undo_plan_keep(struct arena *a, const struct store_journal *row,
    const struct flag_change *change, struct store_journal_message *v)
{
	struct strs more = undo_plan_among(a, &row->drop, &change->drop, false);

	v->kept = (row->set | row->clear) & ~(change->set | change->clear);
	v->kept_labels = undo_plan_among(a, &row->add, &change->add, false);
	for (size_t i = 0; i < more.n; i++)
		str_push(a, &v->kept_labels, more.v[i]);
}

static bool
undo_plan_same_labels(const struct strs *x, const struct strs *y)
{
	size_t i = 0;

	while (i < x->n && i < y->n && str_eq(x->v[i], y->v[i]))
		i++;
	return i == x->n && i == y->n;
}

bool
undo_plan_same(const struct flag_change *x, const struct flag_change *y)
{
	return x->set == y->set && x->clear == y->clear &&
	    undo_plan_same_labels(&x->add, &y->add) &&
	    undo_plan_same_labels(&x->drop, &y->drop);
}
