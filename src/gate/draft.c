/* SPDX-License-Identifier: Apache-2.0 */
/* Creates drafts. */
#include "gate/draft_plan.h"

#include "mime/subject.h"

static int
draft_refuse(struct err *e, const char *why, const char *say)
{
	(void)err_set(e, ERR_POLICY, "refused by policy: %s", say);
	e->reason = why;
	return -1;
}

static int
draft_read_thread(struct draft_plan *p, struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	struct mailbox_thread_name name;

	p->threaded = p->ask->thread.n > 0;
	if (!p->threaded)
		return 0;
	if (thread_name_read(m, p->ask->thread, &name, e) < 0)
		return -1;
	return mailbox_thread(m, &name, &p->thread, e);
}

/* For a draft without a thread: the same subject, and a common recipient. */
static bool
draft_is_alike(const struct draft_plan *p, const struct mail *mail)
{
	struct arena *a = p->d->mailbox->arena;
	const struct addresses *to = &mail->env.to;

	if (!str_eq_case(subject_root(a, mail->env.subject),
		subject_root(a, p->ask->subject)))
		return false;
	for (size_t i = 0; i < to->n; i++)
		for (size_t k = 0; k < p->p.judged.n; k++)
			if (str_eq_case(to->v[i].addr, p->p.judged.v[k]))
				return true;
	return false;
}

/* Finds waiting drafts, in the list of drafts or in the thread. */
static int
draft_find_waiting(struct draft_plan *p, struct strs *out, struct err *e)
{
	struct mailbox *m = p->d->mailbox;
	struct mailbox_thread_messages l;
	int r = p->threaded ? mailbox_thread_drafts_of(m, &p->thread, &l, e)
			    : mailbox_thread_drafts(m, &l, e);

	if (r < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++)
		if (p->threaded || draft_is_alike(p, &l.v[i].mail))
			str_push(m->arena, out,
			    mailbox_thread_drafts_id(m->arena, &l.v[i]));
	return 0;
}

/* Was it made before, and sent since? */
static bool
draft_was_sent(const struct draft_plan *p)
{
	for (size_t i = 0; p->threaded && i < p->thread.n; i++)
		if (!p->thread.v[i].draft &&
		    str_eq(p->thread.v[i].mail.env.message_id, p->message_id))
			return true;
	return false;
}

/* For an account that only replies: is each recipient in the thread? */
static bool
draft_is_in_scope(const struct draft_plan *p, struct str addr)
{
	struct arena *a = p->d->mailbox->arena;

	for (size_t i = 0; i < p->thread.n; i++) {
		const struct mime_envelope *v = &p->thread.v[i].mail.env;
		const struct addresses *l[] = { &v->from, &v->reply_to, &v->to,
			&v->cc };

		for (size_t k = 0; k < 4 && !p->thread.v[i].draft; k++) {
			for (size_t j = 0; j < l[k]->n; j++) {
				struct err none = { 0 };
				struct str one;

				if (address_canonical(a, l[k]->v[j].addr, &one,
					&none) == 0 &&
				    str_eq(one, addr))
					return true;
			}
		}
	}
	return false;
}

/* Judges the actual recipients, and not only those that were given. */
static int
draft_judge_people(struct draft_plan *p, struct err *e)
{
	const struct policy_facts f = { .effect = EFFECT_DRAFT,
		.to = p->p.judged };
	struct decision d = policy_decide(p->d->rules, &f);

	if (d.verdict != VERDICT_ALLOW)
		return draft_refuse(e, d.why, d.why);
	if (!p->d->mailbox->src->acct.scope_thread)
		return 0;
	for (size_t i = 0; i < p->p.judged.n; i++)
		if (!draft_is_in_scope(p, p->p.judged.v[i]))
			return draft_refuse(e, "scope_thread", "scope_thread");
	return 0;
}

/* 1: it already exists, and *out describes it. */
static int
draft_look_before(struct draft_plan *p, struct str folder,
    struct draft_made *out, struct err *e)
{
	struct row row;
	int r = draft_put_find(p, folder, &row, e);

	if (r < 0)
		return -1;
	if (r == 1) {
		draft_put_tell(p, folder, &row, out);
		out->again = true;
		return 1;
	}
	if (draft_was_sent(p))
		return draft_refuse(e, "draft_sent",
		    "this very draft was made before, and sent");
	if (p->ask->another.n > 0)
		return 0;
	if (draft_find_waiting(p, &out->waiting, e) < 0)
		return -1;
	if (out->waiting.n > 0)
		return draft_refuse(e, "draft_pending",
		    "this thread already has a draft; to make another, "
		    "give a reason");
	return 0;
}

int
draft_create(struct draft *d, const struct draft_ask *ask,
    struct draft_made *out, struct err *e)
{
	struct mailbox *m = d->mailbox;
	struct draft_plan p = { .d = d, .ask = ask };
	struct mailbox_thread_address to;
	struct err none = { 0 };
	struct str folder;
	int r;

	*out = (struct draft_made){ 0 };
	if (str_trim(ask->body).n == 0)
		return err_set(e, ERR_USAGE, "body is empty");
	if (mailbox_open(m, e) < 0)
		return -1;
	if (!(m->src->be->caps & CAP_DRAFT))
		return err_set(e, ERR_UNSUPPORTED, "this source has no drafts");
	if (m->src->be->drafts(m->conn, m->arena, &folder, e) < 0 ||
	    draft_read_thread(&p, e) < 0 || draft_plan_make(&p, e) < 0 ||
	    draft_judge_people(&p, e) < 0 || draft_plan_key(&p, e) < 0)
		return -1;
	r = draft_look_before(&p, folder, out, e);
	if (r == 0)
		r = ask->dry ? draft_put_try(&p, folder, out, e)
			     : draft_put(&p, folder, out, e);
	if (r < 0)
		return -1;
	if (p.threaded &&
	    mailbox_thread_url(m, &p.thread, false, &to, &none) == 0)
		out->url = to.url;
	return 0;
}
