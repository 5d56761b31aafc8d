/* SPDX-License-Identifier: Apache-2.0 */
/* One change is taken back. */
#include "base/limits.h"
#include "gate/journal_place.h"
#include "gate/undo_plan.h"

/* Those that were changed and are not put back yet. */
static void
undo_begin(struct mailbox *m, const struct store_journal *of, struct undo *u)
{
	*u = (struct undo){ .m = m, .of = *of };
	u->v = arena_array(m->arena, of->n, sizeof(*u->v));
	for (size_t i = 0; i < of->n; i++) {
		u->before += of->v[i].undone;
		if (of->v[i].done && !of->v[i].undone)
			u->v[u->n++] = (struct undo_item){ .at = i };
	}
}

/* Is the folder that they go back to still there? */
static int
undo_look_back(struct undo *u, struct err *e)
{
	const struct undo_item *first = NULL;
	struct folder_state st = { 0 };
	struct refs refs = { .n = 1 };
	struct rows rows;
	struct ref ref;
	int there;

	for (size_t i = 0; i < u->n && first == NULL; i++)
		if (u->v[i].fate == UNDO_BACK)
			first = &u->v[i];
	/* Without a folder each was in one of its own. */
	if (first == NULL || u->of.folder.n == 0)
		return 0;
	ref = (struct ref){ u->of.v[first->at].uid, u->of.v[first->at].id };
	refs.v = &ref;
	there = journal_place_rows(u->m, u->m->arena, u->of.folder, 0, &refs,
	    &st, &rows, e);
	for (size_t i = 0; there == 0 && i < u->n; i++)
		if (u->v[i].fate == UNDO_BACK)
			u->v[i].fate = UNDO_FOLDER_GONE;
	return there < 0 ? -1 : 0;
}

/* Once more would make a second copy. */
static int
undo_look_copied(struct undo *u, struct err *e)
{
	bool *copied = arena_array(u->m->arena, u->of.n, sizeof(*copied));

	if (store_journal_undo_copied(u->m->gate->store, u->of.id, copied,
		u->of.n, e) < 0)
		return -1;
	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].fate == UNDO_BACK && copied[u->v[i].at])
			u->v[i].fate = UNDO_COPIED;
	return 0;
}

static int
undo_look(struct undo *u, struct err *e)
{
	if (u->n == 0)
		return 0;
	if (undo_find(u, e) < 0)
		return -1;
	if (u->of.move)
		return undo_look_copied(u, e) < 0 ? -1 : undo_look_back(u, e);
	for (size_t i = 0; i < u->n; i++) {
		struct undo_item *it = &u->v[i];

		if (it->fate == UNDO_BACK)
			it->fate = undo_plan_mark(u->m->arena, &u->of,
			    &u->of.v[it->at], it->flags, &it->labels,
			    &it->change);
	}
	return 0;
}

/* -- what is told ---------------------------------------------------------- */

static void
undo_tell_left(struct undo *u, const struct undo_item *it, struct undone *out)
{
	const struct store_journal_message *v = &u->of.v[it->at];

	out->left[out->lefts++] = (struct undo_left){ v->uid, v->message_id,
		undo_plan_word(it->fate) };
}

/* Before it is done: all that can be done. */
static void
undo_tell(struct undo *u, struct undone *out)
{
	*out = (struct undone){
		.undoes = u->of.id,
		.account = u->of.account,
		.agent = u->of.principal,
		.move = u->of.move,
		.folder = u->of.folder,
		.before = u->before,
		.state = store_journal_word(u->of.state),
		.uid = arena_array(u->m->arena, u->n, sizeof(*out->uid)),
		.now = arena_array(u->m->arena, u->n, sizeof(*out->now)),
		.left = arena_array(u->m->arena, u->n, sizeof(*out->left)),
	};
	for (size_t i = 0; i < u->n; i++) {
		const struct undo_item *it = &u->v[i];

		if (it->fate == UNDO_BACK || it->fate == UNDO_PART) {
			out->now[out->n] = u->of.move ? 0 : it->ref.uid;
			out->uid[out->n++] = u->of.v[it->at].uid;
		}
		if (undo_plan_word(it->fate) != NULL)
			undo_tell_left(u, it, out);
	}
}

/* Afterwards: what the server did. */
static int
undo_tell_done(struct undo *u, const struct store_journal *row,
    struct undone *out, struct err *e)
{
	struct store_journal now;
	size_t k = 0;

	for (size_t i = 0; i < u->n; i++) {
		struct undo_item *it = &u->v[i];

		if (k == row->n || row->v[k].origin != it->at)
			continue;
		if (!row->v[k].done)
			it->fate = UNDO_FAILED;
		/* Whatever is only marked keeps its uid. */
		if (u->of.move)
			it->ref.uid = row->v[k].new_uid;
		k++;
	}
	if (store_journal_get(u->m->gate->store, u->m->arena, u->of.id, &now,
		e) < 0)
		return -1;
	undo_tell(u, out);
	for (size_t i = 0, n = 0; u->of.move && i < u->n; i++)
		if (u->v[i].fate == UNDO_BACK)
			out->now[n++] = u->v[i].ref.uid;
	out->change = row->id;
	out->state = store_journal_word(now.state);
	return 0;
}

void
undo_tell_begun(struct arena *a, const struct store_journal *of,
    struct undone *out)
{
	struct undo u = { .of = *of };

	*out = (struct undone){
		.undoes = of->id,
		.account = of->account,
		.agent = of->principal,
		.move = of->move,
		.folder = of->folder,
		.state = store_journal_word(of->state),
		.left = arena_array(a, of->n, sizeof(*out->left)),
	};
	for (size_t i = 0; i < of->n; i++) {
		const struct undo_item it = { .at = i, .fate = UNDO_BEGUN };

		if (of->v[i].undone)
			out->before++;
		else
			undo_tell_left(&u, &it, out);
	}
}

/* -- doing it -------------------------------------------------------------- */

static bool
undo_is_due(const struct undo *u)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].fate == UNDO_BACK || u->v[i].fate == UNDO_PART ||
		    u->v[i].fate == UNDO_NOTHING)
			return true;
	return false;
}

/* May and can it be done, where the messages are and where they go? */
static int
undo_check(struct mailbox *m, const struct store_journal *row,
    const struct store_journal *of, const struct flag_change *change,
    struct err *e)
{
	bool each = of->folder.n == 0 || (of->move && of->target.n == 0);

	for (size_t i = 0; i < (each ? of->n : 1); i++) {
		const struct store_journal_message *v = &of->v[i];
		struct str to = of->move ? journal_from(of, v) : S("");
		struct str from =
		    of->move ? journal_to(of, v) : journal_from(of, v);

		if (mailbox_organise_check(m, from, to,
			row->move ? NULL : change, e) < 0)
			return -1;
	}
	return 0;
}

/* The person is asked before many are put back, and rules may change
 * meanwhile. */
static int
undo_ask(struct undo *u, const struct store_journal *row, struct err *e)
{
	struct flag_change change = { row->set, row->clear, row->add,
		row->drop };
	struct mails l = { .v = arena_array(u->m->arena, u->n, sizeof(*l.v)) };

	for (size_t i = 0; i < u->n; i++)
		if (u->v[i].fate == UNDO_BACK || u->v[i].fate == UNDO_PART)
			l.v[l.n++].env.subject = u->v[i].subject;
	if (gate_consent_change(u->m->call, &l, e) < 0)
		return -1;
	return undo_check(u->m, row, &u->of, &change, e);
}

/* All of it, unless it is only to be told. */
static int
undo_make(struct undo *u, bool dry, struct store_journal *row,
    struct undone *out, struct err *e)
{
	undo_plan_row(&u->of, row);
	if (undo_look(u, e) < 0)
		return -1;
	undo_tell(u, out);
	if (dry || !undo_is_due(u))
		return 0;
	if (undo_ask(u, row, e) < 0)
		return -1;
	if (undo_run(u, row, e) == 0)
		return undo_tell_done(u, row, out, e);
	out->change = row->id;
	out->n = 0;
	return -1;
}

int
undo_one(struct mailbox *m, const struct store_journal *of, bool dry,
    struct undone *out, struct err *e)
{
	struct store_journal row;
	struct flag_change change;
	struct undo u;

	if (of->state == STORE_JOURNAL_BEGUN) {
		(void)err_set(e, ERR_LIMIT,
		    "this change is not over, or what it did is not known yet");
		return err_hint(e,
		    dry && store_journal_has_copies(of)
			? "without dry_run it is finished first, and then "
			  "undone"
			: "try again");
	}
	undo_plan_row(of, &row);
	change = (struct flag_change){ row.set, row.clear, row.add, row.drop };
	if (undo_check(m, &row, of, &change, e) < 0)
		return -1;
	for (;;) {
		struct err none = { 0 };

		undo_begin(m, of, &u);
		if (undo_make(&u, dry, &row, out, e) == 0)
			return 0;
		/* Another call changes some of them: look again after it. */
		if (row.behind == 0 || journal_await(m, row.behind, &none) <= 0)
			return -1;
		*e = none;
	}
}
