/* SPDX-License-Identifier: Apache-2.0 */
/*
 * After a change the folder is left, so that a connection that is kept does not
 * take \Recent of new mail from a person's program.  UNSELECT (RFC 3691)
 * removes nothing, unlike CLOSE.  Nobody waits for its answer: the next call
 * reads it.
 */
#include "backend/imap/internal.h"
#include "base/clock.h"
#include "base/limits.h"

void
imap_leave(struct imap_session *s)
{
	struct err e = { 0 };

	if (s->wire == NULL || !s->writing || s->pending_n > 0 ||
	    (s->caps & IMAP_CAP_UNSELECT) == 0)
		return;
	s->writing = false;
	if (imap_command_begin(s, &s->leave, "UNSELECT", &e) < 0 ||
	    imap_command_end(s, &s->leave, &e) < 0 ||
	    wire_flush(s->wire, &e) < 0)
		imap_session_drop(s);
}

bool
imap_leave_is_all(const struct imap_session *s)
{
	return s->pending_n == 0 ||
	    (s->pending_n == 1 && s->pending[0] == &s->leave);
}

bool
imap_leave_hear(struct imap_session *s)
{
	int64_t until = clock_mono_ms() + LIMIT_WIRE_NOOP_MS;
	struct err e = { 0 };

	if (s->pending_n == 0 || !imap_leave_is_all(s) ||
	    !wire_pending(s->wire))
		return true;
	if (until < s->conn.acct->deadline_ms)
		wire_deadline(s->wire, until);
	if (imap_command_wait(s, &s->leave, &e) < 0)
		return false;
	wire_deadline(s->wire, s->conn.acct->deadline_ms);
	return true;
}
