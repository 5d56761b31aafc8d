/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an agent changes of mail that stays: flags and folders.  Policy is asked
 * here too, whatever the operation declared; only messages that may be seen are
 * touched, and a call changes all of them or none.  Each change is in the
 * journal before its first command.
 */
#include "gate/changes.h"
#include "gate/held.h"
#include "gate/journal.h"

/* Where a change happens, for policy.  Gmail's labels are folders too. */
static void
mailbox_organise_facts(const struct mailbox *m, const struct mailbox_set *set,
    struct str to, const struct flag_change *change, struct policy_facts *f)
{
	bool folders = str_eq(m->src->acct.backend, S("gmail"));

	*f = (struct policy_facts){ .effect = EFFECT_ORGANISE };
	if (set != NULL && set->folder.n > 0)
		str_push(m->arena, &f->folders, set->folder);
	for (size_t i = 0; set != NULL && i < set->mails.n; i++)
		if (set->folder.n == 0)
			str_push(m->arena, &f->folders, set->mails.v[i].folder);
	if (to.n > 0)
		str_push(m->arena, &f->folders, to);
	for (size_t i = 0; folders && change != NULL && i < change->add.n; i++)
		str_push(m->arena, &f->folders, change->add.v[i]);
	for (size_t i = 0; folders && change != NULL && i < change->drop.n; i++)
		str_push(m->arena, &f->folders, change->drop.v[i]);
}

/* ask: NULL, or becomes whether the operator must agree first. */
static int
mailbox_organise_judge(const struct mailbox *m, const struct mailbox_set *set,
    struct str to, const struct flag_change *change, bool *ask, struct err *e)
{
	struct policy_facts f;
	struct decision d;

	mailbox_organise_facts(m, set, to, change, &f);
	d = policy_decide(m->rules, &f);

	if (ask != NULL)
		*ask = d.verdict == VERDICT_ASK;
	/* The operator is not an agent, so no policy applies. */
	if (d.verdict == VERDICT_ALLOW || (ask != NULL && *ask) ||
	    m->gate->operates != NULL)
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
	e->reason = d.why;
	return -1;
}

unsigned
mailbox_organise_flags(const struct mailbox *m)
{
	return m->src->be->flags;
}

bool
mailbox_organise_labels(const struct mailbox *m)
{
	return (m->src->be->caps & CAP_LABEL) != 0;
}

bool
mailbox_organise_may(const struct mailbox *m)
{
	struct err none = { 0 };

	return mailbox_organise_judge(m, NULL, S(""), NULL, NULL, &none) == 0;
}

/* Can the account change these flags and labels at all? */
static int
mailbox_organise_can_mark(const struct mailbox *m,
    const struct flag_change *change, struct err *e)
{
	const struct backend *be = m->src->be;

	if (change->set & change->clear)
		err_bug("a flag is set and cleared");
	if (!(be->caps & CAP_MARK) ||
	    ((change->set | change->clear) & ~be->flags))
		return err_set(e, ERR_UNSUPPORTED,
		    "this account does not keep that flag");
	if (change->add.n + change->drop.n > 0 && !(be->caps & CAP_LABEL))
		return err_set(e, ERR_UNSUPPORTED,
		    "this account does not keep labels");
	return 0;
}

static int
mailbox_organise_can_move(const struct mailbox *m, struct err *e)
{
	if (m->src->be->caps & CAP_MOVE)
		return 0;
	return err_set(e, ERR_UNSUPPORTED,
	    "messages of this account cannot be moved");
}

/* change NULL: a move. */
static int
mailbox_organise_check_can(const struct mailbox *m,
    const struct flag_change *change, struct err *e)
{
	return change != NULL ? mailbox_organise_can_mark(m, change, e)
			      : mailbox_organise_can_move(m, e);
}

/* With an error: agent and operator find the change, and undo it, by this. */
int
mailbox_organise_name(struct mailbox *m, const struct store_journal *row, int r)
{
	struct json *j;

	if (r == 0 || row->id == 0)
		return r;
	j = json_new(m->arena);
	json_open_object(j, NULL);
	json_put_int(j, "change", row->id);
	json_put_text(j, "state", store_journal_word(row->state));
	json_close_object(j);
	m->call->detail = j;
	return r;
}

static struct store_journal
mailbox_organise_row(const struct flag_change *change)
{
	return (struct store_journal){ .set = change->set,
		.clear = change->clear,
		.add = change->add,
		.drop = change->drop };
}

static struct flag_change
mailbox_organise_marks_of(const struct store_journal *row)
{
	return (struct flag_change){ .set = row->set,
		.clear = row->clear,
		.add = row->add,
		.drop = row->drop };
}

/* Nothing is sent before the row is written. */
static int
mailbox_organise_do_mark(struct mailbox *m, const struct mailbox_set *set,
    struct store_journal *row, struct err *e)
{
	const struct flag_change change = mailbox_organise_marks_of(row);
	int r;

	if (journal_settle_before(m, set, e) < 0 ||
	    journal_begin(m, set, row, e) < 0)
		return -1;
	r = m->src->be->mark(m->conn, m->arena, set->folder, &set->refs,
	    &change, e);
	r = journal_end(m, row, r, NULL, e);
	if (r == 0)
		gate_note(m->call,
		    str_fmt(m->arena, "marked %zu", set->refs.n));
	return mailbox_organise_name(m, row, r);
}

static int
mailbox_organise_do_move(struct mailbox *m, const struct mailbox_set *set,
    struct refs *moved, struct store_journal *row, struct err *e)
{
	int r;

	if (journal_settle_before(m, set, e) < 0 ||
	    journal_begin(m, set, row, e) < 0)
		return -1;
	r = journal_move(m, row, &set->refs, NULL, row->target, moved, e);
	r = journal_end(m, row, r, moved, e);
	if (r == 0)
		gate_note(m->call, str_fmt(m->arena, "moved %zu", set->refs.n));
	return mailbox_organise_name(m, row, r);
}

/* -- by the names of an agent's own mailbox -------------------------------- */

static int
mailbox_organise_pick(struct mailbox *m, const struct mailbox_pick *p,
    struct mailbox_set *set, struct mails *out, struct err *e)
{
	if (mailbox_pick(m, p, out, e) < 0)
		return -1;
	*set = (struct mailbox_set){ .folder = p->folder, .mails = *out };
	mailbox_pick_refs(m->arena, p, &set->refs);
	return 0;
}

int
mailbox_organise_mark(struct mailbox *m, const struct mailbox_pick *p,
    const struct flag_change *change, struct mails *out, struct err *e)
{
	struct store_journal row = mailbox_organise_row(change);
	struct mailbox_set set;

	if (mailbox_organise_judge(m, NULL, S(""), change, NULL, e) < 0 ||
	    mailbox_organise_can_mark(m, change, e) < 0 ||
	    mailbox_organise_pick(m, p, &set, out, e) < 0 ||
	    mailbox_organise_judge(m, &set, S(""), change, NULL, e) < 0 ||
	    mailbox_organise_do_mark(m, &set, &row, e) < 0)
		return -1;
	return mailbox_pick(m, &(struct mailbox_pick){ .id = p->id, .n = p->n },
	    out, e);
}

int
mailbox_organise_move(struct mailbox *m, const struct mailbox_pick *p,
    struct str to, struct mails *out, struct err *e)
{
	struct store_journal row = { .move = true, .target = to };
	struct mailbox_set set;
	struct refs moved = { 0 };
	struct strs ids = { 0 };

	if (mailbox_organise_judge(m, NULL, to, NULL, NULL, e) < 0 ||
	    mailbox_organise_can_move(m, e) < 0 ||
	    mailbox_organise_pick(m, p, &set, out, e) < 0 ||
	    mailbox_organise_judge(m, &set, to, NULL, NULL, e) < 0)
		return -1;
	if (mailbox_organise_do_move(m, &set, &moved, &row, e) < 0) {
		/* The messages were there. */
		if (e->kind == ERR_NOT_FOUND) {
			(void)err_set(e, ERR_NOT_FOUND,
			    "the mailbox has no box of that name");
			e->reason = "box_not_found";
		}
		return -1;
	}
	for (size_t i = 0; i < set.refs.n; i++)
		str_push(m->arena, &ids,
		    i < moved.n && moved.v[i].id.n > 0 ? moved.v[i].id
						       : p->id[i]);
	return mailbox_pick(m,
	    &(struct mailbox_pick){ .id = ids.v, .n = ids.n }, out, e);
}

/* -- by uids --------------------------------------------------------------- */

void
mailbox_organise_told(struct arena *a, const struct store_journal *row,
    struct mailbox_change *out)
{
	size_t n = 0;

	changes_tell(row, out);
	out->result = arena_array(a, row->n, sizeof(*out->result));
	for (size_t i = 0; i < row->n; i++) {
		const struct store_journal_message *v = &row->v[i];

		out->result[i] = (struct mailbox_changed){ v->uid,
			v->done ? v->new_uid : 0, v->done };
		n += v->done;
	}
	out->done = n;
}

int
mailbox_organise_mark_set(struct mailbox *m, const struct mailbox_set *set,
    const struct flag_change *change, struct mailbox_change *out, struct err *e)
{
	struct store_journal row = mailbox_organise_row(change);
	bool ask;

	if (mailbox_organise_judge(m, set, S(""), change, &ask, e) < 0 ||
	    mailbox_organise_can_mark(m, change, e) < 0)
		return -1;
	if (ask)
		return held_put(m, set, &row, e);
	if (mailbox_organise_do_mark(m, set, &row, e) < 0)
		return -1;
	mailbox_organise_told(m->arena, &row, out);
	return 0;
}

int
mailbox_organise_move_set(struct mailbox *m, const struct mailbox_set *set,
    struct str to, struct mailbox_change *out, struct err *e)
{
	struct store_journal row = { .move = true, .target = to };
	struct refs moved = { 0 };
	bool ask;

	if (mailbox_organise_judge(m, set, to, NULL, &ask, e) < 0 ||
	    mailbox_organise_can_move(m, e) < 0)
		return -1;
	if (ask)
		return held_put(m, set, &row, e);
	if (mailbox_organise_do_move(m, set, &moved, &row, e) < 0)
		return -1;
	mailbox_organise_told(m->arena, &row, out);
	return 0;
}

int
mailbox_organise_release(struct mailbox *m, const struct mailbox_set *set,
    const struct store_journal *what, struct mailbox_change *out, struct err *e)
{
	const struct flag_change change = mailbox_organise_marks_of(what);
	struct store_journal row = *what;
	struct refs moved = { 0 };
	bool ask;

	if (mailbox_organise_judge(m, set, what->target,
		what->move ? NULL : &change, &ask, e) < 0 ||
	    mailbox_organise_check_can(m, what->move ? NULL : &change, e) < 0)
		return -1;
	if ((what->move ? mailbox_organise_do_move(m, set, &moved, &row, e)
			: mailbox_organise_do_mark(m, set, &row, e)) < 0)
		return -1;
	mailbox_organise_told(m->arena, &row, out);
	return 0;
}

int
mailbox_organise_check(const struct mailbox *m, struct str folder,
    struct str to, const struct flag_change *change, struct err *e)
{
	const struct mailbox_set set = { .folder = folder };

	bool ask;

	if (mailbox_organise_judge(m, &set, to, change, &ask, e) < 0)
		return -1;
	return mailbox_organise_check_can(m, change, e);
}
