/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A message in two folders counts once: of copies, recognized by their
 * Message-ID, the sent one counts, or else the one in the first place.  Authors
 * choose their ids, so a draft is a copy only of a sent message.  Within one
 * folder there are no copies: source/thread.h uses the first one.
 */
#include <stdlib.h>

#include "gate/thread.h"

struct copy {
	const struct mailbox_thread_message *msg;
	size_t at;
};

static int
thread_copies_rank(const struct mailbox_thread_message *x)
{
	return x->sent ? -1 : x->draft ? THREAD_PLACES : (int)x->place;
}

/* By id, those that count first. */
static int
thread_copies_by_id(const void *p, const void *q)
{
	const struct copy *x = p, *y = q;
	int r =
	    str_cmp(x->msg->mail.env.message_id, y->msg->mail.env.message_id);

	if (r == 0)
		r = thread_copies_rank(x->msg) - thread_copies_rank(y->msg);
	if (r != 0)
		return r;
	return (x->at > y->at) - (x->at < y->at);
}

static bool
is_copy(const struct mailbox_thread_message *of,
    const struct mailbox_thread_message *x)
{
	return x->draft ? of->sent : x->place != of->place;
}

/* n with one id; those that count are first. */
static void
mark_copies(struct mailbox_thread_messages *l, const struct copy *v, size_t n,
    bool *drop)
{
	struct mailbox_thread_message *first = &l->v[v[0].at];

	for (size_t i = 1; i < n; i++) {
		if (!is_copy(first, v[i].msg))
			continue;
		drop[v[i].at] = true;
		first->seed = first->seed || v[i].msg->seed;
	}
}

void
thread_copies_drop(struct arena *a, struct mailbox_thread_messages *l)
{
	struct copy *v = arena_array(a, l->n, sizeof(*v));
	bool *drop = arena_array(a, l->n, sizeof(*drop));
	size_t n = 0, kept = 0, end;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].mail.env.message_id.n > 0)
			v[n++] = (struct copy){ &l->v[i], i };
	if (n > 1)
		qsort(v, n, sizeof(*v), thread_copies_by_id);
	for (size_t i = 0; i < n; i = end) {
		struct str id = v[i].msg->mail.env.message_id;

		for (end = i + 1;
		     end < n && str_eq(v[end].msg->mail.env.message_id, id);
		     end++)
			;
		mark_copies(l, &v[i], end - i, drop);
	}
	for (size_t i = 0; i < l->n; i++)
		if (!drop[i])
			l->v[kept++] = l->v[i];
	l->n = kept;
}
