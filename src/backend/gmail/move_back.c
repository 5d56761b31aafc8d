/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A move is taken back: of the labels that it changed, those that a message had
 * come again, and those that it did not have go.  Messages that differ in that
 * need requests of their own.
 */
#include "backend/gmail/change.h"

void
gmail_move_back_plan(struct arena *a, const struct gmail_label *from,
    const struct gmail_label *to, const struct strs *was,
    struct gmail_change *w)
{
	struct gmail_change did = { 0 }, back = { 0 };

	if (was->n == 0) {
		gmail_move_fill(a, from, to, w);
		return;
	}
	gmail_move_fill(a, to, from, &did);
	gmail_move_fill(a, from, to, &back);
	w->must = back.must;
	for (size_t i = 0; i < did.remove.n; i++)
		if (str_among(was, did.remove.v[i]))
			str_push(a, &w->add, did.remove.v[i]);
	/* All that either way takes from it: into the trash, INBOX, too. */
	for (size_t i = 0; i < back.remove.n; i++)
		if (!str_among(was, back.remove.v[i]))
			str_push(a, &w->remove, back.remove.v[i]);
}

static bool
gmail_move_back_same(const struct strs *x, const struct strs *y)
{
	size_t i = 0;

	while (i < x->n && i < y->n && str_eq(x->v[i], y->v[i]))
		i++;
	return i == x->n && i == y->n;
}

/* The messages that change as the i-th does: done[] is set of them. */
static void
gmail_move_back_group(const struct gmail_change *w, const struct refs *refs,
    size_t i, bool *done, struct refs *out)
{
	out->n = 0;
	for (size_t k = i; k < refs->n; k++) {
		if (done[k] || !gmail_move_back_same(&w[k].add, &w[i].add) ||
		    !gmail_move_back_same(&w[k].remove, &w[i].remove))
			continue;
		done[k] = true;
		out->v[out->n++] = refs->v[k];
	}
}

static int
gmail_move_back_make(struct gmail *g, struct arena *a, struct gmail_change *w,
    const struct refs *refs, struct err *e)
{
	struct refs some = { .v = arena_array(a, refs->n, sizeof(*some.v)) };
	bool *done = arena_array(a, refs->n, sizeof(*done));
	bool made = false;

	for (size_t i = 0; i < refs->n; i++) {
		if (done[i])
			continue;
		gmail_move_back_group(w, refs, i, done, &some);
		w[i].refs = &some;
		if (gmail_change_make(g, &w[i], e) == 0) {
			made = true;
			continue;
		}
		if (!made || e->kind == ERR_NETWORK)
			return -1;
		return err_set(e, ERR_UNKNOWN_OUTCOME,
		    "some of the messages were put back, and others not");
	}
	return 0;
}

int
gmail_move_back(struct conn *c, struct arena *a, struct str folder,
    const struct refs *refs, struct str to, const struct places *was,
    struct err *e)
{
	struct gmail *g = (struct gmail *)c;
	struct gmail_change look = { .folder = folder, .refs = refs };
	struct gmail_change *w;
	struct gmail_label source, target;
	struct refs moved;

	/* What is anywhere has left no folder. */
	if (folder.n == 0)
		return gmail_move(c, a, folder, refs, to, NULL, &moved, e);
	if (gmail_label_find(g, a, folder, &source, e) < 0 ||
	    gmail_move_target(g, a, to, &target, e) < 0)
		return -1;
	w = arena_array(a, refs->n, sizeof(*w));
	for (size_t i = 0; i < refs->n; i++) {
		gmail_move_back_plan(a, &source, &target, &was->v[i], &w[i]);
		look.must = w[i].must;
	}
	if (gmail_change_look(g, &look, e) < 0)
		return -1;
	return gmail_move_back_make(g, a, w, refs, e);
}
