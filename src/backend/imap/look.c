/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before anything is moved: both folders and all messages, in one flight.
 *
 * Where messages will be copied (copy.c) the target is opened, because only
 * that tells whether its copies could be recognized: it must have a
 * UIDVALIDITY, and keep its uids (UIDNOTSTICKY, RFC 4315 section 4).
 */
#include "backend/imap/change.h"

static int
imap_look_send_target(struct imap_moving *t, struct imap_cmd *c, struct err *e)
{
	if (imap_command_begin(t->s, c, t->copies ? "EXAMINE " : "STATUS ", e) <
		0 ||
	    imap_command_name(t->s, c, t->name, e) < 0 ||
	    (!t->copies &&
		imap_command_say(t->s, c, S(" (UIDNEXT UIDVALIDITY)"), e) < 0))
		return -1;
	return imap_command_end(t->s, c, e);
}

static int
imap_look_send_rights(struct imap_moving *t, struct imap_cmd *c, struct err *e)
{
	*c = (struct imap_cmd){ .done = true };
	if (!t->copies || (t->s->caps & IMAP_CAP_ACL) == 0)
		return 0;
	if (imap_append_name(t->s, t->from, &t->rights.name, e) < 0)
		return -1;
	return imap_rights_send(t->s, &t->rights, c, e);
}

/* As imap_session.code, of one folder after the other. */
static void
imap_look_take_code(struct imap_session *s, struct str word, struct str rest,
    void *ctx)
{
	struct imap_moving *t = ctx;

	if (s->examining && str_eq_case(word, S("UIDNOTSTICKY")))
		t->loose = true;
	if (!s->examining || !str_eq_case(word, S("PERMANENTFLAGS")))
		return;
	t->told = true;
	t->removes = imap_keyword_among(rest, S("\\Deleted"));
}

/* What was heard until now is of the target, the rest is of the folder. */
static int
imap_look_wait_target(struct imap_moving *t, struct imap_cmd *c, struct err *e)
{
	struct imap_session *s = t->s;

	if (!t->copies)
		return 0;
	if (imap_command_wait(s, c, e) < 0)
		return -1;
	t->copied.uidvalidity = t->loose ? 0 : s->st.uidvalidity;
	t->copied.next = s->st.uidnext;
	s->st = (struct folder_state){ 0 };
	t->told = t->removes = false;
	return 0;
}

int
imap_look(struct imap_moving *t, struct err *e)
{
	struct imap_cmd target, rights;
	const struct imap_cmd *bad;
	struct imap_parts search;

	t->s->code = imap_look_take_code;
	t->s->code_ctx = t;
	if (imap_look_send_target(t, &target, e) < 0 ||
	    imap_look_send_rights(t, &rights, e) < 0 ||
	    imap_session_write(t->s, t->from, e) < 0 ||
	    imap_moving_send_search(t, &search, e) < 0 ||
	    imap_look_wait_target(t, &target, e) < 0 ||
	    imap_session_settle(t->s, e) < 0 ||
	    imap_command_wait(t->s, &target, e) < 0 ||
	    imap_command_wait(t->s, &rights, e) < 0 ||
	    imap_parts_wait(t->s, &search, &bad, e) < 0)
		return -1;
	if (target.status != IMAP_OK)
		return imap_command_refused(&target, ERR_NOT_FOUND,
		    "no such folder or message", e);
	if (bad != NULL)
		return imap_command_refused(bad, ERR_NETWORK,
		    "the server refused the search", e);
	if (imap_moving_count(t) != t->uids.n)
		return err_set(e, ERR_NOT_FOUND, "no such folder or message");
	t->uidvalidity = t->s->st.uidvalidity;
	return 0;
}
