/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the messages of a change are now: by the names that it left them, or
 * else by Message-ID and digest in the same folder.  A hidden message is looked
 * for like one that is missing.
 */
#include "base/limits.h"
#include "gate/journal_place.h"
#include "gate/undo_plan.h"

enum {
	FEW = 8 /* asked for by Message-ID, each in a request of its own */
};

static struct str
undo_find_folder(const struct undo *u)
{
	return u->of.move ? u->of.target : u->of.folder;
}

/* The numbering in which the change named them. */
static uint32_t
undo_find_uidvalidity(const struct undo *u)
{
	return u->of.move ? u->of.target_uidvalidity : u->of.uidvalidity;
}

static const struct store_journal_message *
undo_find_message(const struct undo *u, const struct undo_item *i)
{
	return &u->of.v[i->at];
}

/* What it was called there; nothing: not known. */
static struct ref
undo_find_ref(const struct undo *u, const struct undo_item *i)
{
	const struct store_journal_message *v = undo_find_message(u, i);

	return u->of.move ? (struct ref){ v->new_uid, v->new_id }
			  : (struct ref){ v->uid, v->id };
}

/* The message is there.  A store that was asked without a folder says where it
 * is. */
static void
undo_find_take(struct undo *u, const struct undo_row *is, struct undo_item *i)
{
	const struct row *row = is->row;
	const struct store_journal_message *v = undo_find_message(u, i);

	if (u->of.move && undo_find_folder(u).n == 0 &&
	    !str_eq(row->folder, v->folder)) {
		i->fate = UNDO_MOVED;
		return;
	}
	i->found = true;
	i->fate = UNDO_BACK;
	i->ref =
	    (struct ref){ row->ref.uid, str_dup(u->m->arena, row->ref.id) };
	i->flags = row->flags;
	i->subject = str_dup(u->m->arena, is->mail.env.subject);
	i->labels = str_dup_all(u->m->arena, &row->labels);
	i->places = str_dup_all(u->m->arena, &row->places);
}

/* -- by name --------------------------------------------------------------- */

/* A page of those whose name is known, from *at on. */
static size_t
undo_find_names(const struct undo *u, size_t *at, struct ref *ref, size_t *of)
{
	size_t n = 0;

	for (; *at < u->n && n < LIMIT_PAGE; (*at)++) {
		struct ref r = undo_find_ref(u, &u->v[*at]);

		if (r.uid == 0 && r.id.n == 0)
			continue;
		of[n] = *at;
		ref[n++] = r;
	}
	return n;
}

/* Is a row of that name the message still? */
static int
undo_find_named(struct undo *u, const struct row *row, struct undo_item *i,
    struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct undo_row is;
	int r;

	undo_judge_read(u, a, row, &is);
	if (!undo_judge_is(&is, undo_find_message(u, i)))
		return 0;
	r = undo_judge_sees(u, a, undo_find_folder(u), &is, e);
	if (r == 1)
		undo_find_take(u, &is, i);
	return r;
}

/* 0: there is no such folder; 1, -1. */
static int
undo_find_by_name(struct undo *u, struct err *e)
{
	uint32_t was = undo_find_uidvalidity(u);
	int there = 1;

	for (size_t at = 0; at < u->n && there == 1;) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		size_t *of = arena_array(a, LIMIT_PAGE, sizeof(*of));
		struct refs refs = { .v = arena_array(a, LIMIT_PAGE,
					 sizeof(*refs.v)) };
		struct folder_state st = { 0 };
		struct rows rows;
		size_t next = 0;

		refs.n = undo_find_names(u, &at, refs.v, of);
		if (refs.n == 0)
			break;
		there = journal_place_rows(u->m, a, undo_find_folder(u), was,
		    &refs, &st, &rows, e);
		if (there < 0)
			return -1;
		u->uidvalidity = st.uidvalidity;
		/* In the order asked, without the missing ones. */
		for (size_t k = 0; k < refs.n && next < rows.n; k++)
			if (journal_place_same_ref(&rows.v[next].ref,
				&refs.v[k]) &&
			    undo_find_named(u, &rows.v[next++], &u->v[of[k]],
				e) < 0)
				return -1;
	}
	return there;
}

/* -- by Message-ID and digest ---------------------------------------------- */

static size_t
undo_find_missing(const struct undo *u)
{
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++)
		n += u->v[i].fate == UNDO_GONE;
	return n;
}

/*
 * Can a row of another name be this message?  While the numbering is the same,
 * one that came back has a higher uid than it had; below that there are only
 * other copies, which the change did not touch.
 */
static bool
undo_find_can_be(const struct undo *u, const struct undo_item *i,
    const struct row *row)
{
	bool same = (u->m->src->be->caps & CAP_UIDS) != 0 &&
	    u->uidvalidity != 0 && u->uidvalidity == undo_find_uidvalidity(u);

	return i->fate == UNDO_GONE &&
	    (!same || row->ref.uid > undo_find_ref(u, i).uid);
}

/* A row is only one message's. */
static int
undo_find_match(struct undo *u, const struct row *row, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = NULL;
	struct undo_row is;

	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].found &&
		    journal_place_same_ref(&u->v[i].ref, &row->ref))
			return 0;
	a = arena_open(LIMIT_ARENA);
	undo_judge_read(u, a, row, &is);
	for (size_t i = 0; i < u->n; i++) {
		int r;

		if (!undo_find_can_be(u, &u->v[i], row) ||
		    !undo_judge_is(&is, undo_find_message(u, &u->v[i])))
			continue;
		r = undo_judge_sees(u, a, undo_find_folder(u), &is, e);
		if (r == 1)
			undo_find_take(u, &is, &u->v[i]);
		return r < 0 ? -1 : 0;
	}
	return 0;
}

/* What was put there last is among the newest. */
static int
undo_find_newest(struct undo *u, struct err *e)
{
	struct journal_place t = { .top = UINT32_MAX };
	size_t pages = undo_find_missing(u) / LIMIT_PAGE + JOURNAL_MORE_PAGES;

	if (uids_learn(u->m, undo_find_folder(u), &t.uids, e) < 0)
		return -1;
	for (; pages > 0 && t.top > 0 && undo_find_missing(u) > 0; pages--) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct folder_state st = { 0 };
		struct rows rows = { 0 };

		if (journal_place_page(u->m, a, undo_find_folder(u), &t, &st,
			&rows, e) < 0)
			return -1;
		u->uidvalidity = st.uidvalidity;
		for (size_t i = 0; i < rows.n; i++)
			if (undo_find_match(u, &rows.v[i], e) < 0)
				return -1;
	}
	return 0;
}

static int
undo_find_by_message_id(struct undo *u, struct err *e)
{
	for (size_t i = 0; i < u->n; i++) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		struct query q = { .folder = undo_find_folder(u),
			.message_id =
			    undo_find_message(u, &u->v[i])->message_id };
		struct folder_state st = { 0 };
		struct rows rows = { 0 };

		if (u->v[i].fate != UNDO_GONE || q.message_id.n == 0)
			continue;
		if (u->m->src->be->find(u->m->conn, a, &q, LIMIT_PAGE, &st,
			&rows, e) < 0)
			return -1;
		u->uidvalidity = st.uidvalidity;
		for (size_t k = 0; k < rows.n; k++)
			if (undo_find_match(u, &rows.v[k], e) < 0)
				return -1;
	}
	return 0;
}

static int
undo_find_again(struct undo *u, struct err *e)
{
	bool uids = (u->m->src->be->caps & CAP_UIDS) != 0;
	bool few = undo_find_missing(u) <= FEW;

	/* Without a folder there are only ids, which do not change. */
	if (undo_find_missing(u) == 0 || undo_find_folder(u).n == 0)
		return 0;
	if (uids && few && undo_find_by_message_id(u, e) < 0)
		return -1;
	if (undo_find_missing(u) > 0 && undo_find_newest(u, e) < 0)
		return -1;
	return uids && !few ? undo_find_by_message_id(u, e) : 0;
}

int
undo_find(struct undo *u, struct err *e)
{
	int r;

	for (size_t i = 0; i < u->n; i++)
		u->v[i].fate = UNDO_GONE;
	r = undo_find_by_name(u, e);
	if (r == 1)
		r = undo_find_again(u, e) < 0 ? -1 : 1;
	if (r < 0 && e->kind == ERR_NOT_FOUND) {
		*e = (struct err){ 0 };
		r = 0;
	}
	for (size_t i = 0; r == 0 && i < u->n; i++)
		u->v[i].fate = UNDO_FOLDER_GONE;
	return r == 1 ? undo_where(u, e) : r;
}
