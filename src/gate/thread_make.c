/* From messages to threads: the engine's (source/thread.h), or the store's. */
#include "base/limits.h"
#include "gate/thread.h"
#include "source/thread.h"

bool
thread_make_names(const struct mail *mail, struct str id)
{
	const struct mime_envelope *v = &mail->env;

	return str_eq(v->message_id, id) || str_among(&v->references, id) ||
	    str_among(&v->in_reply_to, id);
}

static struct thread_in *
inputs(struct arena *a, const struct mailbox_thread_messages *l)
{
	struct thread_in *in = arena_array(a, l->n, sizeof(*in));

	for (size_t i = 0; i < l->n; i++) {
		const struct mime_envelope *v = &l->v[i].mail.env;

		in[i] = (struct thread_in){
			.message_id = v->message_id,
			.references = v->references,
			.date_s = v->date_s,
			.has_date = v->has_date,
			.sha256 = l->v[i].sha256,
		};
		if (v->in_reply_to.n > 0)
			in[i].in_reply_to = v->in_reply_to.v[0];
	}
	return in;
}

static void
members(struct arena *a, const struct mailbox_thread_messages *l,
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
convert(struct arena *a, const struct mailbox_thread_messages *l,
    const struct thread *t, struct mailbox_thread *out)
{
	*out = (struct mailbox_thread){ 0 };
	out->name.kind = thread_kind_name(t->kind);
	out->name.id = t->id;
	if (t->kind == THREAD_MESSAGE_ID)
		out->root_message_id = t->id;
	members(a, l, t, out);
	if (t->root != THREAD_NONE)
		out->subject = l->v[t->root].mail.env.subject;
}

/* In the order of arrival in each folder. */
static int
arrival(const void *p, const void *q)
{
	const struct mailbox_thread_message *x = p, *y = q;
	int r = str_cmp(x->folder, y->folder);

	if (r == 0)
		r = (x->ref.uid > y->ref.uid) - (x->ref.uid < y->ref.uid);
	return r != 0 ? r : str_cmp(x->ref.id, y->ref.id);
}

/*
 * The engine breaks ties by what came first, and so do we: messages are found
 * in an order that hangs on who answers whom.
 */
static void
arrange(struct mailbox_thread_messages *l)
{
	if (l->n > 1)
		qsort(l->v, l->n, sizeof(*l->v), arrival);
}

void
thread_make_all(struct arena *a, struct mailbox_thread_messages *l,
    struct mailbox_threads *out)
{
	struct threads t = { 0 };

	arrange(l);
	thread_make(a, inputs(a, l), l->n, &t);
	out->v = arena_array(a, t.n, sizeof(*out->v));
	out->n = t.n;
	out->over = l->over || t.over;
	for (size_t i = 0; i < t.n; i++)
		convert(a, l, &t.v[i], &out->v[i]);
}

bool
thread_make_one(struct arena *a, struct mailbox_thread_messages *l,
    struct str id, struct mailbox_thread *out)
{
	struct threads t = { 0 };
	size_t at;

	arrange(l);
	thread_make(a, inputs(a, l), l->n, &t);
	at = thread_of(&t, id);
	if (at == THREAD_NONE)
		return false;
	convert(a, l, &t.v[at], out);
	out->over = out->over || t.over;
	return true;
}

/*
 * The store says what belongs together, and the engine only in which order,
 * what is missing, and what the others hang on.
 */
void
thread_make_given(struct arena *a, struct mailbox_thread_messages *l,
    const struct mailbox_thread_name *name, struct mailbox_thread *out)
{
	struct thread all = { 0 };
	struct threads t = { 0 };
	int64_t oldest = INT64_MAX;
	bool any = false;

	thread_make(a, inputs(a, l), l->n, &t);
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
		/* Oldest first; without a date as they came. */
		while (v->has_date && at > 0 &&
		    l->v[all.member[at - 1]].mail.env.has_date &&
		    l->v[all.member[at - 1]].mail.env.date_s > v->date_s) {
			all.member[at] = all.member[at - 1];
			at--;
		}
		all.member[at] = i;
	}
	*out = (struct mailbox_thread){ .name = *name };
	members(a, l, &all, out);
	for (size_t i = 0; i < t.n; i++) {
		if (t.v[i].kind == THREAD_MESSAGE_ID &&
		    t.v[i].first_s < oldest) {
			oldest = t.v[i].first_s;
			out->root_message_id = t.v[i].id;
		}
	}
}
