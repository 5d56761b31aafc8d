/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mail of an unauthenticated sender marks the agent before it is returned: the
 * agent's next messages may be caused by it.
 */
#include "base/clock.h"
#include "gate/internal.h"

int
taint_note(struct mailbox *m, const struct mail *mail, struct err *e)
{
	if (m->tainted || mail->auth == SENDER_PASS)
		return 0;
	/* What cannot be recorded is not shown. */
	if (store_taint_mark(m->gate->store, m->gate->principal, clock_now(),
		e) < 0)
		return -1;
	m->tainted = true;
	return 0;
}
