/*
 * Mail of a sender nobody vouches for, about to be handed out, leaves a mark
 * on the agent: what it sends in the next minutes may be what the mail said.
 */
#include "base/clock.h"
#include "gate/internal.h"

int
taint_note(struct mailbox *m, const struct mail *mail, struct err *e)
{
	if (m->tainted || mail->auth == SENDER_PASS)
		return 0;
	/* What cannot be written down is not shown. */
	if (store_taint_mark(m->gate->store, m->gate->principal, clock_now(),
		e) < 0)
		return -1;
	m->tainted = true;
	return 0;
}
