/* SPDX-License-Identifier: Apache-2.0 */
/* Makes threads from messages: with source/thread.h, or the store's own. */
#include "base/limits.h"
#include "gate/thread.h"
#include "source/thread.h"

#include <stdlib.h>

bool
thread_make_names(const struct mail *mail, struct str id)
{
	const struct mime_envelope *v = &mail->env;

	return str_eq(v->message_id, id) || str_among(&v->references, id) ||
	    str_among(&v->in_reply_to, id);
}

static struct thread_in *
thread_make_inputs(struct arena *a, const struct mailbox_thread_messages *l)
{
	struct thread_in *in = arena_array(a, l->n, sizeof(*in));

	for (size_t i = 0; i < l->n; i++) {
		const struct mime_envelope *v = &l->v[i].mail.env;

		in[i] = (struct thread_in){
			.message_id = v->message_id,
			.references = v->references,
			.date_s = v->date_s,
			.has_date = v->has_date,
			.sha256 =
			    l->v[i].sha256.n > 0 ? l->v[i].sha256 : l->v[i].key,
		};
		if (v->in_reply_to.n > 0)
			in[i].in_reply_to = v->in_reply_to.v[0];
	}
	return in;
}

static void
thread_make_members(struct arena *a, const struct mailbox_thread_messages *l,
    const struct thread *t, struct mailbox_thread *out)
{
	out->v = arena_array(a, t->n, sizeof(*out->v));
	out->n = t->n;
	for (size_t i = 0; i < t->n; i++)
		out->v[i] = l->v[t->member[i]];
	out->subject = out->v[0].mail.env.subject;
	out->missing = t->missing;
	out->first_s = t->first_s;
	out->last_s = t->last_s;
	out->date_unknown = t->date_unknown;
	out->over = l->over;
}

static void
thread_make_convert(struct arena *a, const struct mailbox_thread_messages *l,
    const struct thread *t, struct mailbox_thread *out)
{
	*out = (struct mailbox_thread){ 0 };
	out->name.kind = thread_kind_name(t->kind);
	out->name.id = t->id;
	if (t->kind == THREAD_MESSAGE_ID)
		out->root_message_id = t->id;
	thread_make_members(a, l, t, out);
	if (t->root != THREAD_NONE)
		out->subject = l->v[t->root].mail.env.subject;
}

/* In the order of arrival in each folder. */
static int
thread_make_arrival(const void *p, const void *q)
{
	const struct mailbox_thread_message *x = p, *y = q;
	int r = str_cmp(x->folder, y->folder);

	if (r == 0)
		r = (x->ref.uid > y->ref.uid) - (x->ref.uid < y->ref.uid);
	return r != 0 ? r : str_cmp(x->ref.id, y->ref.id);
}

/*
 * The order of arrival breaks ties in source/thread.h, so messages are sorted
 * by it: they are found in an order that depends on their references.
 */
static void
thread_make_arrange(struct arena *a, struct mailbox_thread_messages *l)
{
	thread_copies_drop(a, l);
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), thread_make_arrival);
}

bool
thread_make_one(struct arena *a, struct mailbox_thread_messages *l,
    struct str id, struct mailbox_thread *out)
{
	struct threads t = { 0 };
	size_t at;

	thread_make_arrange(a, l);
	thread_make(a, thread_make_inputs(a, l), l->n, &t);
	at = thread_of(&t, id);
	if (at == THREAD_NONE)
		return false;
	thread_make_convert(a, l, &t.v[at], out);
	out->over = out->over || t.over;
	return true;
}

/* A thread being put onto a page. */
struct entry {
	int64_t last_s;
	struct str id;
	size_t at;
};

static int
by_last(const void *p, const void *q)
{
	const struct entry *x = p, *y = q;

	return thread_cursor_order(x->last_s, x->id, y->last_s, y->id);
}

static bool
thread_make_is_asked_for(const struct mailbox_thread_messages *l,
    const struct thread *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (l->v[t->member[i]].seed)
			return true;
	return false;
}

/* Are both without a Message-ID, and equal as far as their headers show? */
static bool
thread_make_are_alike(const struct entry *x, const struct entry *y)
{
	struct str of_x, of_y, rest;

	return x->id.n > 0 && x->id.p[0] == '~' && x->last_s == y->last_s &&
	    str_cut(x->id, '.', &of_x, &rest) &&
	    str_cut(y->id, '.', &of_y, &rest) && str_eq(of_x, of_y);
}

bool
thread_make_page(struct arena *a, struct mailbox_thread_messages *l,
    const struct thread_cursor *from, size_t limit, struct mailbox_threads *out)
{
	struct threads t = { 0 };
	struct entry *v;
	size_t n = 0, end;

	thread_make_arrange(a, l);
	thread_make(a, thread_make_inputs(a, l), l->n, &t);
	v = arena_array(a, t.n, sizeof(*v));
	for (size_t i = 0; i < t.n; i++)
		if (thread_cursor_is_behind(from, t.v[i].last_s, t.v[i].id) &&
		    thread_make_is_asked_for(l, &t.v[i]))
			v[n++] = (struct entry){ t.v[i].last_s, t.v[i].id, i };
	if (n > 1)
		qsort(v, n, sizeof(*v), by_last);
	end = n < limit ? n : limit;
	/* Messages that may be the same are not separated. */
	while (end > 0 && end < n && end < limit + LIMIT_THREAD_HASHED &&
	    thread_make_are_alike(&v[end - 1], &v[end]))
		end++;
	out->v = arena_array(a, end, sizeof(*out->v));
	out->n = end;
	out->over = l->over || t.over;
	for (size_t i = 0; i < end; i++)
		thread_make_convert(a, l, &t.v[v[i].at], &out->v[i]);
	return end < n;
}

/* Only the oldest message's root: other messages do not change it. */
static struct str
thread_make_root_of(const struct mime_envelope *v)
{
	if (v->references.n > 0)
		return v->references.v[0];
	return v->in_reply_to.n > 0 ? v->in_reply_to.v[0] : v->message_id;
}

/*
 * An archive names a thread by its first message, which may be hidden: then the
 * first visible one is used.
 */
static void
thread_make_name_own(struct mailbox_thread *t)
{
	if (!str_eq(str_of(t->name.kind), S("ponymail-mid")))
		return;
	for (size_t i = 0; i < t->n; i++)
		if (str_eq(t->v[i].ref.id, t->name.id))
			return;
	t->name.id = t->v[0].ref.id;
}

/*
 * The store says what belongs together; source/thread.h only provides the order
 * and what is missing.
 */
void
thread_make_given(struct arena *a, struct mailbox_thread_messages *l,
    const struct mailbox_thread_name *name, struct mailbox_thread *out)
{
	/* An archive's time is the Date, corrected if it is malformed. */
	bool kept = str_eq(str_of(name->kind), S("ponymail-mid"));
	struct thread all = { 0 };
	struct threads t = { 0 };
	bool any = false;

	thread_make(a, thread_make_inputs(a, l), l->n, &t);
	all.member = arena_array(a, l->n, sizeof(*all.member));
	for (size_t i = 0; i < t.n; i++) {
		for (size_t k = 0; k < t.v[i].missing.n; k++)
			str_push(a, &all.missing, t.v[i].missing.v[k]);
		all.date_unknown |= t.v[i].date_unknown;
	}
	for (size_t i = 0; i < l->n; i++) {
		const struct mime_envelope *v = &l->v[i].mail.env;
		size_t at = all.n++;

		if (v->has_date && (!any || v->date_s < all.first_s))
			all.first_s = v->date_s;
		if (v->has_date && (!any || v->date_s > all.last_s))
			all.last_s = v->date_s;
		any = any || v->has_date;
		/* Oldest first; without a date in order of arrival. */
		while (!kept && v->has_date && at > 0 &&
		    l->v[all.member[at - 1]].mail.env.has_date &&
		    l->v[all.member[at - 1]].mail.env.date_s > v->date_s) {
			all.member[at] = all.member[at - 1];
			at--;
		}
		all.member[at] = i;
	}
	*out = (struct mailbox_thread){ .name = *name };
	thread_make_members(a, l, &all, out);
	out->root_message_id = thread_make_root_of(&out->v[0].mail.env);
	thread_make_name_own(out);
}
