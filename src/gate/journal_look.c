/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What became of a change, as the server shows it.  A message is known by its
 * uid or id and the digest of its header; one that was moved, by the digest in
 * the target: journal_target.c.
 */
#include "base/limits.h"
#include "gate/journal_place.h"
#include "gate/judge.h"

bool
journal_look_is_marked(const struct store_journal *row,
    const struct store_journal_message *v, unsigned flags,
    const struct strs *labels)
{
	unsigned set = row->set & ~v->kept, clear = row->clear & ~v->kept;

	if ((flags & set) != set || (flags & clear) != 0)
		return false;
	for (size_t i = 0; i < row->add.n; i++)
		if (!str_among_case(labels, row->add.v[i]) &&
		    !str_among_case(&v->kept_labels, row->add.v[i]))
			return false;
	for (size_t i = 0; i < row->drop.n; i++)
		if (str_among_case(labels, row->drop.v[i]) &&
		    !str_among_case(&v->kept_labels, row->drop.v[i]))
			return false;
	return true;
}

static bool
journal_look_is(struct mailbox *m, struct arena *a, const struct row *row,
    const unsigned char digest[STORE_JOURNAL_DIGEST])
{
	unsigned char is[STORE_JOURNAL_DIGEST];
	struct mail mail;

	/* Whether it may be seen was asked when the change was made. */
	(void)judge_row(m, a, row, &mail);
	journal_message_digest(&mail, is);
	return memcmp(is, digest, sizeof(is)) == 0;
}

/* -- where it was ---------------------------------------------------------- */

/* Is it still where it was?  Otherwise it is looked for. */
static void
journal_look_take(struct mailbox *m, struct arena *a, struct store_journal *j,
    size_t i, const struct row *row, bool *there)
{
	struct store_journal_message *v = &j->v[i];

	if (!journal_look_is(m, a, row, v->digest))
		return;
	there[i] = true;
	if (!j->move) {
		v->done =
		    journal_look_is_marked(j, v, row->flags, &row->labels);
		return;
	}
	/* Asked for in all folders; a target's name may be a word for it. */
	v->done = j->folder.n == 0 && !str_eq(row->folder, v->folder);
	v->new_id = v->done ? v->id : S("");
}

/* The same of one that leaves no folder of everything. */
static void
journal_look_take_there(struct mailbox *m, struct arena *a,
    struct store_journal *j, size_t i, const struct row *row, bool *there)
{
	struct store_journal_message *v = &j->v[i];

	if (!journal_look_is(m, a, row, v->digest))
		return;
	there[i] = v->done = true;
	v->new_id = v->id;
}

/* Its id is the same in the target, and it has left where it was. */
static void
journal_look_take_moved(struct mailbox *m, struct arena *a,
    struct store_journal *j, size_t i, const struct row *row, bool *there)
{
	if (!there[i])
		journal_look_take_there(m, a, j, i, row, there);
}

static bool
journal_look_is_same(const struct strs *x, const struct strs *y)
{
	for (size_t i = 0; i < x->n; i++)
		if (!str_among(y, x->v[i]))
			return false;
	return x->n == y->n;
}

/* What is put back may stay where it was, too: then it is in more than it was.
 */
static void
journal_look_take_back(struct mailbox *m, struct arena *a,
    struct store_journal *j, size_t i, const struct row *row, bool *there)
{
	const struct store_journal_message *v = &j->v[i];

	if (there[i] &&
	    (v->places.n == 0 ||
		journal_look_is_same(&v->places, &row->places) ||
		(j->target.n == 0 && !str_eq(row->folder, v->folder))))
		return;
	journal_look_take_there(m, a, j, i, row, there);
}

/* A copy whose name was written down; `there`: it is. */
static void
journal_look_take_copy(struct mailbox *m, struct arena *a,
    struct store_journal *j, size_t i, const struct row *row, bool *there)
{
	there[i] = journal_look_is(m, a, row, j->v[i].digest);
}

typedef void journal_look_taken(struct mailbox *m, struct arena *a,
    struct store_journal *j, size_t i, const struct row *row, bool *there);

/*
 * By the names that they had, or that their copies have, in that folder.  1;
 * 0: that folder is gone, or was made again; -1.
 */
static int
journal_look_by_name(struct mailbox *m, struct store_journal *j,
    struct str folder, journal_look_taken *take, bool *there, struct err *e)
{
	const bool copies = take == journal_look_take_copy;
	const uint32_t uidvalidity =
	    copies ? j->target_uidvalidity : j->uidvalidity;
	int r = 1;

	for (size_t i = 0; i < j->n && r == 1; i += LIMIT_PAGE) {
		CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
		size_t some = j->n - i < LIMIT_PAGE ? j->n - i : LIMIT_PAGE;
		struct refs refs = { arena_array(a, some, sizeof(*refs.v)),
			some };
		struct folder_state st = { 0 };
		struct rows rows;
		size_t at = 0;

		for (size_t k = 0; k < some; k++) {
			const struct store_journal_message *v = &j->v[i + k];

			refs.v[k] = copies ? (struct ref){ .uid = v->new_uid }
					   : (struct ref){ v->uid, v->id };
		}
		r = journal_place_rows(m, a, folder, uidvalidity, &refs, &st,
		    &rows, e);
		if (r < 0)
			return -1;
		if ((m->src->be->caps & CAP_UIDS) && uidvalidity != 0 &&
		    st.uidvalidity != uidvalidity)
			return 0;
		/* In the order asked, without the missing ones. */
		for (size_t k = 0; k < some && at < rows.n; k++)
			if (journal_place_same_ref(&rows.v[at].ref, &refs.v[k]))
				take(m, a, j, i + k, &rows.v[at++], there);
	}
	return r;
}

/* -- one or the other ------------------------------------------------------ */

/* Do messages of this folder stay in it, wherever they are moved?  1, 0, -1. */
static int
journal_look_is_all(struct mailbox *m, struct str folder, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	struct folders f = { 0 };

	if (m->src->be->folders(m->conn, a, &f, e) < 0)
		return -1;
	for (size_t i = 0; i < f.n; i++)
		if (str_eq(f.v[i].name, folder))
			return f.v[i].role == FOLDER_ALL;
	return 0;
}

/* Where a message keeps its id, it is asked for by that. */
static int
journal_look_by_id(struct mailbox *m, struct store_journal *row, bool *there,
    struct err *e)
{
	bool stays = false;
	int all = 0;

	for (size_t i = 0; i < row->n; i++)
		stays = stays || (there[i] && !row->v[i].done);
	if (stays && row->folder.n > 0)
		all = journal_look_is_all(m, row->folder, e);
	if (all < 0)
		return -1;
	return journal_look_by_name(m, row, row->target,
		   all                    ? journal_look_take_there
		       : row->undoes != 0 ? journal_look_take_back
					  : journal_look_take_moved,
		   there, e) < 0
	    ? -1
	    : 0;
}

/*
 * Of copies that were written down.  Others in the target may have the same
 * header, so digests are asked only where it has other numbers now.  known: was
 * the folder the same still?  A target that cannot be read shows nothing
 * against what was written.
 */
static int
journal_look_copies(struct mailbox *m, struct store_journal *row,
    const bool *there, bool known, struct err *e)
{
	bool *shown = arena_array(m->arena, row->n, sizeof(*shown));
	int r = journal_look_by_name(m, row, row->target,
	    journal_look_take_copy, shown, e);

	if (r < 0 && !journal_is_answer(e))
		return -1;
	*e = (struct err){ 0 };
	for (size_t i = 0; i < row->n; i++) {
		row->v[i].done = known && !there[i] && (shown[i] || r < 0);
		if (!shown[i] && r >= 0)
			row->v[i].new_uid = 0;
	}
	return r == 0 ? 0 : 1;
}

static int
journal_look_moved(struct mailbox *m, struct store_journal *row, bool *there,
    struct err *e)
{
	if (!(m->src->be->caps & CAP_UIDS) &&
	    journal_look_by_id(m, row, there, e) < 0)
		return -1;
	/* Where each has a target of its own, its id was looked for. */
	if (row->target.n == 0 || journal_target(m, row, there, e) == 0)
		return 0;
	if (e->kind != ERR_NOT_FOUND)
		return -1;
	*e = (struct err){ 0 }; /* there is no such folder now */
	return 0;
}

int
journal_look(struct mailbox *m, struct store_journal *row, struct err *e)
{
	const bool copies = store_journal_has_copies(row);
	bool *there = arena_array(m->arena, row->n, sizeof(*there));
	int r, known;

	for (size_t i = 0; i < row->n; i++) {
		row->v[i].done = false;
		if (!copies)
			row->v[i].new_uid = 0;
		row->v[i].new_id = S("");
	}
	known = journal_look_by_name(m, row, row->folder, journal_look_take,
	    there, e);
	if (known < 0)
		return -1;
	if (!row->move)
		return 0;
	if (copies) {
		r = journal_look_copies(m, row, there, known == 1, e);
		/* Without the folder nobody can tell a copy from the rest. */
		if (r != 0 || known == 0)
			return r < 0 ? -1 : 0;
	}
	return journal_look_moved(m, row, there, e);
}

/* -- a few of them --------------------------------------------------------- */

/* The first and the last, by the names that they have now. */
static bool
journal_look_pair(const struct store_journal *j,
    const struct store_journal_message *const which[2], struct ref ref[2])
{
	for (size_t i = 0; i < j->n && j->move; i++)
		if (j->v[i].new_uid == 0 && j->v[i].new_id.n == 0)
			return false;
	for (size_t i = 0; i < 2; i++)
		ref[i] = j->move
		    ? (struct ref){ which[i]->new_uid, which[i]->new_id }
		    : (struct ref){ which[i]->uid, which[i]->id };
	return true;
}

int
journal_look_sample(struct mailbox *m, struct store_journal *row, struct err *e)
{
	CLEANUP(arena_close) struct arena *a = arena_open(LIMIT_ARENA);
	const struct store_journal_message *which[2] = { &row->v[0],
		&row->v[row->n - 1] };
	struct ref ref[2];
	struct refs refs = { ref, row->n > 1 ? 2 : 1 };
	struct folder_state st = { 0 };
	struct rows rows;

	if (!journal_look_pair(row, which, ref))
		return 0;
	if (journal_place_rows(m, a, row->move ? row->target : row->folder,
		row->move ? 0 : row->uidvalidity, &refs, &st, &rows, e) < 0)
		return -1;
	if (rows.n != refs.n)
		return 0;
	for (size_t i = 0; i < rows.n && i < 2; i++)
		if (!journal_look_is(m, a, &rows.v[i], which[i]->digest) ||
		    (!row->move &&
			!journal_look_is_marked(row, which[i], rows.v[i].flags,
			    &rows.v[i].labels)))
			return 0;
	if (row->move)
		row->target_uidvalidity = st.uidvalidity;
	return 1;
}
