/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages that are not where a change left them: has somebody moved them, or
 * are they gone?  This is only told, so that it is not looked for everywhere.
 */
#include "base/limits.h"
#include "gate/journal_place.h"
#include "gate/undo_plan.h"

enum {
	ASKED = 200 /* requests of one undo */
};

/* The next that is missing, from *at on. */
static struct undo_item *
undo_where_next(struct undo *u, size_t *at)
{
	while (*at < u->n && u->v[*at].fate != UNDO_GONE)
		(*at)++;
	return *at < u->n ? &u->v[(*at)++] : NULL;
}

static int
undo_where_take(struct undo *u, struct arena *a, struct str folder,
    const struct row *row, struct undo_item *i, struct err *e)
{
	int r = undo_judge(u, a, folder, row, &u->of.v[i->at], e);

	if (r == 1)
		i->fate = UNDO_MOVED;
	return r;
}

/* A page of those that are missing, from *at on. */
static int
undo_where_page_by_id(struct undo *u, struct arena *a, struct str folder,
    size_t *at, struct err *e)
{
	size_t *of = arena_array(a, LIMIT_PAGE, sizeof(*of));
	struct refs refs = { .v = arena_array(a, LIMIT_PAGE, sizeof(*refs.v)) };
	struct folder_state st = { 0 };
	struct undo_item *i;
	struct rows rows;
	size_t next = 0;

	while (refs.n < LIMIT_PAGE && (i = undo_where_next(u, at)) != NULL) {
		const struct store_journal_message *v = &u->of.v[i->at];

		of[refs.n] = (size_t)(i - u->v);
		refs.v[refs.n++] =
		    (struct ref){ 0, v->new_id.n > 0 ? v->new_id : v->id };
	}
	if (refs.n == 0)
		return 0;
	if (journal_place_rows(u->m, a, folder, 0, &refs, &st, &rows, e) < 0)
		return -1;
	for (size_t k = 0; k < refs.n && next < rows.n; k++)
		if (journal_place_same_ref(&rows.v[next].ref, &refs.v[k]) &&
		    undo_where_take(u, a, folder, &rows.v[next++], &u->v[of[k]],
			e) < 0)
			return -1;
	return 0;
}

/* By ids that stay the same; in any folder if it is empty. */
static int
undo_where_by_id(struct undo *u, struct str folder, struct err *e)
{
	for (size_t at = 0; at < u->n;) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);

		if (undo_where_page_by_id(u, a, folder, &at, e) < 0)
			return -1;
	}
	return 0;
}

static int
undo_where_by_message_id(struct undo *u, struct arena *a, struct str folder,
    size_t *asked, struct err *e)
{
	struct undo_item *i;
	size_t at = 0;

	while (*asked < ASKED && (i = undo_where_next(u, &at)) != NULL) {
		struct query q = { .folder = folder,
			.message_id = u->of.v[i->at].message_id };
		struct folder_state st = { 0 };
		struct rows rows = { 0 };

		if (q.message_id.n == 0)
			continue;
		(*asked)++;
		if (u->m->src->be->find(u->m->conn, a, &q, LIMIT_PAGE, &st,
			&rows, e) < 0)
			return -1;
		for (size_t k = 0; k < rows.n && i->fate == UNDO_GONE; k++)
			if (undo_where_take(u, a, folder, &rows.v[k], i, e) < 0)
				return -1;
	}
	return 0;
}

static int
undo_where_in_folders(struct undo *u, struct err *e)
{
	bool uids = (u->m->src->be->caps & CAP_UIDS) != 0;
	struct folders l = { 0 };
	size_t asked = 0;

	if (u->m->src->be->folders(u->m->conn, u->m->arena, &l, e) < 0)
		return -1;
	for (size_t i = 0; i < l.n && asked < ASKED; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		int r;

		/* Where they were, there are only other copies. */
		if (!l.v[i].selectable ||
		    str_eq(l.v[i].name,
			u->of.move ? u->of.target : u->of.folder))
			continue;
		if (uids) {
			r = undo_where_by_message_id(u, a, l.v[i].name, &asked,
			    e);
		} else {
			asked++;
			r = undo_where_by_id(u, l.v[i].name, e);
		}
		if (r < 0 && e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
	}
	return 0;
}

int
undo_where(struct undo *u, struct err *e)
{
	unsigned caps = u->m->src->be->caps;
	size_t at = 0;

	if (undo_where_next(u, &at) == NULL)
		return 0;
	if (!(caps & CAP_UIDS) && (caps & CAP_THREADS) && (caps & CAP_MARK))
		return undo_where_by_id(u, S(""), e);
	return undo_where_in_folders(u, e);
}
