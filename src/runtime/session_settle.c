/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/session.h"

/* A start that is not over: whoever did it is dead, since the lock is ours. */
static int
session_settle_start(struct sessions *s, const struct session *x, struct err *e)
{
	if (session_start_undo(s, x, e) < 0 || session_drop(s, x, e) < 0)
		return -1;
	str_push(s->a, &s->notes,
	    str_fmt(s->a,
		"the start of session %.*s was interrupted and is undone",
		STR_ARG(x->id)));
	return 0;
}

/* Likewise, another mailbox for one. */
static int
session_settle_change(struct sessions *s, struct session *x, struct err *e)
{
	int got = session_rebind_settle(s, x, e);

	if (got < 0)
		return -1;
	str_push(s->a, &s->notes,
	    str_fmt(s->a,
		"the change of session %.*s's mailbox was interrupted and is "
		"%s",
		STR_ARG(x->id), got == 1 ? "finished" : "undone"));
	return 0;
}

int
session_settle(struct sessions *s, struct err *e)
{
	struct session *v;
	size_t n;

	if (session_list(s, &v, &n, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		bool starts = v[i].state.step < SESSION_STARTED;
		struct err why = { 0 };

		if (v[i].is == SESSION_IS_DAMAGED ||
		    (!starts && !v[i].state.change.is))
			continue;
		if ((starts ? session_settle_start(s, &v[i], &why)
			    : session_settle_change(s, &v[i], &why)) < 0)
			str_push(s->a, &s->notes,
			    str_fmt(s->a,
				"what was interrupted in session %.*s cannot "
				"be undone now: %s",
				STR_ARG(v[i].id), why.say));
	}
	return 0;
}
