/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection that is kept from one call to the next.  The folder is examined
 * again, since what the server said of it then may be old; that costs no round
 * trip of its own.
 */
#include "backend/imap/internal.h"
#include "base/clock.h"
#include "base/limits.h"

/* Does the server answer?  RFC 9051 section 6.1.2. */
static bool
imap_again_prove(struct imap_session *s)
{
	int64_t until = clock_mono_ms() + LIMIT_WIRE_NOOP_MS;
	struct imap_cmd c = { 0 };
	struct err e = { 0 };

	/* A connection that was forgotten on the way answers nothing. */
	if (until < s->conn.acct->deadline_ms)
		wire_deadline(s->wire, until);
	if (imap_command_begin(s, &c, "NOOP", &e) < 0 ||
	    imap_command_end(s, &c, &e) < 0 ||
	    imap_command_wait(s, &c, &e) < 0 || c.status != IMAP_OK)
		return false;
	wire_deadline(s->wire, s->conn.acct->deadline_ms);
	return true;
}

void
imap_again(struct imap_session *s, bool prove)
{
	s->refused = (struct err){ 0 };
	s->renewed = false;
	arena_close(&s->across_rows);
	arena_close(&s->across_a);
	s->across = NULL;
	if (s->wire == NULL)
		return;
	wire_deadline(s->wire, s->conn.acct->deadline_ms);
	s->examined = false;
	s->left.any = false;
	s->numbering = 0; /* another caller's uids */
	s->reader.lines = s->reader.total = 0;
	/* Something that nobody waits for: news of the folder, or its end. */
	if (!s->started || !imap_leave_is_all(s) || s->logging_in ||
	    s->identifying || s->enabling || s->examining ||
	    !imap_leave_hear(s) ||
	    ((prove || wire_pending(s->wire)) && !imap_again_prove(s)))
		imap_session_drop(s);
	s->kept = s->wire != NULL;
}

/* A read may be repeated; what had no time left would have none. */
bool
imap_again_lost(struct imap_session *s, bool *kept, int r, struct err *e)
{
	if (!*kept || r >= 0 || s->wire != NULL || e->kind != ERR_NETWORK ||
	    clock_left_ms(s->conn.acct->deadline_ms) == 0)
		return false;
	*kept = false;
	*e = (struct err){ 0 };
	return true;
}
