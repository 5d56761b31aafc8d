/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts messages back, in as few requests as they allow: those that were marked
 * alike are marked together, and those of one folder are moved together.
 */
#include "gate/changes.h"
#include "gate/undo_plan.h"

/* -- the row --------------------------------------------------------------- */

static bool
undo_run_takes(const struct undo_item *i)
{
	return i->fate == UNDO_BACK || i->fate == UNDO_PART ||
	    i->fate == UNDO_NOTHING;
}

static void
undo_run_fill(struct undo *u, struct store_journal *row)
{
	row->uidvalidity = u->uidvalidity;
	row->v = arena_array(u->m->arena, u->n, sizeof(*row->v));
	row->n = 0;
	for (size_t i = 0; i < u->n; i++) {
		const struct undo_item *it = &u->v[i];
		const struct store_journal_message *of = &u->of.v[it->at];
		struct store_journal_message *v = &row->v[row->n];

		if (!undo_run_takes(it))
			continue;
		*v = (struct store_journal_message){
			.uid = it->ref.uid,
			.id = it->ref.id,
			.folder = of->folder,
			.message_id = of->message_id,
			.flags = it->flags,
			.labels = it->labels,
			.places = it->places,
			.origin = (uint32_t)it->at,
		};
		memcpy(v->digest, of->digest, sizeof(v->digest));
		if (!row->move)
			undo_plan_keep(u->m->arena, row, &it->change, v);
		row->n++;
	}
}

/* -- the requests ---------------------------------------------------------- */

/* Messages that one request is about: their places in the row. */
struct group {
	struct refs refs;
	size_t *at;
	struct flag_change change;
	struct str to;
};

static void
undo_run_add(const struct store_journal *row, size_t i, struct group *g,
    bool *taken)
{
	taken[i] = true;
	g->at[g->refs.n] = i;
	g->refs.v[g->refs.n++] = (struct ref){ row->v[i].uid, row->v[i].id };
}

/* Those like the first that is not taken; false: all are. */
static bool
undo_run_next(struct undo *u, const struct store_journal *row, bool *taken,
    struct group *g)
{
	struct arena *a = u->m->arena;
	size_t first = 0;

	while (first < row->n && taken[first])
		first++;
	*g = (struct group){ 0 };
	if (first == row->n)
		return false;
	g->refs.v = arena_array(a, row->n, sizeof(*g->refs.v));
	g->at = arena_array(a, row->n, sizeof(*g->at));
	g->to = journal_to(row, &row->v[first]);
	undo_plan_wanted(a, row, &row->v[first], &g->change);
	undo_run_add(row, first, g, taken);
	for (size_t i = first + 1; i < row->n; i++) {
		struct flag_change c;

		if (taken[i])
			continue;
		undo_plan_wanted(a, row, &row->v[i], &c);
		if (row->move ? str_eq(journal_to(row, &row->v[i]), g->to)
			      : undo_plan_same(&c, &g->change))
			undo_run_add(row, i, g, taken);
	}
	return true;
}

static bool
undo_run_is_empty(const struct store_journal *row, const struct group *g)
{
	return !row->move && (g->change.set | g->change.clear) == 0 &&
	    g->change.add.n + g->change.drop.n == 0;
}

/* Where the store knows it, each is again in what it was in. */
static int
undo_run_move(struct undo *u, struct store_journal *row, const struct group *g,
    struct refs *told, struct err *e)
{
	const struct backend *be = u->m->src->be;
	struct arena *a = u->m->arena;
	struct places was = { .n = g->refs.n };

	if (!(be->caps & CAP_PLACES))
		return journal_move(u->m, row, &g->refs, g->at, g->to, told, e);
	was.v = arena_array(a, was.n, sizeof(*was.v));
	for (size_t i = 0; i < was.n; i++)
		was.v[i] = u->of.v[row->v[g->at[i]].origin].places;
	*told = g->refs;
	return be->move_back(u->m->conn, a, row->folder, &g->refs, g->to, &was,
	    e);
}

static int
undo_run_group(struct undo *u, struct store_journal *row, const struct group *g,
    struct refs *moved, struct err *e)
{
	const struct backend *be = u->m->src->be;
	struct refs told = { 0 };

	if (!row->move)
		return be->mark(u->m->conn, u->m->arena, row->folder, &g->refs,
		    &g->change, e);
	if (undo_run_move(u, row, g, &told, e) < 0)
		return -1;
	for (size_t i = 0; i < g->refs.n && i < told.n; i++)
		moved->v[g->at[i]] = told.v[i];
	return 0;
}

int
undo_run(struct undo *u, struct store_journal *row, struct err *e)
{
	struct refs moved = { 0 };
	size_t made = 0;
	struct group g;
	bool *taken;
	int r = 0;

	undo_run_fill(u, row);
	if (journal_write(u->m, row, e) < 0) {
		row->id = 0;
		return -1;
	}
	taken = arena_array(u->m->arena, row->n, sizeof(*taken));
	moved.v = arena_array(u->m->arena, row->n, sizeof(*moved.v));
	moved.n = row->n;
	while (r == 0 && undo_run_next(u, row, taken, &g)) {
		if (undo_run_is_empty(row, &g))
			continue;
		r = undo_run_group(u, row, &g, &moved, e);
		made += r == 0;
	}
	r = (made > 0 ? journal_finish : journal_end)(u->m, row, r,
	    row->move ? &moved : NULL, e);
	return mailbox_organise_name(u->m, row, r);
}
