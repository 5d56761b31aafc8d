/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a draft still among the drafts?  If not, was a message with its Message-ID
 * sent?  A mail program that changes that id when somebody edits the draft
 * hides both: a draft is reported as discarded only if it would have been found
 * otherwise.
 */
#include "gate/draft_status.h"

#include "gate/thread.h"

enum {
	DRAFT_ID_MAX = 1000 /* bytes; no store has one so long */
};

static bool
draft_status_is_message_id(struct str s)
{
	return s.n > 2 && s.p[0] == '<' && s.p[s.n - 1] == '>';
}

/*
 * Searches the drafts: 1, 0 if it is not there, -1.  *all: every draft was
 * examined.
 */
static int
find_draft(struct mailbox *m, struct str id, struct draft_status *out,
    bool *all, struct err *e)
{
	struct mailbox_thread_messages l;

	if (mailbox_thread_drafts(m, &l, e) < 0)
		return -1;
	*all = !l.over;
	for (size_t i = 0; i < l.n; i++) {
		const struct mailbox_thread_message *x = &l.v[i];

		if (!str_eq(mailbox_thread_drafts_id(m->arena, x), id) &&
		    !str_eq(x->mail.env.message_id, id))
			continue;
		out->msg = x;
		return 1;
	}
	return 0;
}

/*
 * Searches a thread for a message that is not a draft and was sent by the
 * account: 1, 0, -1.  If the server keeps no copy of sent mail, the copy from a
 * list counts.
 */
static int
draft_status_find_sent(struct mailbox *m,
    const struct mailbox_thread_name *name, struct draft_status *out,
    struct err *e)
{
	struct mailbox_thread t;

	if (mailbox_thread(m, name, &t, e) < 0) {
		if (e->kind != ERR_NOT_FOUND)
			return -1;
		*e = (struct err){ 0 };
		return 0;
	}
	for (size_t i = 0; i < t.n; i++) {
		if (t.v[i].draft ||
		    !str_eq(t.v[i].mail.env.message_id, name->id) ||
		    !(mailbox_thread_is_sent(m, &t.v[i]) ||
			mailbox_thread_is_ours(m, &t.v[i])))
			continue;
		out->msg = &t.v[i];
		return 1;
	}
	return 0;
}

static int
tell_unknown(struct draft_status *out, const char *why)
{
	out->status = "unknown";
	out->why = why;
	return 0;
}

/* It no longer waits. */
static int
draft_status_look_further(struct mailbox *m, struct str id,
    struct draft_status *out, struct err *e)
{
	struct mailbox_thread_name name;
	int r;

	if (!draft_status_is_message_id(id))
		return tell_unknown(out, "gone_ask_by_message_id");
	if (thread_name_read(m, id, &name, e) < 0)
		return -1;
	r = draft_status_find_sent(m, &name, out, e);
	if (r < 0)
		return -1;
	if (r == 1) {
		out->status = "sent";
		return 0;
	}
	if (mailbox_thread_sent_known(m, e) < 0) {
		if (e->kind != ERR_UNSUPPORTED)
			return -1;
		*e = (struct err){ 0 };
		return tell_unknown(out, "sent_folder_unknown");
	}
	out->status = "discarded";
	return 0;
}

int
draft_status(struct mailbox *m, struct str id, struct draft_status *out,
    struct err *e)
{
	bool all = false;
	int r;

	*out = (struct draft_status){ 0 };
	id = str_trim(id);
	if (id.n == 0 || id.n > DRAFT_ID_MAX)
		return err_set(e, ERR_USAGE, "that is not the id of a draft");
	if (mailbox_open(m, e) < 0)
		return -1;
	if (!(m->src->be->caps & CAP_DRAFT))
		return err_set(e, ERR_UNSUPPORTED, "this source has no drafts");
	r = find_draft(m, id, out, &all, e);
	if (r < 0)
		return -1;
	if (r == 1) {
		out->status = "pending";
		return 0;
	}
	if (!all)
		return tell_unknown(out, "too_many_drafts");
	return draft_status_look_further(m, id, out, e);
}
