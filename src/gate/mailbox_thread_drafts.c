/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drafts that wait for a person to send them.  A draft belongs to a thread if
 * the thread contains it, or if it answers one of its messages: either alone is
 * unreliable.
 */
#include "gate/thread.h"

struct waiting {
	struct mailbox *m;
	const struct mailbox_thread *t;
};

static bool
mailbox_thread_drafts_answers(void *ctx, const struct row *row,
    const struct mail *mail)
{
	const struct waiting *w = ctx;

	if (row->thread.n > 0 && str_eq(row->thread, w->t->name.id))
		return true;
	if (thread_make_names(mail, w->t->root_message_id))
		return w->t->root_message_id.n > 0;
	for (size_t i = 0; i < w->t->n; i++) {
		struct str id = w->t->v[i].mail.env.message_id;

		if (id.n > 0 && thread_make_names(mail, id))
			return true;
	}
	return false;
}

static int
mailbox_thread_drafts_gather(struct mailbox *m, const struct thread_want *want,
    struct mailbox_thread_messages *out, struct err *e)
{
	const struct query q = { 0 };
	struct thread_places places;
	struct str folder = { 0 };

	*out = (struct mailbox_thread_messages){ 0 };
	if (thread_place_find(m, &places, e) < 0)
		return -1;
	/* The backend's folder for drafts, even if it is the inbox. */
	if (m->src->be->caps & CAP_DRAFT) {
		if (m->src->be->drafts(m->conn, m->arena, &folder, e) < 0)
			return -1;
		places.v[THREAD_DRAFTS].folder = folder;
	}
	return thread_rows(m, &places, THREAD_DRAFTS, &q, want, out, e);
}

int
mailbox_thread_drafts(struct mailbox *m, struct mailbox_thread_messages *out,
    struct err *e)
{
	const struct thread_want every = { 0 };

	return mailbox_thread_drafts_gather(m, &every, out, e);
}

int
mailbox_thread_drafts_of(struct mailbox *m, const struct mailbox_thread *t,
    struct mailbox_thread_messages *out, struct err *e)
{
	struct waiting w = { m, t };
	const struct thread_want want = { mailbox_thread_drafts_answers, &w };
	size_t n;

	if (mailbox_thread_drafts_gather(m, &want, out, e) < 0)
		return -1;
	/* Those that are elsewhere. */
	n = out->n;
	for (size_t i = 0; i < t->n; i++) {
		const struct mailbox_thread_message *x = &t->v[i];
		size_t k = 0;

		while (k < n &&
		    (out->v[k].ref.uid != x->ref.uid ||
			!str_eq(out->v[k].ref.id, x->ref.id)))
			k++;
		if (!x->draft || k < n)
			continue;
		out->v = arena_grow(m->arena, out->v, out->n * sizeof(*out->v),
		    (out->n + 1) * sizeof(*out->v));
		out->v[out->n++] = *x;
	}
	return 0;
}

struct str
mailbox_thread_drafts_id(struct arena *a,
    const struct mailbox_thread_message *msg)
{
	if (msg->draft_id.n > 0)
		return msg->draft_id;
	if (msg->ref.id.n > 0)
		return msg->ref.id;
	return str_fmt(a, "%.*s;%u", STR_ARG(msg->folder), msg->ref.uid);
}
