/*
 * What an agent changes of mail that stays: flags and folders.  Policy is asked
 * here too, whatever the operation declared; only messages that may be seen are
 * touched, and a call changes all of them or none.
 */
#include "gate/internal.h"

static int
mailbox_organise_judge(const struct mailbox *m, struct err *e)
{
	const struct policy_facts f = { .effect = EFFECT_ORGANISE };
	struct decision d = policy_decide(m->rules, &f);

	if (d.verdict == VERDICT_ALLOW)
		return 0;
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", d.why);
	e->reason = d.why;
	return -1;
}

/* For the audit row; how many are hidden it never says. */
static void
mailbox_organise_note(struct mailbox *m, const char *done, size_t n)
{
	struct str was = m->call->note;

	m->call->note = str_fmt(m->arena, "%.*s%s%s %zu", STR_ARG(was),
	    was.n > 0 ? "; " : "", done, n);
}

unsigned
mailbox_organise_flags(const struct mailbox *m)
{
	return m->src->be->flags;
}

bool
mailbox_organise_may(const struct mailbox *m)
{
	struct err none = { 0 };

	return mailbox_organise_judge(m, &none) == 0;
}

int
mailbox_organise_mark(struct mailbox *m, const struct mailbox_pick *p,
    const struct flag_change *change, struct mails *out, struct err *e)
{
	const struct backend *be = m->src->be;
	struct refs refs;

	if (change->set & change->clear)
		err_bug("a flag is set and cleared");
	if (mailbox_organise_judge(m, e) < 0)
		return -1;
	if ((change->set | change->clear) & ~be->flags)
		return err_set(e, ERR_UNSUPPORTED,
		    "this account does not keep that flag");
	if (mailbox_pick(m, p, out, e) < 0)
		return -1;
	mailbox_pick_refs(m->arena, p, &refs);
	if (be->mark(m->conn, m->arena, p->folder, &refs, change, e) < 0)
		return -1;
	mailbox_organise_note(m, "marked", refs.n);
	return mailbox_pick(m, &(struct mailbox_pick){ .id = p->id, .n = p->n },
	    out, e);
}

int
mailbox_organise_move(struct mailbox *m, const struct mailbox_pick *p,
    struct str to, struct mails *out, struct err *e)
{
	const struct backend *be = m->src->be;
	struct refs refs, moved = { 0 };
	struct strs ids = { 0 };

	if (mailbox_organise_judge(m, e) < 0)
		return -1;
	if (!(be->caps & CAP_MOVE))
		return err_set(e, ERR_UNSUPPORTED,
		    "messages of this account cannot be moved");
	if (mailbox_pick(m, p, out, e) < 0)
		return -1;
	mailbox_pick_refs(m->arena, p, &refs);
	if (be->move(m->conn, m->arena, p->folder, &refs, to, &moved, e) < 0) {
		/* The messages were there. */
		if (e->kind == ERR_NOT_FOUND) {
			(void)err_set(e, ERR_NOT_FOUND,
			    "the mailbox has no box of that name");
			e->reason = "box_not_found";
		}
		return -1;
	}
	mailbox_organise_note(m, "moved", refs.n);
	for (size_t i = 0; i < refs.n; i++)
		str_push(m->arena, &ids,
		    i < moved.n && moved.v[i].id.n > 0 ? moved.v[i].id
						       : p->id[i]);
	return mailbox_pick(m,
	    &(struct mailbox_pick){ .id = ids.v, .n = ids.n }, out, e);
}
