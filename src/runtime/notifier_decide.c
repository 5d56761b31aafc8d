/* SPDX-License-Identifier: Apache-2.0 */
/* When an agent is told of unread mail.  Pure. */
#include "runtime/notifier.h"

/*
 * Is one of them new?  Of a list that is not whole, what comes after the last
 * known one was only too old to be looked at before.
 */
static bool
notifier_decide_is_new(const struct notifier_state *st,
    const struct notifier_poll *p)
{
	size_t first = p->unread->n, last = 0;

	for (size_t i = 0; i < p->unread->n; i++) {
		if (str_among(&st->known, p->unread->v[i]))
			last = i + 1;
		else if (first == p->unread->n)
			first = i;
	}
	if (first == p->unread->n)
		return false;
	return !p->more || last == 0 || first < last;
}

/* Are those that the agent knows of told of again? */
static bool
notifier_decide_is_due(const struct notifier_settings *s,
    const struct notifier_state *st, int64_t now_s)
{
	if (s->snooze_until > 0 && st->notified_s < s->snooze_until &&
	    st->notified_s > 0)
		return true;
	return s->renotify_s > 0 && now_s - st->notified_s >= s->renotify_s;
}

enum notifier_outcome
notifier_decide(const struct notifier_settings *s,
    const struct notifier_state *st, const struct notifier_poll *p)
{
	if (!s->enabled)
		return NOTIFIER_DISABLED;
	if (p->unread->n == 0)
		return NOTIFIER_EMPTY;
	if (p->now_s < s->snooze_until)
		return NOTIFIER_DEDUP_SKIP;
	if (!notifier_decide_is_new(st, p) &&
	    !notifier_decide_is_due(s, st, p->now_s))
		return NOTIFIER_DEDUP_SKIP;
	return p->busy ? NOTIFIER_BUSY_SKIP : NOTIFIER_ENQUEUED;
}

/* Forgets those that are not unread any more. */
static void
notifier_decide_forget(struct notifier_state *st, const struct strs *unread,
    struct arena *a)
{
	struct strs left = { 0 };

	for (size_t i = 0; i < unread->n; i++)
		if (str_among(&st->known, unread->v[i]))
			str_push(a, &left, unread->v[i]);
	st->known = left;
}

void
notifier_decide_settle(struct notifier_state *st, const struct notifier_poll *p,
    enum notifier_outcome o, struct arena *a)
{
	st->polled_s = p->now_s;
	if (o == NOTIFIER_ENQUEUED) {
		st->notified_s = p->now_s;
		st->known = *p->unread;
	} else if (o != NOTIFIER_POLL_ERROR && o != NOTIFIER_DISABLED &&
	    !p->more) {
		notifier_decide_forget(st, p->unread, a);
	}
}
